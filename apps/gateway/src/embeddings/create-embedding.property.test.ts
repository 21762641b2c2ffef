import { setImmediate } from "node:timers/promises";
import { GatewayError } from "@model-gateway/domain/errors";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import { BatchTooLargeError, type Input, isContent } from "@model-gateway/domain/requests";
import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { unlimitedMemory } from "@model-gateway/domain/test/unlimited-memory";
import { noTrace } from "@model-gateway/domain/trace";
import { Vector } from "@model-gateway/domain/vector";
import { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { ReplyBuffers } from "@model-gateway/runtime/reply-buffers";
import { lengthByTier } from "@model-gateway/test-suite/tier";
import { Vocabularies } from "@model-gateway/tokens/tokens";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryVectorCache } from "../storage/vectors/memory-vector-cache.js";
import type { UsageMeter } from "../usage/usage-meter.js";
import { LearnedLimits } from "./coalescing/batches.js";
import { Coalescers } from "./coalescing/coalescers.js";
import type { BatchSender } from "./coalescing/send-batch.js";
import { EmbeddingService } from "./create-embedding.js";
import { noImages } from "./test/no-images.js";

const [target] = embeddingModel().targets;

const seed = 20261115;
const { signal } = new AbortController();

/** The call of any caller, without usage. */
const callOf = (model: EmbeddingModel, cache = { read: true, write: true }) => ({
  model,
  cache,
  context: { caller: "c", trace: noTrace, signal },
  key: { id: "c" },
  memory: unlimitedMemory,
  meter: {
    open: async () => undefined,
    add: () => undefined,
    addCached: () => undefined,
  } as unknown as UsageMeter,
});

function createService(send: BatchSender["send"]): EmbeddingService {
  const vocabularies = new Vocabularies();
  const coalescers = new Coalescers({ sender: { send }, limits: new LearnedLimits(), vocabularies });
  return new EmbeddingService({
    ...noImages,
    coalescers,
    vocabularies,
    cache: createMemoryVectorCache(1_000_000),
  });
}

/** A vector that depends on its input. */
function vectorOf(input: Input): Float32Array {
  const text = typeof input === "string" ? input : isContent(input) ? input.digest : `#${input.join()}`;
  const values = [0, 0, 0, 0];
  for (const [index, letter] of [...text].entries()) {
    values[index % 4] = ((values[index % 4] ?? 0) * 31 + (letter.codePointAt(0) ?? 0)) % 65_537;
  }
  return Float32Array.from(values);
}

interface Upstream {
  readonly cap?: number;
  readonly buffers?: ReplyBuffers;
  /** Number of event-loop turns until it replies. */
  readonly turns?: number;
}

function createFixture({ cap = 2048, buffers, turns = 1 }: Upstream = {}) {
  const sent: Input[][] = [];
  const service = createService(async ({ inputs }, { model }) => {
    sent.push([...inputs]);
    // No upstream replies in the same turn: requests of this turn join the call.
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    if (inputs.length > cap) {
      throw new BatchTooLargeError("too large", { maxInputs: cap }, { target: model.targets[0] });
    }
    return {
      vectors: inputs.map((input) => {
        const json = Buffer.from(JSON.stringify([...vectorOf(input)]));
        return buffers === undefined
          ? Vector.fromFloats(vectorOf(input))
          : Vector.fromJson([json], 4, buffers);
      }),
      promptTokens: tokensOf(inputs),
      tokensEstimated: false,
      target,
      attempts: 1,
    };
  });
  const embed: EmbeddingService["create"] = (request, call) => service.create(request, call);
  return { embed, sent };
}

const tokensOf = (inputs: readonly Input[]) =>
  inputs.reduce((sum, input) => sum + (isContent(input) ? 1 : input.length), 0);
const cached = embeddingModel({ cache: { ttlMs: 60_000, countTokens: true } });
const texts = (length: number) =>
  fc.array(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: length });
const floats = (vectors: readonly Vector[]) => vectors.map((vector) => vector.toFloats());

test("any mix of hits, misses and repeats gives the right vectors in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      texts(12),
      texts(12),
      fc.integer({ min: 1, max: 5 }),
      async (before, input, maxInputs) => {
        const { embed, sent } = createFixture();
        const model: EmbeddingModel = { ...cached, targets: [{ ...cached.targets[0], maxInputs }] };
        await (await embed({ input: before }, callOf(model))).cached;
        const sentBefore = sent.length;

        const result = await embed({ input }, callOf(model));

        expect(floats(result.vectors)).toEqual(input.map(vectorOf));
        const missing = [...new Set(input)].filter((text) => !before.includes(text));
        expect(sent.slice(sentBefore).flat().sort()).toEqual(missing.sort());
        expect(sent.every((batch) => batch.length <= maxInputs)).toBe(true);
        expect(result.cache).toBe(
          missing.length === 0 ? "hit" : missing.length < new Set(input).size ? "partial" : "miss",
        );
      },
    ),
    { numRuns: lengthByTier({ short: 400, full: 5000 }), seed },
  );
});

test("concurrent requests share inputs, and never get each other's vectors", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(texts(6), { minLength: 2, maxLength: 6 }),
      fc.boolean(),
      async (requests, coalesces) => {
        // On a busy machine the slice of time ends early, and six requests wait in line, seven turns each.
        const { embed, sent } = createFixture({ turns: 60 });
        const model = embeddingModel(coalesces ? { coalesce: { windowMs: 0, maxInputs: 4 } } : {});

        const results = await Promise.all(requests.map((input) => embed({ input }, callOf(model))));

        for (const [index, input] of requests.entries())
          expect(floats(results[index]?.vectors ?? [])).toEqual(input.map(vectorOf));
        expect(sent.flat().sort()).toEqual([...new Set(requests.flat())].sort());
      },
    ),
    { numRuns: lengthByTier({ short: 200, full: 3000 }), seed },
  );
});

test("with any undeclared batch limit of an upstream, every vector is returned", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      async (input, cap) => {
        const { embed, sent } = createFixture({ cap });
        const model = embeddingModel();

        const result = await embed({ input }, callOf(model));

        expect(floats(result.vectors)).toEqual(input.map(vectorOf));
        expect(result.promptTokens).toBe(tokensOf(input));
        expect(sent.filter((batch) => batch.length > cap).length).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: lengthByTier({ short: 200, full: 2000 }), seed },
  );
});

test.each([
  ["a string", "abc", ["abc"]],
  ["strings", ["a", "b"], ["a", "b"]],
  ["token ids, which are one input", [1, 2], [[1, 2]]],
  ["arrays of token ids", [[1], [2, 3]], [[1], [2, 3]]],
])("%s are passed unchanged to a model of that vocabulary", async (_name, input, expected) => {
  const { embed, sent } = createFixture();

  await embed({ input }, callOf(embeddingModel({ tokenizer: "cl100k_base" })));

  expect(sent).toEqual([expected]);
});

test("token ids of a declared vocabulary become text for a model with another one", async () => {
  const { embed, sent } = createFixture();

  await embed({ input: [[791, 8415], [7731]] }, callOf(embeddingModel({ clientTokenizer: "cl100k_base" })));

  expect(sent).toEqual([["The cat", " sat"]]);
});

test("token ids of an undeclared vocabulary are refused", async () => {
  const { embed } = createFixture();

  await expect(embed({ input: [1] }, callOf(embeddingModel()))).rejects.toThrow(
    "Invalid 'input': the model 'model' does not take token ids; send text instead.",
  );
});

test("no-cache fetches again and stores the vector; no-store stores nothing", async () => {
  const { embed, sent } = createFixture();
  const request = (cache: { read: boolean; write: boolean }) => embed({ input: "a" }, callOf(cached, cache));

  await request({ read: false, write: false });
  expect((await request({ read: true, write: true })).cache).toBe("miss");
  expect((await request({ read: true, write: true })).cache).toBe("hit");
  expect((await request({ read: false, write: true })).cache).toBe("miss");

  expect(sent).toHaveLength(3);
});

test("cached tokens count for the caller, or not, as the model is configured", async () => {
  const { embed } = createFixture();
  const free = embeddingModel({ cache: { ttlMs: 60_000, countTokens: false } });
  const tokens = async (model: EmbeddingModel) => {
    const { promptTokens, cached } = await embed({ input: "abc" }, callOf(model));
    await cached;
    return promptTokens;
  };

  expect([await tokens(cached), await tokens(cached), await tokens(free)]).toEqual([3, 3, 0]);
});

test("pooled buffers are released when every response was sent and the cache has its copies", async () => {
  const pool = new BufferPool();
  const buffers = new ReplyBuffers(pool);
  const text = buffers.add(Buffer.alloc(300_000));
  const { embed } = createFixture({ buffers });
  const call = callOf(cached);
  const [one, other] = await Promise.all([
    embed({ input: ["a", "b", "a"] }, call),
    embed({ input: "b" }, call),
  ]);

  one.release?.();
  await one.cached;
  await setImmediate();
  const whileShared = text.length;
  other.release?.();
  const whileCached = text.length;
  await other.cached;
  await setImmediate();

  expect([whileShared, whileCached, text.length]).toEqual([300_000, 300_000, 0]);
});

test("vectors from the cache have nothing to release", async () => {
  const { embed } = createFixture({ buffers: new ReplyBuffers(new BufferPool()) });
  const call = callOf(cached);
  await embed({ input: "a" }, call);

  expect((await embed({ input: "a" }, call)).release).toBeUndefined();
});

test("a failure reaches every request that shares the call", async () => {
  const service = createService(async () => {
    throw new GatewayError("upstream_error", "down");
  });
  const request = () => service.create({ input: "a" }, callOf(embeddingModel()));

  const settled = await Promise.allSettled([request(), request()]);

  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("an error about one input names its index in the request, whatever batch it was in", async () => {
  const service = createService(async ({ inputs }) => {
    const index = inputs.indexOf("long");
    if (index !== -1)
      throw new GatewayError("context_length_exceeded", (param) => `Invalid '${param}': too long.`, {
        param: "input",
        inputIndex: index,
      });
    return {
      vectors: inputs.map((input) => Vector.fromFloats(vectorOf(input))),
      promptTokens: 1,
      tokensEstimated: false,
      target,
      attempts: 1,
    };
  });
  const model = embeddingModel({ cache: { ttlMs: 1000, countTokens: true } }, { maxInputs: 2 });
  await (await service.create({ input: "a" }, callOf(model))).cached;

  const failing = service.create({ input: ["a", "a", "b", "c", "long"] }, callOf(model));

  await expect(failing).rejects.toMatchObject({
    param: "input[4]",
    message: "Invalid 'input[4]': too long.",
  });
});
