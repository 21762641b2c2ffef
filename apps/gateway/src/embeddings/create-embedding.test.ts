import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EmbeddingModel } from "../domain/model.js";
import { BatchTooLargeError, type Input } from "../domain/requests.js";
import { noTrace } from "../domain/trace.js";
import { Vector } from "../domain/vector.js";
import { GatewayError } from "../errors.js";
import { ReplyBuffers } from "../runtime/response-buffers.js";
import { createMemoryVectorCache } from "../storage/vectors/memory-vector-cache.js";
import { createLearnedLimits } from "./coalescing/batches.js";
import type { SendPart } from "./coalescing/coalescers.js";
import { createEmbedder, type Embed } from "./create-embedding.js";
import { embeddingModel } from "./test/embedding-model.js";
import { createVocabularies } from "./tokens.js";

const [target] = embeddingModel().targets;

const seed = 20261115;
const wishes = { read: true, write: true };
const { signal } = new AbortController();

/** A vector that tells which input it was made from. */
function vectorOf(input: Input): Float32Array {
  const text = typeof input === "string" ? input : `#${input.join()}`;
  const values = [0, 0, 0, 0];
  for (const [index, letter] of [...text].entries()) {
    values[index % 4] = ((values[index % 4] ?? 0) * 31 + (letter.codePointAt(0) ?? 0)) % 65_537;
  }
  return Float32Array.from(values);
}

function createFixture({ cap = 2048, buffers }: { cap?: number; buffers?: ReplyBuffers } = {}): {
  embed: Embed;
  sent: Input[][];
} {
  const sent: Input[][] = [];
  const sendPart: SendPart = async ({ inputs }, { model }) => {
    sent.push([...inputs]);
    if (inputs.length > cap) {
      throw Object.assign(new BatchTooLargeError("too large", { maxInputs: cap }), {
        target: model.targets[0],
      });
    }
    return {
      vectors: inputs.map((input) => Vector.fromFloats(vectorOf(input))),
      promptTokens: tokensOf(inputs),
      buffers,
      target,
      attempts: 1,
    };
  };
  const embed = createEmbedder({
    sendPart,
    cache: createMemoryVectorCache(1_000_000),
    limits: createLearnedLimits(),
    openVocabulary: createVocabularies(),
  });
  return { embed, sent };
}

const tokensOf = (inputs: readonly Input[]) => inputs.reduce((sum, input) => sum + input.length, 0);
const cached = embeddingModel({ cache: { ttlMs: 60_000, countTokens: true } });
const texts = (length: number) =>
  fc.array(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: length });
const floats = (vectors: readonly Vector[]) => vectors.map((vector) => vector.toFloats());

test("any mix of hits, misses and repeats comes back right and in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      texts(12),
      texts(12),
      fc.integer({ min: 1, max: 5 }),
      async (before, input, maxInputs) => {
        const { embed, sent } = createFixture();
        const model: EmbeddingModel = { ...cached, targets: [{ ...cached.targets[0], maxInputs }] };
        await embed({ input: before }, { model, cache: wishes, caller: "c", trace: noTrace, signal });
        const already = sent.length;

        const answer = await embed({ input }, { model, cache: wishes, caller: "c", trace: noTrace, signal });

        expect(floats(answer.vectors)).toEqual(input.map(vectorOf));
        const missing = [...new Set(input)].filter((text) => !before.includes(text));
        expect(sent.slice(already).flat().sort()).toEqual(missing.sort());
        expect(sent.every((part) => part.length <= maxInputs)).toBe(true);
        expect(answer.cache).toBe(
          missing.length === 0 ? "hit" : missing.length < new Set(input).size ? "partial" : "miss",
        );
      },
    ),
    { numRuns: 5000, seed },
  );
});

test("requests at the same time share their inputs and never each other's vectors", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(texts(6), { minLength: 2, maxLength: 6 }),
      fc.boolean(),
      async (requests, joined) => {
        const { embed, sent } = createFixture();
        const model = embeddingModel(joined ? { coalesce: { windowMs: 0, maxInputs: 4 } } : {});

        const answers = await Promise.all(
          requests.map((input) =>
            embed({ input }, { model, cache: wishes, caller: "c", trace: noTrace, signal }),
          ),
        );

        for (const [index, input] of requests.entries())
          expect(floats(answers[index]?.vectors ?? [])).toEqual(input.map(vectorOf));
        expect(sent.flat().sort()).toEqual([...new Set(requests.flat())].sort());
      },
    ),
    { numRuns: 3000, seed },
  );
});

test("whatever cap an upstream has and does not tell beforehand, every vector comes back", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      async (input, cap) => {
        const { embed, sent } = createFixture({ cap });
        const model = embeddingModel();

        const answer = await embed({ input }, { model, cache: wishes, caller: "c", trace: noTrace, signal });

        expect(floats(answer.vectors)).toEqual(input.map(vectorOf));
        expect(answer.promptTokens).toBe(tokensOf(input));
        expect(sent.filter((part) => part.length > cap).length).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 2000, seed },
  );
});

test.each([
  ["a string", "abc", ["abc"]],
  ["strings", ["a", "b"], ["a", "b"]],
  ["token ids, which are one input", [1, 2], [[1, 2]]],
  ["arrays of token ids", [[1], [2, 3]], [[1], [2, 3]]],
])("%s are taken as they are by a model of that vocabulary", async (_name, input, expected) => {
  const { embed, sent } = createFixture();

  await embed(
    { input },
    {
      model: embeddingModel({ tokenizer: "cl100k_base" }),
      cache: wishes,
      caller: "c",
      trace: noTrace,
      signal,
    },
  );

  expect(sent).toEqual([expected]);
});

test("token ids of a declared vocabulary become text for a model of another", async () => {
  const { embed, sent } = createFixture();

  await embed(
    { input: [[791, 8415], [7731]] },
    {
      model: embeddingModel({ clientTokenizer: "cl100k_base" }),
      cache: wishes,
      caller: "c",
      trace: noTrace,
      signal,
    },
  );

  expect(sent).toEqual([["The cat", " sat"]]);
});

test("token ids of an unknown vocabulary are refused with what to send instead", async () => {
  const { embed } = createFixture();

  await expect(
    embed({ input: [1] }, { model: embeddingModel(), cache: wishes, caller: "c", trace: noTrace, signal }),
  ).rejects.toThrow("Invalid 'input': the model 'model' does not take token ids; send text instead.");
});

test("no-cache asks anew and keeps the answer; no-store keeps nothing", async () => {
  const { embed, sent } = createFixture();
  const ask = (cache: { read: boolean; write: boolean }) =>
    embed({ input: "a" }, { model: cached, cache, caller: "c", trace: noTrace, signal });

  await ask({ read: false, write: false });
  expect((await ask(wishes)).cache).toBe("miss");
  expect((await ask(wishes)).cache).toBe("hit");
  expect((await ask({ read: false, write: true })).cache).toBe("miss");

  expect(sent).toHaveLength(3);
});

test("cached tokens are counted for the caller, or not, as the model says", async () => {
  const { embed } = createFixture();
  const free = embeddingModel({ cache: { ttlMs: 60_000, countTokens: false } });
  const tokens = async (model: EmbeddingModel) => {
    const { promptTokens, cached } = await embed(
      { input: "abc" },
      { model, cache: wishes, caller: "c", trace: noTrace, signal },
    );
    await cached;
    return promptTokens;
  };

  expect([await tokens(cached), await tokens(cached), await tokens(free)]).toEqual([3, 3, 0]);
});

test("memory is given back when the answer is sent and the cache has what it wants, and by all who shared it", async () => {
  const chunk = Buffer.from(new ArrayBuffer(65_536));
  const memory = new ReplyBuffers();
  memory.add(chunk);
  const { embed } = createFixture({ buffers: memory });
  const errand = { model: cached, cache: wishes, caller: "c", trace: noTrace, signal };
  const [one, other] = await Promise.all([
    embed({ input: ["a", "b", "a"] }, errand),
    embed({ input: "b" }, errand),
  ]);

  one.release?.();
  await one.cached;
  await setImmediate();
  const whileShared = chunk.length;
  other.release?.();
  const whileKept = chunk.length;
  await other.cached;
  await setImmediate();

  expect([whileShared, whileKept, chunk.length]).toEqual([65_536, 65_536, 0]);
});

test("there is nothing to give back of vectors that came from the cache", async () => {
  const { embed } = createFixture({ buffers: new ReplyBuffers() });
  const errand = { model: cached, cache: wishes, caller: "c", trace: noTrace, signal };
  await embed({ input: "a" }, errand);

  expect((await embed({ input: "a" }, errand)).release).toBeUndefined();
});

test("a failure reaches every request that shared the call", async () => {
  const embed = createEmbedder({
    sendPart: async () => {
      throw new GatewayError("upstream_error", "down");
    },
    cache: createMemoryVectorCache(1000),
    limits: createLearnedLimits(),
    openVocabulary: createVocabularies(),
  });
  const ask = () =>
    embed({ input: "a" }, { model: embeddingModel(), cache: wishes, caller: "c", trace: noTrace, signal });

  const settled = await Promise.allSettled([ask(), ask()]);

  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("an error about one input names its place in the request, whatever part it was in", async () => {
  const embed = createEmbedder({
    sendPart: async ({ inputs }) => {
      const index = inputs.indexOf("long");
      if (index !== -1)
        throw new GatewayError("context_length_exceeded", "Invalid 'input': too long.", {
          param: "input",
          inputIndex: index,
        });
      return {
        vectors: inputs.map((input) => Vector.fromFloats(vectorOf(input))),
        promptTokens: 1,
        target,
        attempts: 1,
      };
    },
    cache: createMemoryVectorCache(100_000),
    limits: createLearnedLimits(),
    openVocabulary: createVocabularies(),
  });
  const model = embeddingModel({ cache: { ttlMs: 1000, countTokens: true } }, { maxInputs: 2 });
  await (await embed({ input: "a" }, { model, cache: wishes, caller: "c", trace: noTrace, signal })).cached;

  const asked = embed(
    { input: ["a", "a", "b", "c", "long"] },
    { model, cache: wishes, caller: "c", trace: noTrace, signal },
  );

  await expect(asked).rejects.toMatchObject({ param: "input[4]", message: "Invalid 'input[4]': too long." });
});
