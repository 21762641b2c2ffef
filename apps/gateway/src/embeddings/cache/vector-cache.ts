/** A cached vector, with its token count. */
export interface CachedVector {
  readonly floats: Float32Array;
  readonly tokens: number;
  /** The same numbers as a JSON array, where they were encoded before. */
  readonly json?: Buffer | undefined;
}

/** The use of the vectors in a read. */
export interface CacheUse {
  /** Time that a near cache may keep a vector of a far cache. */
  readonly ttlMs: number;
  /** The encoding of the response, which a cache may keep beside the vector. */
  readonly encoding: "float" | "base64";
}

export interface CacheEntry extends CachedVector {
  readonly key: string;
}

/** A store of vectors. It may lose any of them at any time, and it never fails: a read that fails is a miss. */
export interface VectorCache {
  /** One entry for each key, in the order of the keys. */
  read(keys: readonly string[], use: CacheUse): Promise<readonly (CachedVector | undefined)[]>;
  /** Returns at once: the response does not wait for it. */
  write(entries: readonly CacheEntry[], ttlMs: number): void;
}

/** Reads the near cache first, then the far one for misses, and copies the far hits to the near one. */
export function createTwoLevelCache(near: VectorCache, far: VectorCache, nearTtlMsMax: number): VectorCache {
  return {
    async read(keys, use) {
      const found = [...(await near.read(keys, use))];
      const missing = keys.flatMap((key, index) => (found[index] === undefined ? [{ key, index }] : []));
      if (missing.length === 0) return found;
      const fetched = await far.read(
        missing.map(({ key }) => key),
        use,
      );
      const promoted: CacheEntry[] = [];
      for (const [position, { key, index }] of missing.entries()) {
        const vector = fetched[position];
        if (vector === undefined) continue;
        found[index] = vector;
        promoted.push({ key, ...vector });
      }
      near.write(promoted, Math.min(use.ttlMs, nearTtlMsMax));
      return found;
    },
    write(entries, ttlMs) {
      near.write(entries, ttlMs);
      far.write(entries, ttlMs);
    },
  };
}
