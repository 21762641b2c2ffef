import type { CallContext } from "@model-gateway/domain/call-context";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import { calibratedDtype } from "@model-gateway/domain/output-dtype";
import { type EmbeddingRequest, isContent } from "@model-gateway/domain/requests";
import { anySignal } from "@model-gateway/runtime/abort";
import { countTokens, manyTokensMax, tokensMax, type Vocabularies } from "@model-gateway/tokens/tokens";
import { takesWidth } from "../dimensions.js";
import { checkLengths } from "../input-length.js";
import type { KeyedInput } from "../inputs.js";
import type { LearnedLimits } from "./batches.js";
import { Coalescer } from "./coalescer.js";
import type { FetchedVector, InputRequest } from "./pending-input.js";
import type { BatchOptions, BatchRoute, BatchSender } from "./send-batch.js";

interface CoalescersOptions {
  readonly sender: Pick<BatchSender, "send">;
  readonly limits: LearnedLimits;
  readonly vocabularies: Vocabularies;
}

/** The caller and the call. Only calls of one partition may share upstream calls. */
interface CoalescedCall {
  readonly model: EmbeddingModel;
  readonly context: CallContext;
  readonly partition?: string | undefined;
}

/** One coalescer for each model and set of options with requests in flight. */
export class Coalescers {
  readonly #options: CoalescersOptions;
  readonly #open = new Map<string, Coalescer>();

  constructor(options: CoalescersOptions) {
    this.#options = options;
  }

  /** Fetches vectors from calls in flight and from new ones, in the order of the inputs. */
  fetch(
    inputs: readonly KeyedInput[],
    request: EmbeddingRequest,
    call: CoalescedCall,
  ): Promise<FetchedVector[]> {
    const { model, context, partition } = call;
    return model.inputImages !== undefined && inputs.some(hasContent)
      ? this.#fetchMixed(inputs, request, call)
      : this.#fetchAlike(inputs, request, { model, context, partition, hasContent: false });
  }

  /** Texts go the same way as in any other request. If one kind fails, the other is cancelled. */
  async #fetchMixed(
    inputs: readonly KeyedInput[],
    request: EmbeddingRequest,
    { model, context, partition }: CoalescedCall,
  ): Promise<FetchedVector[]> {
    const failed = new AbortController();
    const shared = {
      partition,
      context: { ...context, signal: anySignal([context.signal, failed.signal]) },
    };
    const fetchSome = (some: readonly KeyedInput[], call: AlikeCall) =>
      some.length === 0 ? [] : this.#fetchAlike(some, request, call);
    try {
      const [contents, texts] = await Promise.all([
        fetchSome(inputs.filter(hasContent), { ...shared, model: withImages(model), hasContent: true }),
        fetchSome(
          inputs.filter((input) => !hasContent(input)),
          { ...shared, model, hasContent: false },
        ),
      ]);
      const next = { contents: contents.values(), texts: texts.values() };
      return inputs.flatMap((input) => next[hasContent(input) ? "contents" : "texts"].next().value ?? []);
    } catch (failure) {
      failed.abort(failure);
      throw failure;
    }
  }

  async #fetchAlike(
    inputs: readonly KeyedInput[],
    request: EmbeddingRequest,
    { model, context, partition, hasContent }: AlikeCall,
  ): Promise<FetchedVector[]> {
    const { limits, vocabularies } = this.#options;
    const { maxTokens } = limits.of(model, { hasContent });
    let tokens = inputs.length === 1 ? inputs.map(tokensMax) : await manyTokensMax(inputs);
    if (mayBeTooLong(tokens, model)) await checkLengths(inputs, model, vocabularies);
    if (sum(tokens) > maxTokens && model.tokenizer !== undefined)
      tokens = await countTokens(inputs, await vocabularies.open(model.tokenizer), maxTokens);
    context.signal.throwIfAborted();
    const needsNumbers = readsNumbers(request, model);
    const requests = inputs.map(
      ({ key, input }, index): InputRequest => ({
        key,
        input,
        tokens: tokens[index] ?? 1,
        needsNumbers,
        context,
      }),
    );
    const isBulk = context.bulk !== undefined;
    const { coalesce } = context;
    const isShared = (coalesce ?? model.coalesce) !== undefined;
    const route = { model, options: optionsOf(request, model, isShared), hasContent, isBulk, coalesce };
    return this.#coalescerOf(route, partition).fetch(requests, context.signal);
  }

  #coalescerOf(route: BatchRoute, partition: string | undefined): Coalescer {
    const key = coalescerKey(route, partition);
    const open = this.#open.get(key);
    if (open !== undefined) return open;
    const { limits, sender } = this.#options;
    const coalescer = new Coalescer({
      route,
      limits,
      sender,
      onIdle: () => this.#open.delete(key),
    });
    this.#open.set(key, coalescer);
    return coalescer;
  }
}

/** Inputs of one kind, which may share upstream calls. */
interface AlikeCall extends CoalescedCall {
  readonly hasContent: boolean;
}

function hasContent({ input }: KeyedInput): boolean {
  return isContent(input);
}

/** The model with the targets that take images. */
function withImages(model: EmbeddingModel): EmbeddingModel {
  const [first, ...others] = model.targets.filter(({ inputImages }) => inputImages !== undefined);
  return first === undefined ? model : { ...model, targets: [first, ...others] };
}

function mayBeTooLong(tokens: readonly number[], { maxTokens }: EmbeddingModel): boolean {
  if (maxTokens === undefined) return false;
  for (const count of tokens) if (count > maxTokens) return true;
  return false;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}

/** Whether it does more with its vectors than to pass on their JSON text. */
function readsNumbers(
  { encoding_format, output_dtype, dimensions }: EmbeddingRequest,
  model: EmbeddingModel,
): boolean {
  if (encoding_format === "base64" || output_dtype !== undefined || model.cache !== undefined) return true;
  return model.targets.some((target) => target.normalizes || !takesWidth(target, dimensions));
}

/**
 * The options that go upstream. For a cache and a shared call, base64 is the shorter form of numbers; a batch whose
 * requests all pass on JSON is sent without it. Integers have no other form than a list. Signs are made from floats, so
 * requests for them share calls with others.
 */
function optionsOf(
  { dimensions, encoding_format = "float", output_dtype, input_type, user, extras }: EmbeddingRequest,
  model: EmbeddingModel,
  isShared: boolean,
): BatchOptions {
  const outputDtype = calibratedDtype(output_dtype);
  const needsNumbers = outputDtype === undefined && (model.cache !== undefined || isShared);
  return {
    encoding_format: needsNumbers ? "base64" : encoding_format,
    outputDtype,
    // The native width is the default of every upstream.
    dimensions: dimensions === model.dimensions ? undefined : dimensions,
    inputType: input_type ?? model.inputType,
    user,
    extras,
  };
}

/**
 * Requests with the same key may share calls. Bulk requests share none with interactive ones, which would have to wait
 * with them, and requests with a window share none with those of their model. Caller-controlled text goes last, so that
 * it cannot forge another key.
 */
function coalescerKey(
  { model, options, hasContent, isBulk, coalesce }: BatchRoute,
  partition: string | undefined,
): string {
  const { id, pinnedTo } = model;
  const { dimensions = 0, encoding_format, outputDtype, inputType, user, extras } = options;
  const kind = hasContent ? `${id}\nwith content` : id;
  const named = isBulk ? `${kind}\nin bulk` : kind;
  const waiting = coalesce === undefined ? named : `${named}\nwithin ${coalesce.windowMs} ms`;
  const target = pinnedTo === undefined ? waiting : `${waiting}\nat ${pinnedTo}`;
  // As JSON, because the name of an owner may have lines.
  const route = partition === undefined ? target : `${target}\nof ${JSON.stringify(partition)}`;
  const form = `${route}\n${dimensions} ${outputDtype ?? encoding_format} ${inputType}`;
  const caller = user === undefined ? "" : ` ${user}`;
  // The length ends the first of two texts that the caller controls.
  return extras === undefined ? `${form}${caller}` : `${form}+${extras.key.length} ${extras.key}${caller}`;
}
