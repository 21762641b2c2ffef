import type { EmbeddingModel } from "../domain/model.js";
import { Pacer } from "../domain/pacer.js";
import type { Input } from "../domain/requests.js";
import { Vector } from "../domain/vector.js";
import { cacheKey } from "./cache-key.js";
import type { Fetched } from "./lane.js";
import type { CachedVector, CacheEntry, VectorCache } from "./vector-cache.js";

/** What a caller says of the cache, in `Cache-Control`. */
export interface CacheWishes {
  readonly read: boolean;
  readonly write: boolean;
}

/** The cache as one request sees it: its inputs, and nothing else. */
export interface InputCache {
  /** The vector of an input, or undefined where it must be fetched. */
  readonly found: readonly (Pick<Fetched, "vector" | "tokens"> | undefined)[];
  /** Keeps what was fetched. The answer does not wait for it. */
  readonly keep: (fetched: ReadonlyMap<number, Fetched>) => Promise<void>;
}

export interface LookUp {
  readonly model: EmbeddingModel;
  readonly width: number | undefined;
  readonly wishes: CacheWishes;
  readonly encoding: "float" | "base64";
}

/** Looks the inputs up. Undefined where the model has no cache. */
export async function lookUp(
  inputs: readonly Input[],
  { model, width, wishes, encoding }: LookUp,
  cache: VectorCache,
): Promise<InputCache | undefined> {
  const settings = model.cache;
  if (settings === undefined || width === undefined) return undefined;
  const keys = await keysOf(inputs, { space: model.targets[0].space, width });
  const cached = wishes.read ? await cache.read(keys, { ttlMs: settings.ttlMs, encoding }) : [];
  return {
    found: inputs.map((_input, index) => {
      const vector = cached[index];
      if (!isUsable(vector, width)) return undefined;
      return {
        vector: Vector.fromFloats(vector.floats, vector.json),
        tokens: settings.countTokens ? vector.tokens : 0,
      };
    }),
    keep: async (fetched) => {
      if (wishes.write) await write(cache, { fetched, keys, ttlMs: settings.ttlMs });
    },
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
function isUsable(vector: CachedVector | undefined, width: number): vector is CachedVector {
  return vector !== undefined && vector.floats.length === width;
}

async function write(
  cache: VectorCache,
  { fetched, keys, ttlMs }: { fetched: ReadonlyMap<number, Fetched>; keys: readonly string[]; ttlMs: number },
): Promise<void> {
  const pacer = new Pacer();
  let entries: CacheEntry[] = [];
  for (const [index, { vector, tokens }] of fetched) {
    const key = keys[index];
    if (key !== undefined) entries.push({ key, floats: vector.toFloats(), tokens });
    if (!pacer.isDue) continue;
    cache.write(entries, ttlMs);
    entries = [];
    await pacer.rest();
  }
  cache.write(entries, ttlMs);
}
