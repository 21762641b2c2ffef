import type { BulkCall } from "@model-gateway/domain/call-context";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import type { EmbeddingRequest, Input } from "@model-gateway/domain/requests";
import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { noTrace } from "@model-gateway/domain/trace";
import { Vector } from "@model-gateway/domain/vector";
import { Vocabularies } from "@model-gateway/tokens/tokens";
import { expect, test } from "vitest";
import { LearnedLimits } from "./batches.js";
import { Coalescers } from "./coalescers.js";
import type { BatchSender } from "./send-batch.js";

const { signal } = new AbortController();
const coalescing = embeddingModel({ coalesce: { windowMs: 0, maxInputs: 10 } });

/** Sends two requests at once. The result has what matters of each upstream call. */
async function callsOf(
  one: EmbeddingRequest,
  other: EmbeddingRequest,
  more: Partial<EmbeddingModel> = {},
  bulk: readonly (BulkCall | undefined)[] = [],
) {
  const model = { ...coalescing, ...more } as EmbeddingModel;
  const calls: { inputs: readonly Input[]; user: string | undefined; needsNumbers: boolean }[] = [];
  const send: BatchSender["send"] = async ({ inputs, needsNumbers }, { options }) => {
    calls.push({ inputs, user: options.user, needsNumbers });
    return {
      vectors: inputs.map(() => Vector.fromNumbers([1, 2, 3, 4])),
      promptTokens: inputs.length,
      tokensEstimated: false,
      target: model.targets[0],
      attempts: 1,
    };
  };
  const coalescers = new Coalescers({
    sender: { send },
    limits: new LearnedLimits(),
    vocabularies: new Vocabularies(),
  });
  await Promise.all(
    [one, other].map((request, index) => {
      const input = String(request.input);
      const context = { caller: "c", trace: noTrace, signal, bulk: bulk[index] };
      return coalescers.fetch([{ key: input, input }], request, { model, context });
    }),
  );
  return calls;
}

test("requests of one user share an upstream call", async () => {
  const calls = await callsOf({ input: "a", user: "x" }, { input: "b", user: "x" });

  expect(calls).toMatchObject([{ inputs: ["a", "b"], user: "x" }]);
});

test("requests for signs share calls with those for floats, and requests for integers do not", async () => {
  const floats = { input: "a", encoding_format: "base64" } as const;

  const signs = await callsOf(floats, { ...floats, output_dtype: "ubinary" });
  const integers = await callsOf(floats, { input: "a", output_dtype: "int8" });
  const others = await callsOf({ input: "a", output_dtype: "uint8" }, { input: "a", output_dtype: "int8" });

  expect([signs.length, integers.length, others.length]).toEqual([1, 2, 2]);
});

const [target] = coalescing.targets;

test.each<[string, EmbeddingRequest, Partial<EmbeddingModel>, boolean]>([
  ["passes on JSON", { input: "b" }, {}, false],
  ["passes on JSON in a width that the target takes", { input: "b", dimensions: 2 }, {}, false],
  ["wants base64", { input: "b", encoding_format: "base64" }, {}, true],
  ["wants signs", { input: "b", output_dtype: "binary" }, {}, true],
  ["fills a cache", { input: "b" }, { cache: { ttlMs: 1000, countTokens: false } }, true],
  ["has its vectors normalised", { input: "b" }, { targets: [{ ...target, normalizes: true }] }, true],
  [
    "has its vectors shortened",
    { input: "b", dimensions: 2 },
    { targets: [{ ...target, dimensions: "emulate" }] },
    true,
  ],
])("a call of which one request %s", async (_name, request, model, needsNumbers) => {
  const { dimensions } = request;

  const calls = await callsOf({ input: "a", dimensions }, request, model);

  expect(calls).toMatchObject([{ inputs: ["a", "b"], needsNumbers }]);
});

test("a bulk request shares no upstream call with an interactive one, which would wait with it", async () => {
  const calls = await callsOf({ input: "a" }, { input: "a" }, {}, [undefined, { place: 0 }]);

  expect(calls.map(({ inputs }) => inputs)).toEqual([["a"], ["a"]]);
});

test("requests with two input types do not share an upstream call, and the default is one of them", async () => {
  const call = (input_type?: string) => ({ input: "a", input_type });

  expect(await callsOf(call("query"), call("document"))).toHaveLength(2);
  expect(await callsOf(call("document"), call(), { inputType: "document" })).toHaveLength(1);
});

test.each([
  ["two users", "x", "y"],
  ["a user and none", "x", undefined],
  ["an empty user and none", "", undefined],
])("requests that differ only in `user` do not share an upstream call: %s", async (_name, one, other) => {
  const calls = await callsOf({ input: "a", user: one }, { input: "a", user: other });

  expect(calls).toMatchObject([
    { inputs: ["a"], user: one },
    { inputs: ["a"], user: other },
  ]);
});
