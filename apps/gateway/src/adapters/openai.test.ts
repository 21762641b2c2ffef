import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { pictureInMemory } from "../domain/picture.js";
import type { Call } from "./adapter.js";
import { createOpenAiAdapter } from "./openai.js";
import type { OutgoingRequest, Send } from "./send.js";

const call: Call = { model: "upstream-name", signal: new AbortController().signal, timeoutMs: 1000 };

function answering(
  answer: unknown,
  contentType = "application/json",
): { adapter: ReturnType<typeof createOpenAiAdapter>; sent: OutgoingRequest[] } {
  const sent: OutgoingRequest[] = [];
  const send: Send = async (request) => {
    sent.push(request);
    return {
      headers: { "content-type": contentType },
      json: async () => answer,
      chunks: () =>
        Readable.from([Buffer.from(typeof answer === "string" ? answer : JSON.stringify(answer))]),
    };
  };
  return { adapter: createOpenAiAdapter(send), sent };
}

test("an embeddings request goes out under the upstream's name for the model", async () => {
  const { adapter, sent } = answering({
    data: [{ index: 0, embedding: [1, 2] }],
    usage: { prompt_tokens: 5, total_tokens: 5 },
  });

  const answer = await adapter.createEmbedding?.({ inputs: ["a"], encoding_format: "float" }, call);

  expect(sent).toEqual([
    {
      path: "/embeddings",
      headers: { "content-type": "application/json" },
      body: '{"encoding_format":"float","input":["a"],"model":"upstream-name"}',
    },
  ]);
  expect(answer?.promptTokens).toBe(5);
  expect(answer?.items.map(({ vector }) => vector.toNumbers())).toEqual([[1, 2]]);
});

test.each([
  ["nothing", null],
  ["a list", []],
  ["data that is no list", { data: {} }],
  ["an item that is no object", { data: [1] }],
  ["an index that is no number", { data: [{ index: "0", embedding: [1] }] }],
  ["a vector that is no vector", { data: [{ index: 0, embedding: { 0: 1 } }] }],
  ["a vector with text in it", { data: [{ index: 0, embedding: [1, "2"] }] }],
])("%s is no embeddings answer", async (_name, body) => {
  const { adapter } = answering(body);

  await expect(adapter.createEmbedding?.({ inputs: ["a"] }, call)).rejects.toMatchObject({
    code: "upstream_invalid_answer",
  });
});

test("an image answer keeps what the spec has and drops what an upstream adds", async () => {
  const { adapter } = answering({
    created: 1,
    data: [{ b64_json: "AA==", content_filter_results: {} }],
    extra: 1,
  });

  expect(await adapter.createImage?.({ prompt: "a" }, call)).toEqual({
    images: { created: 1, data: [{ b64_json: "AA==" }] },
  });
});

test.each([
  ["no data", { created: 1 }],
  ["empty data", { created: 1, data: [] }],
  ["a picture that is none", { created: 1, data: [{}] }],
])("an image answer with %s is no answer", async (_name, body) => {
  const { adapter } = answering(body);

  await expect(adapter.createImage?.({ prompt: "a" }, call)).rejects.toMatchObject({
    code: "upstream_invalid_answer",
  });
});

test("an edit goes out as a form: one picture as image, several as image[]", async () => {
  const { adapter, sent } = answering({ created: 1, data: [{ b64_json: "AA==" }] });
  const picture = pictureInMemory(Buffer.from("x"), "png");

  await adapter.createImageEdit?.({ prompt: "a", n: 2, images: [picture] }, call);
  await adapter.createImageEdit?.({ prompt: "a", images: [picture, picture], mask: picture }, call);

  expect(await Promise.all(sent.map(partNames))).toEqual([
    ["model", "prompt", "n", "image"],
    ["model", "prompt", "image[]", "image[]", "mask"],
  ]);
});

test("an error event ends a stream with what it says", async () => {
  const { adapter } = answering(
    'event: error\ndata: {"type":"error","error":{"message":"No.","code":"moderation_blocked","param":null}}\n\n',
    "text/event-stream",
  );

  const answer = await adapter.createImage?.({ prompt: "a", stream: true }, call);
  const read = async () => {
    if (answer !== undefined && "events" in answer) for await (const _event of answer.events);
  };

  await expect(read()).rejects.toMatchObject({ code: "moderation_blocked", message: "No." });
});

async function partNames(request: OutgoingRequest): Promise<string[]> {
  const text = Buffer.concat(await (request.body as Readable).toArray()).toString();
  return [...text.matchAll(/form-data; name="([^"]+)"/g)].map(([, name = ""]) => name);
}
