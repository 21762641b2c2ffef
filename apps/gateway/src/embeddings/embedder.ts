import type { EmbeddingModel } from "../domain/model.js";
import { Pacer } from "../domain/pacer.js";
import type { EmbeddingPart, EmbeddingRequest, Input } from "../domain/requests.js";
import { Vector } from "../domain/vector.js";
import type { BatchLimits } from "./batch-limits.js";
import { cacheKey } from "./cache-key.js";
import { countTokens } from "./count-tokens.js";
import { fitInputs } from "./fit-inputs.js";
import { readInputs } from "./inputs.js";
import { type Fetched, Lane, type PartAnswer, type Want } from "./lane.js";
import type { CachedVector, CacheEntry, VectorCache } from "./vector-cache.js";
import type { OpenVocabulary } from "./vocabulary.js";
import { checkWidth } from "./width.js";

/** Sends one part of a request to an upstream and gives back verified vectors in its order. */
export type SendPart = (
  part: { readonly model: EmbeddingModel; readonly request: EmbeddingPart },
  signal: AbortSignal,
) => Promise<PartAnswer>;

export interface EmbedderNeeds {
  readonly sendPart: SendPart;
  readonly cache: VectorCache;
  readonly limits: BatchLimits;
  readonly openVocabulary: OpenVocabulary;
}

/** What a caller says of the cache, in `Cache-Control`. */
export interface CacheWishes {
  readonly read: boolean;
  readonly write: boolean;
}

export interface Embedded {
  /** In the order of the inputs. */
  readonly vectors: readonly Vector[];
  readonly promptTokens: number;
  /** The upstream that made the last of them, where not all came from the cache. */
  readonly upstream?: string;
  /** Settles when the cache has taken what is new; the answer does not wait for it. */
  readonly kept: Promise<void>;
  /** Absent where the model has no cache. */
  readonly cache?: "hit" | "partial" | "miss";
}

export type Embed = (
  request: EmbeddingRequest,
  errand: { readonly model: EmbeddingModel; readonly cache: CacheWishes; readonly signal: AbortSignal },
) => Promise<Embedded>;

/** Turns a request of any size into vectors: from the cache, from calls under way, and from calls of its own. */
export function createEmbedder({ sendPart, cache, limits, openVocabulary }: EmbedderNeeds): Embed {
  const lanes = new Map<string, Lane>();

  function laneFor(
    model: EmbeddingModel,
    options: Omit<EmbeddingPart, "inputs">,
  ): { lane: Lane; name: string } {
    const name = JSON.stringify([model.id, options.dimensions, options.encoding_format, options.user]);
    const existing = lanes.get(name);
    if (existing !== undefined) return { lane: existing, name };
    const [target] = model.targets;
    const lane = new Lane({
      limits: () => limits.of(model),
      maxConcurrency: target.maxConcurrency,
      coalesce: target.coalesce,
      send: (inputs, signal) => sendPart({ model, request: { ...options, inputs } }, signal),
      learn: limits.learn,
    });
    lanes.set(name, lane);
    return { lane, name };
  }

  async function fetch(
    inputs: readonly Input[],
    errand: Parameters<Embed>[1],
    request: EmbeddingRequest,
  ): Promise<Fetched[]> {
    const { model, signal } = errand;
    const tokens = await countTokens(
      inputs,
      { model, maxTokens: limits.of(model).maxTokens },
      openVocabulary,
    );
    const wants = inputs.map(
      (input, index): Want => ({ key: shareKey(input), input, tokens: tokens[index] ?? 1 }),
    );
    const { lane, name } = laneFor(model, optionsOf(request, model));
    try {
      return await lane.fetch(wants, signal);
    } finally {
      if (lane.isIdle && lanes.get(name) === lane) lanes.delete(name);
    }
  }

  return async (request, errand) => {
    const { model } = errand;
    const width = checkWidth(request.dimensions, model);
    const inputs = await fitInputs(readInputs(request.input, model.maxInputs), model, openVocabulary);
    const { unique, places } = withoutRepeats(inputs);
    const keys =
      model.cache === undefined || width === undefined
        ? undefined
        : await keysOf(unique, { space: model.targets[0].space, width });

    const found = keys !== undefined && errand.cache.read ? await cache.read(keys) : [];
    const missing = unique.flatMap((_input, index) => (isUsable(found[index], width) ? [] : [index]));
    const fetched =
      missing.length === 0
        ? []
        : await fetch(
            missing.map((index) => unique[index] ?? ""),
            errand,
            request,
          );

    const vectors = new Array<Vector>(unique.length);
    const tokens = new Array<number>(unique.length).fill(0);
    for (const [index, cached] of found.entries()) {
      if (cached === undefined) continue;
      vectors[index] = Vector.fromFloats(cached.floats);
      if (model.cache?.countTokens === true) tokens[index] = cached.tokens;
    }
    for (const [position, index] of missing.entries()) {
      const one = fetched[position];
      if (one === undefined) throw new Error("An input came back without a vector.");
      vectors[index] = one.vector;
      tokens[index] = one.tokens;
    }
    const fresh = missing.map((index, position) => ({ key: keys?.[index], fetched: fetched[position] }));
    // A cache that fails is a cache that forgets.
    const kept = errand.cache.write
      ? keep(cache, fresh, model.cache?.ttlMs).catch(() => undefined)
      : Promise.resolve();
    return {
      vectors: places.map((index) => vectors[index] as Vector),
      promptTokens: places.reduce((sum, index) => sum + (tokens[index] ?? 0), 0),
      kept,
      ...(fetched.length === 0 ? {} : { upstream: fetched.at(-1)?.upstream ?? "" }),
      ...(keys === undefined
        ? {}
        : { cache: missing.length === 0 ? "hit" : missing.length < unique.length ? "partial" : "miss" }),
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

/** Text and tokens are kept apart by their first letter. */
function shareKey(input: Input): string {
  return typeof input === "string" ? `t${input}` : `n${input.join(",")}`;
}

/** What is asked of the upstream. A cache needs numbers whatever the caller wants, and base64 is the shorter way. */
function optionsOf(
  { dimensions, encoding_format, user }: EmbeddingRequest,
  model: EmbeddingModel,
): Omit<EmbeddingPart, "inputs"> {
  const needsNumbers = model.cache !== undefined || model.targets[0].coalesce !== undefined;
  return {
    encoding_format: needsNumbers ? "base64" : (encoding_format ?? "float"),
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(user === undefined ? {} : { user }),
  };
}

async function keysOf(inputs: readonly Input[], place: { space: string; width: number }): Promise<string[]> {
  const pacer = new Pacer();
  const keys: string[] = [];
  for (const input of inputs) {
    keys.push(cacheKey(input, place));
    if (pacer.isDue) await pacer.rest();
  }
  return keys;
}

/** A cache that holds a vector of another width holds garbage. */
function isUsable(cached: CachedVector | undefined, width: number | undefined): boolean {
  return cached !== undefined && cached.floats.length === width;
}

async function keep(
  cache: VectorCache,
  fresh: readonly { key: string | undefined; fetched: Fetched | undefined }[],
  ttlMs: number | undefined,
): Promise<void> {
  if (ttlMs === undefined) return;
  const pacer = new Pacer();
  let entries: CacheEntry[] = [];
  for (const { key, fetched } of fresh) {
    if (key === undefined || fetched === undefined) continue;
    entries.push({ key, floats: fetched.vector.toFloats(), tokens: fetched.tokens });
    if (!pacer.isDue) continue;
    cache.write(entries, ttlMs);
    entries = [];
    await pacer.rest();
  }
  cache.write(entries, ttlMs);
}
