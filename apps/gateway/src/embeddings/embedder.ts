import type { EmbeddingModel, EmbeddingTarget } from "../domain/model.js";
import type { EmbeddingRequest, Input } from "../domain/requests.js";
import type { RequestTrace } from "../domain/trace.js";
import type { Vector } from "../domain/vector.js";
import { GatewayError } from "../errors.js";
import type { EmbeddingWork } from "../usage/prices/cost-of.js";
import { fitInputs } from "./fit-inputs.js";
import { type CacheWishes, type InputCache, lookUp } from "./input-cache.js";
import { readInputs } from "./inputs.js";
import type { Fetched } from "./lane.js";
import { createLanes, type LanesNeeds } from "./lanes.js";
import { shareKey } from "./share-key.js";
import type { VectorCache } from "./vector-cache.js";
import { checkWidth } from "./width.js";

export interface EmbedderNeeds extends LanesNeeds {
  readonly cache: VectorCache;
}

export interface Embedded {
  /** In the order of the inputs. */
  readonly vectors: readonly Vector[];
  readonly promptTokens: number;
  /** The upstream that made the last of them, where not all came from the cache. */
  readonly via?: { readonly upstream: string; readonly attempts: number };
  /** What targets were given for it, and at which price; what came from the cache is not among it. */
  readonly work: readonly EmbeddingWork[];
  /** Settles when the cache has taken what is new; the answer does not wait for it. */
  readonly kept: Promise<void>;
  /** Absent where the model has no cache. */
  readonly cache?: "hit" | "partial" | "miss";
}

export interface EmbedErrand {
  readonly model: EmbeddingModel;
  readonly cache: CacheWishes;
  readonly caller: string;
  readonly trace: RequestTrace;
  readonly signal: AbortSignal;
}

export type Embed = (request: EmbeddingRequest, errand: EmbedErrand) => Promise<Embedded>;

/** Turns a request of any size into vectors: from the cache, from calls under way, and from calls of its own. */
export function createEmbedder(needs: EmbedderNeeds): Embed {
  const fetchVectors = createLanes(needs);
  return async (request, { model, cache: wishes, caller, trace, signal }) => {
    const width = checkWidth(request.dimensions, model);
    const inputs = await fitInputs(readInputs(request.input, model.maxInputs), model, needs.openVocabulary);
    const { unique, places } = withoutRepeats(inputs);
    const cache = await lookUp(
      unique,
      { model, width, wishes, encoding: request.encoding_format ?? "float" },
      needs.cache,
    );

    const missing = [...unique.entries()].filter(([index]) => cache?.found[index] === undefined);
    const vectors =
      missing.length === 0
        ? []
        : await fetchVectors(
            missing.map(([, input]) => input),
            { model, request, caller, trace, signal },
          ).catch((failure: unknown) => Promise.reject(atPlace(failure, inputs)));
    const fetched = new Map(missing.map(([index], position) => [index, fetchedAt(vectors, position)]));

    const results = places.map((index) => fetched.get(index) ?? foundAt(cache, index));
    const last = vectors.at(-1);
    return {
      vectors: results.map(({ vector }) => vector),
      promptTokens: results.reduce((sum, { tokens }) => sum + tokens, 0),
      work: workOf(vectors),
      // A cache that fails is a cache that forgets.
      kept: cache?.keep(fetched).catch(() => undefined) ?? Promise.resolve(),
      ...(last === undefined ? {} : { via: { upstream: last.target.upstream, attempts: last.attempts } }),
      ...(cache === undefined ? {} : { cache: verdict(missing.length, unique.length) }),
    };
  };
}

/** Equal inputs of one request are sent once. `places` says where in `unique` each input is. */
export function withoutRepeats(inputs: readonly Input[]): { unique: Input[]; places: number[] } {
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

/** The tokens of each target together. Most requests have one. */
function workOf(vectors: readonly Fetched[]): EmbeddingWork[] {
  const tokens = new Map<EmbeddingTarget, number>();
  for (const { target, tokens: more } of vectors) tokens.set(target, (tokens.get(target) ?? 0) + more);
  return [...tokens].map(([{ price }, sum]) => ({ price, tokens: sum }));
}

function verdict(missing: number, all: number): "hit" | "partial" | "miss" {
  if (missing === 0) return "hit";
  return missing < all ? "partial" : "miss";
}

function fetchedAt(vectors: readonly Fetched[], position: number): Fetched {
  const one = vectors[position];
  if (one === undefined) throw new Error("An input came back without a vector.");
  return one;
}

function foundAt(cache: InputCache | undefined, index: number): Pick<Fetched, "vector" | "tokens"> {
  const one = cache?.found[index];
  if (one === undefined) throw new Error("An input is neither cached nor fetched.");
  return one;
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
