import { hash, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import type { AcceptedExtras, EmbeddingRequest, Input } from "@model-gateway/domain/requests";
import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { unlimitedMemory } from "@model-gateway/domain/test/unlimited-memory";
import { noTrace } from "@model-gateway/domain/trace";
import { Vector } from "@model-gateway/domain/vector";
import { lengthByTier } from "@model-gateway/test-suite/tier";
import { Vocabularies } from "@model-gateway/tokens/tokens";
import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, expect, test } from "vitest";
import { type PartitionBy, partitionOf } from "../../../src/embeddings/cache/partition.js";
import { createTwoLevelCache, type VectorCache } from "../../../src/embeddings/cache/vector-cache.js";
import { LearnedLimits } from "../../../src/embeddings/coalescing/batches.js";
import { Coalescers } from "../../../src/embeddings/coalescing/coalescers.js";
import type { BatchSender } from "../../../src/embeddings/coalescing/send-batch.js";
import { EmbeddingService } from "../../../src/embeddings/create-embedding.js";
import { noImages } from "../../../src/embeddings/test/no-images.js";
import { openDiskVectorCache } from "../../../src/storage/vectors/disk-vector-cache.js";
import { createMemoryVectorCache } from "../../../src/storage/vectors/memory-vector-cache.js";
import { createRedisVectorCache } from "../../../src/storage/vectors/redis-vector-cache.js";
import type { UsageMeter } from "../../../src/usage/usage-meter.js";
import { describeWithRedis } from "../../servers/redis-server.js";

const cases = lengthByTier({ short: 400, full: 10_000 });
const width = 4;
const { signal } = new AbortController();
const throwFailure = (failure: unknown) => {
  throw failure;
};

const folder = mkdtempSync(join(tmpdir(), "levels-"));
const disk = await openDiskVectorCache({
  folder,
  bytesMax: 64 * 1024 * 1024,
  removesOldFiles: true,
  checkRoom: () => undefined,
  now: Date.now,
  onFailure: throwFailure,
});
afterAll(async () => {
  await disk.close();
  rmSync(folder, { recursive: true });
});

const request = fc.record({
  // Few of them, so that most are repeated, in one request and over all.
  inputs: fc.array(
    fc.constantFrom<Input>("a", "b", "a ", "\ud800", "\udbff", "1,2", '"],["a', [1, 2], [12]),
    {
      minLength: 1,
      maxLength: 6,
    },
  ),
  dimensions: fc.constantFrom(undefined, 2, width),
  inputType: fc.constantFrom(undefined, "query", "document"),
  extrasKey: fc.constantFrom(undefined, "{}"),
  encoding: fc.constantFrom("float" as const, "base64" as const),
  key: fc.constantFrom({ id: "1" }, { id: "2" }, { id: "3", owner: "1" }, { id: "4", owner: "1" }),
});
const situation = fc.record({
  space: fc.constantFrom("s", "t"),
  revision: fc.constantFrom(undefined, "1", "2"),
  unitVectors: fc.boolean(),
  partitionBy: fc.constantFrom<PartitionBy | undefined>(undefined, "owner", "key"),
  /** Levels lost since the previous situation. */
  lost: fc.constantFrom("nothing", "memory", "memory and Redis"),
  /** At the same time. */
  requests: fc.array(request, { minLength: 1, maxLength: 3 }),
});
type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;
type OneRequest = Situation["requests"][number];

/** Numbers that encode all their dependencies. */
function vectorOf(input: Input, dependsOn: readonly unknown[]): Float32Array {
  const parts = dependsOn.map((part) => part ?? null);
  const length = Number(parts[0]);
  const digest = hash("sha256", JSON.stringify([input, parts]), "buffer");
  return Float32Array.from({ length }, (_, index) => digest.readUInt32LE(index * 4));
}

function modelOf({ space, revision, unitVectors }: Situation): EmbeddingModel {
  return embeddingModel({
    space,
    unitVectors,
    dimensions: width,
    matryoshka: true,
    inputTypes: "any",
    // Token ids are passed on.
    tokenizer: "cl100k_base",
    cache: { ttlMs: 60_000_000, countTokens: true },
    ...(revision === undefined ? {} : { revision }),
  });
}

/** The upstream's vectors also depend on the partition, so that a leak from another one would be seen. */
const send: BatchSender["send"] = async ({ inputs, context }, { model, options }) => {
  await setImmediate();
  const { dimensions = width, inputType, extras } = options;
  const { space, revision, unitVectors } = model;
  const scope = [dimensions, space, revision, unitVectors, inputType, extras?.key, context.caller];
  return {
    vectors: inputs.map((input) => Vector.fromFloats(vectorOf(input, scope))),
    promptTokens: inputs.length,
    tokensEstimated: false,
    target: model.targets[0],
    attempts: 1,
  };
};

/** Sends the requests of one situation. Returns how many of them the cache served, at least in part. */
async function sendAll(one: Situation, cache: VectorCache): Promise<number> {
  const model = modelOf(one);
  const vocabularies = new Vocabularies();
  const service = new EmbeddingService({
    ...noImages,
    coalescers: new Coalescers({ sender: { send }, limits: new LearnedLimits(), vocabularies }),
    cache,
    partitionBy: one.partitionBy,
    vocabularies,
  });
  const results = await Promise.all(
    one.requests.map(async (asked) => {
      const caller = partitionOf(asked.key, one.partitionBy) ?? "all";
      const result = await service.create(toRequest(asked), {
        model,
        key: asked.key,
        cache: { read: true, write: true },
        context: { caller, trace: noTrace, signal },
        memory: unlimitedMemory,
        meter: {
          open: async () => undefined,
          add: () => undefined,
          addCached: () => undefined,
        } as unknown as UsageMeter,
      });
      const { space, revision, unitVectors } = one;
      const { dimensions = width, inputType, extrasKey } = asked;
      const scope = [dimensions, space, revision, unitVectors, inputType, extrasKey, caller];
      expect(result.vectors.map((vector) => vector.toFloats())).toEqual(
        asked.inputs.map((input) => vectorOf(input, scope)),
      );
      await result.cached;
      return result.cache;
    }),
  );
  return results.filter((result) => result !== "miss").length;
}

function toRequest({ inputs, dimensions, inputType, extrasKey, encoding }: OneRequest): EmbeddingRequest {
  return {
    input: inputs as EmbeddingRequest["input"],
    dimensions,
    encoding_format: encoding,
    input_type: inputType,
    extras:
      extrasKey === undefined ? undefined : ({ key: extrasKey, values: {} } as unknown as AcceptedExtras),
  };
}

async function checkAll(openShared: () => VectorCache): Promise<void> {
  let memory = createMemoryVectorCache(100_000);
  let shared = openShared();
  let hits = 0;
  await fc.assert(
    fc.asyncProperty(situation, async (one) => {
      if (one.lost !== "nothing") memory = createMemoryVectorCache(100_000);
      if (one.lost === "memory and Redis") shared = openShared();
      const below = createTwoLevelCache(shared, disk, 60_000);
      hits += await sendAll(one, createTwoLevelCache(memory, below, 60_000));
    }),
    { numRuns: cases, seed: 20261116 },
  );
  expect(hits).toBeGreaterThan(cases / 2);
}

const timeout = { timeout: 1_200_000 };

test("no mix of hits on memory and disk ever gives another key's vector", timeout, () =>
  checkAll(() => createMemoryVectorCache(100_000)),
);

describeWithRedis("three levels", ({ host, port }) => {
  test("no mix of hits on memory, Redis and disk ever gives another key's vector", timeout, async () => {
    const redis = new Redis({ host, port });
    await redis.ping();
    const cache = createRedisVectorCache(redis, {
      // A slow machine must not turn hits into misses.
      readTimeoutMs: 60_000,
      pauseMs: 0,
      now: Date.now,
      onFailure: throwFailure,
    });

    await checkAll(() => {
      // Under other names, Redis has lost everything.
      const prefix = randomUUID();
      return {
        read: (keys, use) =>
          cache.read(
            keys.map((key) => prefix + key),
            use,
          ),
        write: (entries, ttlMs) =>
          cache.write(
            entries.map((entry) => ({ ...entry, key: prefix + entry.key })),
            ttlMs,
          ),
      };
    });
    await redis.quit();
  });
});
