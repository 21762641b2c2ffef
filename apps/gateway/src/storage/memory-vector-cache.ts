import { LRUCache } from "lru-cache";
import type { CachedVector, VectorCache } from "../embeddings/vector-cache.js";

/** What an entry costs beside its numbers, roughly: its key and the objects around it. */
const entryBytes = 256;

/** Keeps vectors in this process, the least used leave first, within a number of bytes. */
export function createMemoryVectorCache(bytesMax: number): VectorCache {
  const vectors = new LRUCache<string, CachedVector>({
    maxSize: bytesMax,
    sizeCalculation: ({ floats }) => floats.byteLength + entryBytes,
  });
  return {
    read: async (keys) => keys.map((key) => vectors.get(key)),
    write: (entries, ttlMs) => {
      for (const { key, floats, tokens } of entries) vectors.set(key, { floats, tokens }, { ttl: ttlMs });
    },
  };
}
