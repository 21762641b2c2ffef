import { LRUCache } from "lru-cache";
import { jsonOfFloats } from "../../domain/vector.js";
import type { CachedVector, VectorCache } from "../../embeddings/cache/vector-cache.js";

/** What an entry costs beside its numbers, roughly: its key and the objects around it. */
const entryBytes = 256;
/** What is read in larger batches is written as JSON bit by bit, while it is answered. */
const renderedAtOnceMax = 16;

/**
 * Keeps vectors in this process, the least used leave first, within a number of bytes. A vector that is asked for as
 * JSON a second time is kept as JSON too: writing numbers costs more than everything else that is done for a hit.
 */
export function createMemoryVectorCache(bytesMax: number): VectorCache {
  const vectors = new LRUCache<string, CachedVector>({
    maxSize: bytesMax,
    sizeCalculation: ({ floats, json }) => floats.byteLength + (json?.byteLength ?? 0) + entryBytes,
  });
  const render = (key: string): CachedVector | undefined => {
    const found = vectors.get(key);
    if (found === undefined || found.json !== undefined) return found;
    const { floats, tokens } = found;
    const rendered = {
      floats,
      tokens,
      json: Buffer.from(jsonOfFloats(floats), "latin1"),
    };
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
