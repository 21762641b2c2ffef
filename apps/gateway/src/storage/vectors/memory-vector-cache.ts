import { jsonOfFloats } from "@model-gateway/domain/vector";
import { LRUCache } from "lru-cache";
import type { CachedVector, VectorCache } from "../../embeddings/cache/vector-cache.js";

/**
 * An entry's memory beside its numbers: 410 bytes of V8 heap for its key, its objects and its place in the list, and
 * about 230 for the buffer. Measured with 230,000 vectors of 8 numbers, for which it is most of the memory.
 */
const entryBytes = 640;
/** The same for the buffer of a rendered vector. */
const jsonBufferBytes = 320;
/** Larger batches are rendered piece by piece while the response is written. */
const renderedAtOnceMax = 16;

/**
 * Caches vectors in this process up to a number of bytes, with LRU eviction. A vector that is read as JSON is kept as
 * JSON: rendering numbers costs more than the rest of a cache hit.
 */
export function createMemoryVectorCache(bytesMax: number): VectorCache {
  const vectors = new LRUCache<string, CachedVector>({
    maxSize: bytesMax,
    sizeCalculation: ({ floats, json }) =>
      floats.byteLength + entryBytes + (json === undefined ? 0 : json.byteLength + jsonBufferBytes),
  });
  const render = (key: string): CachedVector | undefined => {
    const found = vectors.get(key);
    if (found === undefined || found.json !== undefined) return found;
    const { floats, tokens } = found;
    const rendered = { floats, tokens, json: jsonOfFloats(floats) };
    vectors.set(key, rendered, { noUpdateTTL: true });
    return rendered;
  };
  return {
    read: async (keys, { encoding }) =>
      encoding === "float" && keys.length <= renderedAtOnceMax
        ? keys.map(render)
        : keys.map((key) => vectors.get(key)),
    write: (entries, ttlMs) => {
      for (const { key, floats, tokens } of entries)
        vectors.set(key, { floats, tokens, json: undefined }, { ttl: ttlMs });
    },
  };
}
