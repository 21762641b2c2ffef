import { hash } from "node:crypto";
import type { EmbeddingModel } from "../../domain/model.js";
import type { Input } from "../../domain/requests.js";
import { Vector } from "../../domain/vector.js";
import { TimeSlice } from "../../runtime/time-slice.js";
import type { FetchedVector } from "../coalescing/pending-input.js";
import type { KeyedInput } from "../inputs.js";
import type { CachedVector, CacheEntry, VectorCache } from "./vector-cache.js";

/** The caller's `Cache-Control` header. */
export interface CacheDirectives {
  readonly read: boolean;
  readonly write: boolean;
}

/** The cached vectors of one request. */
export interface InputCache {
  /** One entry for each input; undefined where it must be fetched. */
  readonly found: readonly (Pick<FetchedVector, "vector" | "tokens"> | undefined)[];
  /** Stores the vectors of the inputs that were not found, in their order. The response does not wait for it. */
  readonly write: (fetched: readonly FetchedVector[]) => Promise<void>;
}

export interface CacheLookup {
  readonly model: EmbeddingModel;
  readonly width: number | undefined;
  readonly directives: CacheDirectives;
  readonly encoding: "float" | "base64";
}

/** Looks the inputs up. Undefined where the model has no cache. */
export async function readInputCache(
  inputs: readonly KeyedInput[],
  { model, width, directives, encoding }: CacheLookup,
  cache: VectorCache,
): Promise<InputCache | undefined> {
  if (model.cache === undefined || width === undefined) return undefined;
  const { ttlMs, countTokens } = model.cache;
  const keys = await keysOf(inputs, { space: model.space, width });
  const cached = directives.read ? await cache.read(keys, { ttlMs, encoding }) : [];
  const found = inputs.map((_input, index) => {
    const vector = cached[index];
    if (!isUsable(vector, width)) return undefined;
    return {
      vector: Vector.fromFloats(vector.floats, vector.json),
      tokens: countTokens ? vector.tokens : 0,
    };
  });
  return {
    found,
    write: async (fetched) => {
      if (!directives.write || fetched.length === 0) return;
      await write(cache, { fetched, keys: keys.filter((_key, index) => found[index] === undefined), ttlMs });
    },
  };
}

async function keysOf(
  inputs: readonly KeyedInput[],
  scope: { space: string; width: number },
): Promise<string[]> {
  const slice = new TimeSlice();
  const keys: string[] = [];
  for (const { input } of inputs) {
    keys.push(cacheKey(input, scope));
    if (slice.isOver) await slice.yield();
  }
  return keys;
}

/** A vector of another width cannot be used. */
function isUsable(vector: CachedVector | undefined, width: number): vector is CachedVector {
  return vector !== undefined && vector.floats.length === width;
}

async function write(
  cache: VectorCache,
  { fetched, keys, ttlMs }: { fetched: readonly FetchedVector[]; keys: readonly string[]; ttlMs: number },
): Promise<void> {
  const slice = new TimeSlice();
  let entries: CacheEntry[] = [];
  for (const [index, { vector, tokens }] of fetched.entries()) {
    const key = keys[index];
    if (key !== undefined) entries.push({ key, floats: vector.toFloats(), tokens });
    if (!slice.isOver) continue;
    cache.write(entries, ttlMs);
    entries = [];
    await slice.yield();
  }
  cache.write(entries, ttlMs);
}

/** Names a vector by its input, vector space and width. Text and tokens never share a key. */
export function cacheKey(input: Input, { space, width }: { space: string; width: number }): string {
  const [kind, content] = typeof input === "string" ? ["text", input] : ["tokens", input.join(",")];
  return hash("sha256", JSON.stringify([space, width, kind, content]), "base64url");
}
