import type { EmbeddingModel, EmbeddingTarget } from "../domain/model.js";
import type { EmbeddingRequest, Input } from "../domain/requests.js";
import type { RequestTrace } from "../domain/trace.js";
import type { Vector } from "../domain/vector.js";
import { GatewayError } from "../errors.js";
import type { EmbeddingWork } from "../usage/cost.js";
import { type CacheDirectives, lookUp } from "./cache/input-cache.js";
import type { VectorCache } from "./cache/vector-cache.js";
import { createLanes, type LanesNeeds } from "./coalescing/coalescers.js";
import type { FetchedVector } from "./coalescing/pending-input.js";
import { checkWidth } from "./dimensions.js";
import { fitInputs, readInputs, shareKey } from "./inputs.js";

export interface EmbedderNeeds extends LanesNeeds {
  readonly cache: VectorCache;
}

export interface EmbeddingResult {
  /** In the order of the inputs. */
  readonly vectors: readonly Vector[];
  readonly promptTokens: number;
  /** The upstream that made the last of them, where not all came from the cache. */
  readonly via: { readonly upstream: string; readonly attempts: number } | undefined;
  /** What targets were given for it, and at which price; what came from the cache is not among it. */
  readonly work: readonly EmbeddingWork[];
  /** Settles when the cache has taken what is new; the answer does not wait for it. */
  readonly cached: Promise<void>;
  /** Gives back the memory of the vectors, where that is worth it. To be called when nobody looks at them any more. */
  readonly release: (() => void) | undefined;
  /** Undefined where the model has no cache. */
  readonly cache: "hit" | "partial" | "miss" | undefined;
}

export interface EmbedErrand {
  readonly model: EmbeddingModel;
  readonly cache: CacheDirectives;
  readonly caller: string;
  readonly trace: RequestTrace;
  readonly signal: AbortSignal;
}

export type Embed = (request: EmbeddingRequest, errand: EmbedErrand) => Promise<EmbeddingResult>;

/** Turns a request of any size into vectors: from the cache, from calls under way, and from calls of its own. */
export function createEmbedder(needs: EmbedderNeeds): Embed {
  const fetchVectors = createLanes(needs);
  return async (request, errand) => {
    const { model, cache: wishes } = errand;
    const width = checkWidth(request.dimensions, model);
    const fitted = fitInputs(readInputs(request.input, model.maxInputs), model, needs.openVocabulary);
    const inputs = fitted instanceof Promise ? await fitted : fitted;
    const { unique, places } = withoutRepeats(inputs);
    const encoding = request.encoding_format ?? "float";
    const lookingUp = lookUp(unique, { model, width, wishes, encoding }, needs.cache);
    const cache = lookingUp && (await lookingUp);

    const missing =
      cache === undefined ? unique : unique.filter((_, index) => cache.found[index] === undefined);
    let fetched: readonly FetchedVector[] = [];
    try {
      if (missing.length > 0) fetched = await fetchVectors(missing, request, errand);
    } catch (failure) {
      throw atPlace(failure, inputs);
    }
    const results = cache === undefined ? fetched : merge(cache.found, fetched);
    const vectors: Vector[] = [];
    let promptTokens = 0;
    for (const place of places) {
      const { vector, tokens } = resultAt(results, place);
      vectors.push(vector);
      promptTokens += tokens;
    }
    const last = fetched.at(-1);
    // A cache that fails is a cache that forgets.
    const cached = cache?.keep(fetched).catch(() => undefined) ?? nothingToKeep;
    return {
      vectors,
      promptTokens,
      work: workOf(fetched),
      cached,
      release: fetched.some(hasMemory) ? () => void cached.then(() => letGo(fetched)) : undefined,
      via: last && { upstream: last.target.upstream, attempts: last.attempts },
      cache: cache && verdict(missing.length, unique.length),
    };
  };
}

const nothingToKeep = Promise.resolve();

function hasMemory({ buffers }: FetchedVector): boolean {
  return buffers !== undefined;
}

function letGo(fetched: readonly FetchedVector[]): void {
  for (const { buffers } of fetched) buffers?.release();
}

type Result = Pick<FetchedVector, "vector" | "tokens">;

/** What was found, with what was fetched, in order, where nothing was. */
function merge(
  found: readonly (Result | undefined)[],
  fetched: readonly FetchedVector[],
): (Result | undefined)[] {
  let next = 0;
  return found.map((result) => {
    if (result !== undefined) return result;
    next += 1;
    return fetched[next - 1];
  });
}

function resultAt(results: readonly (Result | undefined)[], place: number): Result {
  const result = results[place];
  if (result === undefined) throw new Error("An input came back without a vector.");
  return result;
}

/** Equal inputs of one request are sent once. `places` says where in `unique` each input is. */
export function withoutRepeats(inputs: readonly Input[]): {
  unique: readonly Input[];
  places: readonly number[];
} {
  if (inputs.length === 1) return { unique: inputs, places: firstPlace };
  const known = new Map<string, number>();
  const unique: Input[] = [];
  const places = inputs.map((input) => {
    const key = shareKey(input);
    const place = known.get(key) ?? unique.push(input) - 1;
    known.set(key, place);
    return place;
  });
  return { unique, places };
}

const firstPlace = [0];

/** The tokens of each target together. Most requests have one. */
function workOf(fetched: readonly FetchedVector[]): EmbeddingWork[] {
  const [first] = fetched;
  if (first !== undefined && fetched.length === 1)
    return [{ price: first.target.price, tokens: first.tokens }];
  const tokens = new Map<EmbeddingTarget, number>();
  for (const { target, tokens: more } of fetched) tokens.set(target, (tokens.get(target) ?? 0) + more);
  return [...tokens].map(([{ price }, sum]) => ({ price, tokens: sum }));
}

function verdict(missing: number, all: number): "hit" | "partial" | "miss" {
  if (missing === 0) return "hit";
  return missing < all ? "partial" : "miss";
}

/** An error about one input names it by its place in the request, whatever call it was part of. */
function atPlace(failure: unknown, inputs: readonly Input[]): unknown {
  if (!(failure instanceof GatewayError) || failure.inputKey === undefined) return failure;
  const place = inputs.findIndex((input) => shareKey(input) === failure.inputKey);
  if (place === -1) return failure;
  const param = inputs.length === 1 ? "input" : `input[${place}]`;
  const message = failure.message.replace(/input(\[\d+\])?/, param);
  const { code, cause, upstream } = failure;
  return Object.assign(new GatewayError(code, message, { param, cause }), { upstream });
}
