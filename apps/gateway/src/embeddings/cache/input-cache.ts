import { hash } from "node:crypto";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import type { CalibratedDtype } from "@model-gateway/domain/output-dtype";
import { type Input, isContent } from "@model-gateway/domain/requests";
import { Vector } from "@model-gateway/domain/vector";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import type { FetchedVector } from "../coalescing/pending-input.js";
import type { KeyedInput } from "../inputs.js";
import type { CachedVector, CacheEntry, VectorCache } from "./vector-cache.js";

/** The caller's `Cache-Control` header. */
export interface CacheDirectives {
  readonly read: boolean;
  readonly write: boolean;
}

/** The cached vectors of one request. */
interface InputCache {
  /** One entry for each input; undefined where it must be fetched. */
  readonly found: readonly (Pick<FetchedVector, "vector" | "tokens"> | undefined)[];
  /** The different inputs that were found, and their tokens, whether or not these count for the caller. */
  readonly hits: { readonly inputs: number; readonly tokens: number };
  /** Stores the vectors of the inputs that were not found, in their order. The response does not wait for it. */
  readonly write: (fetched: readonly FetchedVector[]) => Promise<void>;
}

interface CacheLookup {
  readonly model: EmbeddingModel;
  readonly width: number | undefined;
  readonly inputType: string | undefined;
  readonly directives: CacheDirectives;
  readonly encoding: "float" | "base64";
  /** Integers of the provider. Undefined for floats, from which signs are made. */
  readonly outputDtype?: CalibratedDtype | undefined;
  /** Identifies the parameters that are passed through. */
  readonly extrasKey?: string | undefined;
  /** See `partitionOf`. */
  readonly partition?: string | undefined;
}

/** Looks the inputs up. Undefined where the model has no cache. */
export async function readInputCache(
  inputs: readonly KeyedInput[],
  { model, width, inputType, directives, encoding, outputDtype, extrasKey, partition }: CacheLookup,
  cache: VectorCache,
): Promise<InputCache | undefined> {
  if (model.cache === undefined || width === undefined) return undefined;
  const { ttlMs, countTokens } = model.cache;
  const { space, revision, unitVectors } = model;
  const scope = { space, revision, unitVectors, width, outputDtype, inputType, extrasKey, partition };
  const keys = await keysOf(inputs, scope);
  const cached = directives.read ? await cache.read(keys, { ttlMs, encoding }) : [];
  const hits = { inputs: 0, tokens: 0 };
  const found = inputs.map((_input, index) => {
    const vector = cached[index];
    if (!isUsable(vector, width)) return undefined;
    hits.inputs += 1;
    hits.tokens += vector.tokens;
    return {
      vector: Vector.fromFloats(vector.floats, vector.json),
      tokens: countTokens ? vector.tokens : 0,
    };
  });
  return {
    found,
    hits,
    write: async (fetched) => {
      if (!directives.write || fetched.length === 0) return;
      await write(cache, { fetched, keys: keys.filter((_key, index) => found[index] === undefined), ttlMs });
    },
  };
}

/** Properties shared by the vectors of one cache entry. */
export interface CacheScope {
  readonly space: string;
  readonly revision?: string | undefined;
  readonly unitVectors: boolean;
  readonly width: number;
  readonly outputDtype?: CalibratedDtype | undefined;
  readonly inputType?: string | undefined;
  readonly extrasKey?: string | undefined;
  readonly partition?: string | undefined;
}

async function keysOf(inputs: readonly KeyedInput[], scope: CacheScope): Promise<string[]> {
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

/** Names a vector by its input and everything that its numbers depend on. Texts, tokens and contents never share a key. */
export function cacheKey(input: Input, scope: CacheScope): string {
  const { space, revision = null, unitVectors, width, inputType = null, extrasKey = null } = scope;
  const { outputDtype, partition } = scope;
  const [kind, content] = contentOf(input);
  // JSON keeps the parts apart. It also distinguishes texts with broken surrogates, which have the same UTF-8.
  const ofFloats = [space, revision, unitVectors, width, inputType, extrasKey, kind, content];
  // A part more at the end, or at the beginning: no such key equals one without it.
  const parts = outputDtype === undefined ? ofFloats : [...ofFloats, outputDtype];
  const all = partition === undefined ? parts : [partition, ...parts];
  return hash("sha256", JSON.stringify(all), "base64url");
}

function contentOf(input: Input): readonly [kind: string, content: string] {
  if (typeof input === "string") return ["text", input];
  return isContent(input) ? ["content", input.digest] : ["tokens", input.join(",")];
}
