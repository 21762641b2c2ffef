import { hash } from "node:crypto";
import type { EmbeddingModel } from "../../domain/model.js";
import type { Input } from "../../domain/requests.js";
import { Vector } from "../../domain/vector.js";
import { TimeSlice } from "../../runtime/time-slice.js";
import type { FetchedVector } from "../coalescing/pending-input.js";
import type { CachedVector, CacheEntry, VectorCache } from "./vector-cache.js";

/** What a caller says of the cache, in `Cache-Control`. */
export interface CacheDirectives {
  readonly read: boolean;
  readonly write: boolean;
}

/** The cache as one request sees it: its inputs, and nothing else. */
export interface InputCache {
  /** The vector of an input, or undefined where it must be fetched. */
  readonly found: readonly (Pick<FetchedVector, "vector" | "tokens"> | undefined)[];
  /** Keeps what was fetched for those that were not found, in their order. The answer does not wait for it. */
  readonly keep: (fetched: readonly FetchedVector[]) => Promise<void>;
}

export interface LookUp {
  readonly model: EmbeddingModel;
  readonly width: number | undefined;
  readonly wishes: CacheDirectives;
  readonly encoding: "float" | "base64";
}

/** Looks the inputs up. Undefined where the model has no cache. */
export function lookUp(
  inputs: readonly Input[],
  { model, width, wishes, encoding }: LookUp,
  cache: VectorCache,
): Promise<InputCache> | undefined {
  const settings = model.cache;
  if (settings === undefined || width === undefined) return undefined;
  const { ttlMs, countTokens } = settings;
  const [{ space }] = model.targets;
  return readCache(inputs, { space, width, wishes, encoding, ttlMs, countTokens }, cache);
}

interface ReadCache extends Omit<LookUp, "model" | "width"> {
  readonly space: string;
  readonly width: number;
  readonly ttlMs: number;
  readonly countTokens: boolean;
}

async function readCache(
  inputs: readonly Input[],
  { space, width, wishes, encoding, ttlMs, countTokens }: ReadCache,
  cache: VectorCache,
): Promise<InputCache> {
  const keys = await keysOf(inputs, { space, width });
  const cached = wishes.read ? await cache.read(keys, { ttlMs, encoding }) : [];
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
    keep: async (fetched) => {
      if (!wishes.write || fetched.length === 0) return;
      await write(cache, { fetched, keys: keys.filter((_key, index) => found[index] === undefined), ttlMs });
    },
  };
}

async function keysOf(inputs: readonly Input[], place: { space: string; width: number }): Promise<string[]> {
  const pacer = new TimeSlice();
  const keys: string[] = [];
  for (const input of inputs) {
    keys.push(cacheKey(input, place));
    if (pacer.isOver) await pacer.yield();
  }
  return keys;
}

/** A cache that holds a vector of another width holds garbage. */
function isUsable(vector: CachedVector | undefined, width: number): vector is CachedVector {
  return vector !== undefined && vector.floats.length === width;
}

async function write(
  cache: VectorCache,
  { fetched, keys, ttlMs }: { fetched: readonly FetchedVector[]; keys: readonly string[]; ttlMs: number },
): Promise<void> {
  const pacer = new TimeSlice();
  let entries: CacheEntry[] = [];
  for (const [index, { vector, tokens }] of fetched.entries()) {
    const key = keys[index];
    if (key !== undefined) entries.push({ key, floats: vector.toFloats(), tokens });
    if (!pacer.isOver) continue;
    cache.write(entries, ttlMs);
    entries = [];
    await pacer.yield();
  }
  cache.write(entries, ttlMs);
}

/** The name of an input's vector: what it was made from, in which space, how wide. Text and tokens never meet. */
export function cacheKey(input: Input, { space, width }: { space: string; width: number }): string {
  const [kind, content] = typeof input === "string" ? ["text", input] : ["tokens", input.join(",")];
  return hash("sha256", JSON.stringify([space, width, kind, content]), "base64url");
}
