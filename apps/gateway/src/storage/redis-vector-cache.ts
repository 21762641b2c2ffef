import type { Redis } from "ioredis";
import type { CachedVector, VectorCache } from "../embeddings/vector-cache.js";

const prefix = "mg:vector:1:";
const headerBytes = 8;
const magic = 0x4d475631;

export interface RedisCacheOptions {
  /** How long a caller waits for the cache before it goes to the upstream instead. */
  readonly readTimeoutMs: number;
  /** How long nobody asks again after it failed: a Redis that hangs shall not slow down every request. */
  readonly restMs: number;
  readonly now: () => number;
  readonly onFailure: (failure: unknown) => void;
}

/** Keeps vectors in Redis for all replicas. A Redis that is slow, away or holds garbage only means a miss. */
export function createRedisVectorCache(redis: Redis, options: RedisCacheOptions): VectorCache {
  const { readTimeoutMs, restMs, now, onFailure } = options;
  let restsUntil = 0;
  return {
    async read(keys) {
      if (redis.status !== "ready" || keys.length === 0 || now() < restsUntil)
        return keys.map(() => undefined);
      try {
        const values = await within(redis.mgetBuffer(...keys.map((key) => prefix + key)), readTimeoutMs);
        return values.map(decode);
      } catch (failure) {
        restsUntil = now() + restMs;
        onFailure(failure);
        return keys.map(() => undefined);
      }
    },
    write(entries, ttlMs) {
      if (redis.status !== "ready" || entries.length === 0 || now() < restsUntil) return;
      const pipeline = redis.pipeline();
      for (const { key, ...vector } of entries) pipeline.set(prefix + key, encode(vector), "PX", ttlMs);
      pipeline.exec().catch(onFailure);
    },
  };
}

function encode({ floats, tokens }: CachedVector): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + floats.length * 4);
  bytes.writeUInt32LE(magic, 0);
  bytes.writeUInt32LE(tokens, 4);
  for (const [index, value] of floats.entries()) bytes.writeFloatLE(value, headerBytes + index * 4);
  return bytes;
}

function decode(bytes: Buffer | null | undefined): CachedVector | undefined {
  if (!bytes || bytes.length <= headerBytes || bytes.length % 4 !== 0 || bytes.readUInt32LE(0) !== magic)
    return undefined;
  const floats = new Float32Array(bytes.length / 4 - 2);
  for (let index = 0; index < floats.length; index += 1) {
    const value = bytes.readFloatLE(headerBytes + index * 4);
    if (!Number.isFinite(value)) return undefined;
    floats[index] = value;
  }
  return { floats, tokens: bytes.readUInt32LE(4) };
}

async function within<T>(promise: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${limitMs} ms.`)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
