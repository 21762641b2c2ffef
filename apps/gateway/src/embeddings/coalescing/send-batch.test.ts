import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { noTrace } from "@model-gateway/domain/trace";
import { Vector } from "@model-gateway/domain/vector";
import { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { ReplyBuffers } from "@model-gateway/runtime/reply-buffers";
import type { Dispatcher } from "@model-gateway/scheduling/dispatch";
import { expect, test } from "vitest";
import { BatchSender } from "./send-batch.js";

const model = embeddingModel({ dimensions: 4, matryoshka: true });
const buffers = new ReplyBuffers(new BufferPool());
const vector = Vector.fromJson([buffers.add(Buffer.from(`[1,2,3,4]${" ".repeat(300_000)}`))], 4, buffers);

/** A dispatcher whose only target has sent a reply with this usage. */
const dispatcherOf = (promptTokens: number | undefined) =>
  ({
    dispatch: async ({ accept }: { accept: (reply: unknown, target: unknown) => unknown }) => ({
      result: await accept({ items: [{ index: 0, vector }], promptTokens }, model.targets[0]),
      target: model.targets[0],
      attempts: 1,
    }),
  }) as unknown as Dispatcher;
const { signal } = new AbortController();
const context = { caller: "c", trace: noTrace, signal };
const batch = { inputs: ["twelve chars"], tokens: 1, needsNumbers: false, context };

test.each([
  ["keep their width stay in the memory of the reply", undefined, true],
  ["are shortened do not", 2, false],
])("vectors that %s", async (_name, dimensions, needsRelease) => {
  const options = { dimensions, encoding_format: "float", user: undefined } as const;

  const { vectors } = await new BatchSender(dispatcherOf(1)).send(batch, { model, options });

  expect(vectors[0]?.width).toBe(dimensions ?? 4);
  expect(vectors[0]?.needsRelease).toBe(needsRelease);
});

test.each([
  ["reports its tokens", 7, 7, false],
  ["does not: then they are estimated, and marked as an estimate", undefined, 3, true],
])("an upstream that %s", async (_name, reported, promptTokens, tokensEstimated) => {
  const reply = await new BatchSender(dispatcherOf(reported)).send(batch, { model, options: {} });

  expect(reply).toMatchObject({ promptTokens, tokensEstimated });
});
