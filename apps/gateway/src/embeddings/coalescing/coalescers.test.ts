import { expect, test } from "vitest";
import type { EmbeddingRequest, Input } from "../../domain/requests.js";
import { noTrace } from "../../domain/trace.js";
import { Vector } from "../../domain/vector.js";
import { embeddingModel } from "../test/embedding-model.js";
import { Vocabularies } from "../tokens.js";
import { LearnedLimits } from "./batches.js";
import { Coalescers } from "./coalescers.js";
import type { BatchSender } from "./send-batch.js";

const { signal } = new AbortController();
const model = embeddingModel({ coalesce: { windowMs: 0, maxInputs: 10 } });

/** Sends two requests at once. The result has the inputs and the user of each upstream call. */
async function callsOf(one: EmbeddingRequest, other: EmbeddingRequest) {
  const calls: { inputs: readonly Input[]; user: string | undefined }[] = [];
  const send: BatchSender["send"] = async ({ inputs }, { options }) => {
    calls.push({ inputs, user: options.user });
    return {
      vectors: inputs.map(() => Vector.fromNumbers([1, 2, 3, 4])),
      promptTokens: inputs.length,
      target: model.targets[0],
      attempts: 1,
    };
  };
  const coalescers = new Coalescers({
    sender: { send },
    limits: new LearnedLimits(),
    vocabularies: new Vocabularies(),
  });
  const context = { caller: "c", trace: noTrace, signal };
  await Promise.all(
    [one, other].map((request) => {
      const input = String(request.input);
      return coalescers.fetch([{ key: input, input }], request, { model, context });
    }),
  );
  return calls;
}

test("requests of one user share an upstream call", async () => {
  const calls = await callsOf({ input: "a", user: "x" }, { input: "b", user: "x" });

  expect(calls).toEqual([{ inputs: ["a", "b"], user: "x" }]);
});

test.each([
  ["two users", "x", "y"],
  ["a user and none", "x", undefined],
  ["an empty user and none", "", undefined],
])("requests that differ only in `user` do not share an upstream call: %s", async (_name, one, other) => {
  const calls = await callsOf({ input: "a", user: one }, { input: "a", user: other });

  expect(calls).toEqual([
    { inputs: ["a"], user: one },
    { inputs: ["a"], user: other },
  ]);
});
