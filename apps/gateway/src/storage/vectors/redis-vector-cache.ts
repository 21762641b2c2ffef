import { floatsOfBytes, littleEndianBytes, Vector } from "@model-gateway/domain/vector";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import { withTimeout } from "@model-gateway/runtime/with-timeout";
import type { Redis } from "ioredis";
import type { CachedVector, CacheEntry, VectorCache } from "../../embeddings/cache/vector-cache.js";

const prefix = "mg:vector:1:";
const headerBytes = 8;
const magic = 0x4d475631;
const readTimeoutMsPerKey = 0.25;
const entriesPerTurn = 64;

interface RedisCacheOptions {
  /** Time that a request waits for the cache before it calls the upstream instead. */
  readonly readTimeoutMs: number;
  /** Time that Redis is not called after a failure, so that a hanging Redis does not slow down every request. */
  readonly pauseMs: number;
  readonly now: () => number;
  readonly onFailure: (failure: unknown) => void;
}

/** Caches vectors in Redis for all replicas. A slow or unreachable Redis, or garbage in it, counts as a miss. */
export function createRedisVectorCache(redis: Redis, options: RedisCacheOptions): VectorCache {
  const { readTimeoutMs, pauseMs, now, onFailure } = options;
  let pausedUntil = 0;
  return {
    async read(keys) {
      if (redis.status !== "ready" || keys.length === 0 || now() < pausedUntil)
        return keys.map(() => undefined);
      try {
        // Thousands of vectors are megabytes, which take longer on any network.
        const limitMs = readTimeoutMs + keys.length * readTimeoutMsPerKey;
        return await decodeAll(await within(redis.mgetBuffer(...keys.map((key) => prefix + key)), limitMs));
      } catch (failure) {
        pausedUntil = now() + pauseMs;
        onFailure(failure);
        return keys.map(() => undefined);
      }
    },
    write(entries, ttlMs) {
      if (redis.status !== "ready" || now() < pausedUntil) return;
      writeInPieces(redis, entries, ttlMs).catch(onFailure);
    },
  };
}

/** Writing thousands of vectors at once would block all other requests. */
async function writeInPieces(redis: Redis, entries: readonly CacheEntry[], ttlMs: number): Promise<void> {
  for (let start = 0; start < entries.length; start += entriesPerTurn) {
    const pipeline = redis.pipeline();
    for (const { key, ...vector } of entries.slice(start, start + entriesPerTurn)) {
      pipeline.set(prefix + key, encode(vector), "PX", ttlMs);
    }
    await pipeline.exec();
  }
}

function encode({ floats, tokens }: CachedVector): Buffer {
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt32LE(magic, 0);
  header.writeUInt32LE(tokens, 4);
  return Buffer.concat([header, littleEndianBytes(floats)]);
}

function decode(bytes: Buffer | null | undefined): CachedVector | undefined {
  if (!bytes || bytes.length <= headerBytes || bytes.length % 4 !== 0 || bytes.readUInt32LE(0) !== magic)
    return undefined;
  const floats = floatsOfBytes(bytes.subarray(headerBytes));
  return Vector.fromFloats(floats).isFinite ? { floats, tokens: bytes.readUInt32LE(4) } : undefined;
}

async function decodeAll(values: readonly (Buffer | null)[]): Promise<(CachedVector | undefined)[]> {
  const slice = new TimeSlice();
  const decoded: (CachedVector | undefined)[] = [];
  for (const value of values) {
    decoded.push(decode(value));
    if (slice.isOver) await slice.yield();
  }
  return decoded;
}

function within<T>(promise: Promise<T>, limitMs: number): Promise<T> {
  return withTimeout(promise, limitMs, () => {
    throw new Error(`Redis did not reply within ${limitMs} ms.`);
  });
}
