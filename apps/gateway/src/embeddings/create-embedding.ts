import type { AccessKey } from "@model-gateway/domain/access-key";
import type { CallContext, RequestMemory } from "@model-gateway/domain/call-context";
import { GatewayError } from "@model-gateway/domain/errors";
import type { DataUrls } from "@model-gateway/domain/image-input";
import type { MediaTokens } from "@model-gateway/domain/media-input";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import { calibratedDtype } from "@model-gateway/domain/output-dtype";
import type { FailedAttempt } from "@model-gateway/domain/request-failure";
import type { EmbeddingRequest, Input } from "@model-gateway/domain/requests";
import type { Vector } from "@model-gateway/domain/vector";
import type { Vocabularies } from "@model-gateway/tokens/tokens";
import type { ConvertContent } from "../images/convert-content.js";
import type { ReadContentImages } from "../images/fetch/read-content-images.js";
import { estimateTokens, type UsageMeter } from "../usage/usage-meter.js";
import { type CacheDirectives, readInputCache } from "./cache/input-cache.js";
import { type PartitionBy, partitionOf } from "./cache/partition.js";
import type { VectorCache } from "./cache/vector-cache.js";
import type { Coalescers } from "./coalescing/coalescers.js";
import type { FetchedVector } from "./coalescing/pending-input.js";
import { convertInputs } from "./convert-inputs.js";
import { countFiles, estimateEmbeddingCost, estimateInputTokens, savingOf } from "./cost.js";
import { checkDimensions } from "./dimensions.js";
import { checkInputType } from "./input-type.js";
import {
  deduplicate,
  type GivenInput,
  inputKey,
  isOneInput,
  onlyInput,
  readInputs,
  translateTokens,
} from "./inputs.js";
import { readContents } from "./read-contents.js";
import { costOf, describeImages, fileTokensOf, type InputImages } from "./request-usage.js";
import { checkSpace, SpaceIds } from "./space.js";

export interface EmbeddingServiceOptions {
  readonly coalescers: Coalescers;
  readonly cache: VectorCache;
  /** Undefined where all callers share the cache. */
  readonly partitionBy?: PartitionBy | undefined;
  readonly vocabularies: Vocabularies;
  readonly readImages: ReadContentImages;
  readonly convertContent: ConvertContent;
}

interface EmbeddingJob {
  readonly model: EmbeddingModel;
  readonly context: CallContext;
  readonly key: Pick<AccessKey, "id" | "owner"> | undefined;
  readonly meter: UsageMeter;
  readonly memory: Pick<RequestMemory, "forReplies" | "settleReplies">;
  readonly cache: CacheDirectives;
  /** The id of the only space whose vectors the caller accepts. */
  readonly expectedSpace?: string | undefined;
  readonly dataUrls?: DataUrls | undefined;
  /** Called before calls that cost too much to be forgotten in a crash. */
  readonly onCostlyAttempt?: () => void;
}

/** Up to this estimate, a hundredth of a cent, a crash forgets a call: to note one costs 7 to 10 µs. */
const forgettableNanos = 100_000;

export interface EmbeddingResult {
  /** In the order of the inputs. */
  readonly vectors: readonly Vector[];
  readonly promptTokens: number;
  /** Whether an upstream did not report its tokens. */
  readonly tokensEstimated: boolean;
  /** How many of the tokens are those of images. Undefined if an upstream does not report it. */
  readonly imageTokens: number | undefined;
  /** The same for media, by kind. */
  readonly mediaTokens: MediaTokens | undefined;
  /** The images of all inputs. Undefined without any. */
  readonly images: InputImages | undefined;
  /** The images that were converted for the upstream. */
  readonly convertedImages: number;
  /** The upstream that created the last vector; undefined where all came from the cache. */
  readonly via: { readonly upstream: string; readonly attempts: number } | undefined;
  /** The calls that failed before others succeeded. Undefined if none did. */
  readonly failedAttempts: readonly FailedAttempt[] | undefined;
  /** The id of the vector space. */
  readonly space: string;
  /** The input type that applied. */
  readonly inputType: string | undefined;
  /** Undefined where the model has no cache. */
  readonly cache: "hit" | "partial" | "miss" | undefined;
  /** Settles when the cache has the new vectors. The response does not wait for it. */
  readonly cached: Promise<void>;
  /** Releases pooled buffers. Called once, after the last byte was sent; undefined without buffers. */
  readonly release: (() => void) | undefined;
}

/** Turns a request of any size into vectors: from the cache, from calls in flight, and from new calls. */
export class EmbeddingService {
  readonly #options: EmbeddingServiceOptions;
  readonly #spaces = new SpaceIds();

  constructor(options: EmbeddingServiceOptions) {
    this.#options = options;
  }

  async create(request: EmbeddingRequest, call: EmbeddingJob): Promise<EmbeddingResult> {
    const { coalescers, convertContent } = this.#options;
    const { model, meter, cache: directives, expectedSpace } = call;
    const { input, output_dtype: outputDtype } = request;
    const tokens = typeof input === "string" ? estimateTokens(input) : await estimateInputTokens(input);
    const files = model.inputImages === undefined ? { images: 0 } : countFiles(input, model.inputMedia);
    const { images } = files;
    const isTextAlone = images === 0 && files.media === undefined;
    const estimate = estimateEmbeddingCost(model.targets, tokens, files);
    await meter.open({ model, tokens, images, costNanos: estimate, countsIfAbandoned: true });
    const width = checkDimensions(request.dimensions, model);
    const inputType = checkInputType(request.input_type, model);
    const extrasKey = request.extras?.key;
    const declaredSpace =
      width === undefined
        ? undefined
        : this.#spaces.idOf(model, { width, inputType, extrasKey, outputDtype });
    if (declaredSpace !== undefined) checkSpace(expectedSpace, declaredSpace);
    const given = readInputs(request.input, model.maxInputs);
    const inputs = given.every(isText) ? given : await this.#readInputs(given, call);
    const [first] = inputs;
    const { unique, indexes } =
      first !== undefined && inputs.length === 1 ? onlyInput(first) : await deduplicate(inputs);
    const encoding = request.encoding_format ?? "float";
    const partition = partitionOf(call.key, this.#options.partitionBy);
    const cache =
      model.cache &&
      (await readInputCache(
        unique,
        {
          model,
          width,
          inputType,
          directives,
          encoding,
          outputDtype: calibratedDtype(outputDtype),
          extrasKey,
          partition,
        },
        this.#options.cache,
      ));

    const notCached =
      cache === undefined ? unique : unique.filter((_, index) => cache.found[index] === undefined);
    const { inputs: missing, convertedImages } =
      images === 0
        ? { inputs: notCached, convertedImages: 0 }
        : await convertInputs(notCached, model, { convertContent, caller: call.context.caller }).catch(
            (failure: unknown) => {
              throw nameInput(failure, input, inputs);
            },
          );
    let fetched: readonly FetchedVector[] = [];
    const context = withMemory(call, { count: missing.length, width, encoding });
    try {
      if (missing.length > 0 && (estimate ?? 0) > forgettableNanos) call.onCostlyAttempt?.();
      if (missing.length > 0)
        fetched = await coalescers.fetch(missing, request, {
          model,
          partition,
          context,
        });
    } catch (failure) {
      throw nameInput(failure, input, inputs);
    }
    const results = cache === undefined ? fetched : merge(cache.found, fetched);
    const vectors: Vector[] = [];
    let promptTokens = 0;
    for (const index of indexes) {
      const { vector, tokens } = resultAt(results, index);
      vectors.push(vector);
      promptTokens += tokens;
    }
    const fileTokens = isTextAlone
      ? undefined
      : fileTokensOf(inputs, (position) => resultAt(results, indexes[position] ?? -1));
    // The caller is charged for cached vectors, and the upstreams for fetched ones.
    meter.add({ inputTokens: promptTokens, outputTokens: 0, images, costNanos: costOf(fetched, missing) });
    if (cache !== undefined && cache.hits.inputs > 0)
      meter.addCached(
        cache.hits.inputs,
        // The cache does not know which tokens were those of images.
        isTextAlone ? savingOf(cache.hits.tokens, model.targets) : null,
      );
    // Without a declared width it is known only now.
    const space =
      declaredSpace ??
      this.#spaces.idOf(model, { width: vectors[0]?.width ?? 0, inputType, extrasKey, outputDtype });
    checkSpace(expectedSpace, space);
    const last = fetched.at(-1);
    if (context.takeMemory !== undefined) call.memory.settleReplies(heldBy(fetched));
    // A failed write only means a miss later.
    const cached = cache?.write(fetched).catch(() => undefined) ?? nothingToCache;
    return {
      vectors,
      promptTokens,
      tokensEstimated: fetched.some(isEstimated),
      imageTokens: fileTokens?.images,
      mediaTokens: fileTokens?.media,
      images: images === 0 ? undefined : describeImages(inputs),
      convertedImages,
      via: last && { upstream: last.target.upstream, attempts: last.attempts },
      failedAttempts: failedAttemptsOf(fetched),
      space,
      inputType,
      cache: cache && cacheResult(missing.length, unique.length),
      cached,
      release: fetched.some(needsRelease) ? () => void cached.then(() => releaseAll(fetched)) : undefined,
    };
  }

  /** Reads inputs that are not texts alone. */
  async #readInputs(given: readonly GivenInput[], call: EmbeddingJob): Promise<readonly Input[]> {
    const { readImages, vocabularies } = this.#options;
    const { model, context, memory, dataUrls } = call;
    const { signal, caller } = context;
    const takeMemory = (bytes: number) => memory.forReplies(bytes, caller)(signal);
    const inputs = await readContents(given, model, { readImages, dataUrls, signal, takeMemory });
    return translateTokens(inputs, model, vocabularies);
  }
}

/** Replies of up to this size are not counted. */
const smallReplyBytes = 1024 * 1024;
/** The length of a number in a reply, by its encoding. */
const bytesPerNumber = { float: 14, base64: 6 };
/** The width of vectors if it is not declared. */
const assumedWidth = 3072;

interface ExpectedReply {
  readonly count: number;
  readonly width: number | undefined;
  readonly encoding: keyof typeof bytesPerNumber;
}

/** The context of the call, with memory for its replies where they are large. */
function withMemory(
  { context, memory }: EmbeddingJob,
  { count, width, encoding }: ExpectedReply,
): CallContext {
  const bytes = count * (width ?? assumedWidth) * bytesPerNumber[encoding];
  if (bytes <= smallReplyBytes) return context;
  return { ...context, takeMemory: memory.forReplies(bytes, context.caller) };
}

function heldBy(fetched: readonly FetchedVector[]): number {
  return fetched.reduce((sum, { vector }) => sum + vector.heldBytes, 0);
}

function isText(input: GivenInput): input is string {
  return typeof input === "string";
}

const nothingToCache = Promise.resolve();

function isEstimated({ tokensEstimated }: FetchedVector): boolean {
  return tokensEstimated;
}

/** Once for each call, which may have fetched many of the vectors. */
function failedAttemptsOf(fetched: readonly FetchedVector[]): readonly FailedAttempt[] | undefined {
  let calls: Set<readonly FailedAttempt[]> | undefined;
  for (const { failedAttempts } of fetched)
    if (failedAttempts !== undefined) calls = (calls ?? new Set()).add(failedAttempts);
  return calls && [...calls].flat();
}

function needsRelease({ vector }: FetchedVector): boolean {
  return vector.needsRelease;
}

function releaseAll(fetched: readonly FetchedVector[]): void {
  for (const { vector } of fetched) vector.release();
}

type InputResult = Pick<FetchedVector, "vector" | "tokens" | "imageTokens" | "mediaTokens">;

/** Fills the gaps in the cached vectors with the fetched ones, in order. */
function merge(
  found: readonly (InputResult | undefined)[],
  fetched: readonly FetchedVector[],
): (InputResult | undefined)[] {
  let next = 0;
  return found.map((result) => {
    if (result !== undefined) return result;
    next += 1;
    return fetched[next - 1];
  });
}

function resultAt(results: readonly (InputResult | undefined)[], index: number): InputResult {
  const result = results[index];
  if (result === undefined) throw new Error("An input came back without a vector.");
  return result;
}

function cacheResult(missing: number, all: number): "hit" | "partial" | "miss" {
  if (missing === 0) return "hit";
  return missing < all ? "partial" : "miss";
}

/** An error about one input names it by its index in the caller's request, whatever batch it was in. */
function nameInput(failure: unknown, given: EmbeddingRequest["input"], inputs: readonly Input[]): unknown {
  if (!(failure instanceof GatewayError) || failure.inputKey === undefined) return failure;
  const index = inputs.findIndex((input) => inputKey(input) === failure.inputKey);
  if (index === -1) return failure;
  return failure.with({ param: isOneInput(given) ? "input" : `input[${index}]` });
}
