import { expect, test } from "vitest";
import { noTrace } from "../../domain/trace.js";
import { Vector } from "../../domain/vector.js";
import { ReplyBuffers } from "../../runtime/response-buffers.js";
import type { Dispatch } from "../../scheduling/dispatch.js";
import { embeddingModel } from "../test/embedding-model.js";
import { createSendPart } from "./send-batch.js";

const model = embeddingModel({ dimensions: 4, matryoshka: true });
const memory = new ReplyBuffers();

/** A scheduler whose only target has given this answer. */
const dispatch = (async ({ accept }: { accept: (answer: unknown) => unknown }) => ({
  result: await accept({
    items: [{ index: 0, vector: Vector.fromNumbers([1, 2, 3, 4]) }],
    promptTokens: 1,
    memory,
  }),
  target: model.targets[0],
  attempts: 1,
})) as unknown as Dispatch;

test.each([
  ["are as they came are in the memory of the answer", undefined, memory],
  ["were shortened are in memory of their own", 2, undefined],
])("vectors that %s", async (_name, dimensions, expected) => {
  const part = { inputs: ["a"], caller: "c", trace: noTrace, tokens: 1 };

  const answer = await createSendPart(dispatch)(
    part,
    { model, options: { dimensions, encoding_format: "float", user: undefined } },
    new AbortController().signal,
  );

  expect(answer.vectors[0]?.width).toBe(dimensions ?? 4);
  expect(answer.buffers).toBe(expected);
});
