import type { Redis } from "ioredis";
import { floatsOfBytes, littleEndianBytes, Vector } from "../../domain/vector.js";
import type { CachedVector, CacheEntry, VectorCache } from "../../embeddings/cache/vector-cache.js";
import { TimeSlice } from "../../runtime/time-slice.js";

const prefix = "mg:vector:1:";
const headerBytes = 8;
const magic = 0x4d475631;
const readTimeoutMsPerKey = 0.25;
const entriesPerTurn = 64;

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
        // A batch of thousands is megabytes, and takes its time on any network.
        const limitMs = readTimeoutMs + keys.length * readTimeoutMsPerKey;
        return await decodeAll(await within(redis.mgetBuffer(...keys.map((key) => prefix + key)), limitMs));
      } catch (failure) {
        restsUntil = now() + restMs;
        onFailure(failure);
        return keys.map(() => undefined);
      }
    },
    write(entries, ttlMs) {
      if (redis.status !== "ready" || now() < restsUntil) return;
      writeInTurns(redis, entries, ttlMs).catch(onFailure);
    },
  };
}

/** Thousands of vectors at once would hold up every other request while they are written into the socket. */
async function writeInTurns(redis: Redis, entries: readonly CacheEntry[], ttlMs: number): Promise<void> {
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
  const pacer = new TimeSlice();
  const decoded: (CachedVector | undefined)[] = [];
  for (const value of values) {
    decoded.push(decode(value));
    if (pacer.isOver) await pacer.yield();
  }
  return decoded;
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
