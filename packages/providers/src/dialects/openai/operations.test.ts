import { Readable } from "node:stream";
import { imageInMemory } from "@model-gateway/domain/image-input";
import { withTexts } from "@model-gateway/domain/test/with-texts";
import { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { expect, test } from "vitest";
import type { OutgoingRequest, Send } from "../../http/send.js";
import { TestCall } from "../../test/call.js";
import { createOpenAiOperations } from "./operations.js";

const call = new TestCall();

/** The operations of an upstream that sends this reply to every request. */
function replyWith(
  reply: unknown,
  contentType = "application/json",
): { operations: ReturnType<typeof createOpenAiOperations>; sent: OutgoingRequest[] } {
  const sent: OutgoingRequest[] = [];
  const send: Send = async (request) => {
    sent.push(request);
    const body = Buffer.from(typeof reply === "string" ? reply : JSON.stringify(reply));
    return {
      status: 200,
      headers: { "content-type": contentType },
      read: async (onChunk) => onChunk(body),
      chunks: () => Readable.from([body]),
    };
  };
  return { operations: createOpenAiOperations(send, { buffers: new BufferPool() }), sent };
}

test("an embeddings request is sent under the upstream's name of the model", async () => {
  const { operations, sent } = replyWith({
    data: [{ index: 0, embedding: [1, 2] }],
    usage: { prompt_tokens: 5, total_tokens: 5 },
  });

  const reply = await operations.createEmbedding?.({ inputs: ["a"], encoding_format: "float" }, call);

  expect(sent).toEqual([
    {
      path: "/embeddings",
      headers: { "content-type": "application/json" },
      body: '{"model":"upstream-model","input":["a"],"encoding_format":"float"}',
    },
  ]);
  expect(reply?.promptTokens).toBe(5);
  expect(reply?.items.map(({ vector }) => vector.toNumbers())).toEqual([[1, 2]]);
});

test.each([
  ["nothing", null],
  ["a list", []],
  ["data that is not a list", { data: {} }],
  ["an item that is not an object", { data: [1] }],
  ["an index that is not a number", { data: [{ index: "0", embedding: [1] }] }],
  ["a vector that is an object", { data: [{ index: 0, embedding: { 0: 1 } }] }],
  ["a vector with text in it", { data: [{ index: 0, embedding: [1, "2"] }] }],
])("%s is not a valid embeddings reply", async (_name, body) => {
  const { operations } = replyWith(body);

  await expect(operations.createEmbedding?.({ inputs: ["a"] }, call)).rejects.toMatchObject({
    code: "upstream_invalid_reply",
  });
});

test.each([
  ["base64 with other letters in it", "!!!!AACAPw=="],
  ["base64 with a line break", "AACA\nPw=="],
  ["base64 of an impossible length", "AACAP"],
  ["base64 with an invalid letter", "AACAP~w=="],
  ["base64 with padding in the middle", "AA==AACAPw=="],
  ["base64 with too much padding", "AACAP==="],
  ["an empty string", ""],
])("%s is not a vector", async (_name, embedding) => {
  const { operations } = replyWith({ data: [{ index: 0, embedding }] });

  await expect(operations.createEmbedding?.({ inputs: ["a"] }, call)).rejects.toMatchObject({
    code: "upstream_invalid_reply",
  });
});

test.each([
  ["URL-safe", "__9_Pw", "//9/Pw=="],
  ["unpadded", "AACAPw", "AACAPw=="],
  ["plain", "AACAPw==", "AACAPw=="],
  ["URL-safe and padded", "__9_Pw==", "//9/Pw=="],
])("%s base64 is sent on as standard base64", async (_name, embedding, expected) => {
  const { operations } = replyWith({ data: [{ index: 0, embedding }] });

  const reply = await operations.createEmbedding?.({ inputs: ["a"] }, call);

  expect(String(reply?.items[0]?.vector.toBase64())).toBe(expected);
});

test("escaped slashes are unescaped", async () => {
  const { operations } = replyWith(String.raw`{"data":[{"index":0,"embedding":"AAAAAAAA\/z8="}]}`);

  const reply = await operations.createEmbedding?.({ inputs: ["a"] }, call);

  expect(String(reply?.items[0]?.vector.toBase64())).toBe("AAAAAAAA/z8=");
});

test("dimensions are sent under the upstream's own name for them", async () => {
  const { operations, sent } = replyWith({ data: [{ index: 0, embedding: [1] }] });

  await operations.createEmbedding?.(
    { inputs: ["a"], dimensions: 1, dimensionsField: "output_dimension" },
    call,
  );

  expect(JSON.parse(String(sent[0]?.body))).toEqual({
    output_dimension: 1,
    input: ["a"],
    model: "upstream-model",
  });
});

test("an input type is sent under the upstream's own name for it, and never replaced by an extra", async () => {
  const { operations, sent } = replyWith({ data: [{ index: 0, embedding: [1] }] });
  const extras = { values: { task_type: "other", truncate: "NONE" }, key: "" };

  await operations.createEmbedding?.({ inputs: ["a"], inputType: "passage" }, call);
  await operations.createEmbedding?.(
    { inputs: ["a"], inputType: "search_query", inputTypeField: "task_type", extras },
    call,
  );

  expect(sent.map(({ body }) => JSON.parse(String(body)))).toEqual([
    { model: "upstream-model", input: ["a"], input_type: "passage" },
    { model: "upstream-model", input: ["a"], task_type: "search_query", truncate: "NONE" },
  ]);
});

test.each([-5, 0, 1e300, 1.5, "7", null])("a usage of %j is not a report", async (prompt_tokens) => {
  const { operations } = replyWith({ data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens } });

  expect((await operations.createEmbedding?.({ inputs: ["a"] }, call))?.promptTokens).toBeUndefined();
});

test("the total is taken where there are no prompt tokens", async () => {
  const { operations } = replyWith({ data: [{ index: 0, embedding: [1] }], usage: { total_tokens: 7 } });

  expect((await operations.createEmbedding?.({ inputs: ["a"] }, call))?.promptTokens).toBe(7);
});

test("an image reply keeps the fields of the spec and drops others", async () => {
  const { operations } = replyWith({
    created: 1,
    data: [{ b64_json: "AA==", content_filter_results: {} }],
    extra: 1,
  });

  expect(withTexts(await operations.createImage?.({ prompt: "a" }, call))).toEqual({
    images: { created: 1, data: [{ content: "AA==" }] },
  });
});

test.each([
  ["no data", { created: 1 }],
  ["empty data", { created: 1, data: [] }],
  ["an item without an image", { created: 1, data: [{}] }],
  ["an item of empty texts", { created: 1, data: [{ b64_json: "", url: "" }] }],
  ["an image that is not base64", { created: 1, data: [{ b64_json: "AA!!!!==" }] }],
])("an image reply with %s is not valid", async (_name, body) => {
  const { operations } = replyWith(body);

  await expect(operations.createImage?.({ prompt: "a" }, call)).rejects.toMatchObject({
    code: "upstream_invalid_reply",
  });
});

test("an edit is sent as a form: one image as image, several as image[]", async () => {
  const { operations, sent } = replyWith({ created: 1, data: [{ b64_json: "AA==" }] });
  const image = imageInMemory(Buffer.from("x"), "png");

  await operations.createImageEdit?.({ prompt: "a", n: 2, images: [image] }, call);
  await operations.createImageEdit?.({ prompt: "a", images: [image, image], mask: image }, call);

  expect(await Promise.all(sent.map(partNames))).toEqual([
    ["model", "prompt", "n", "image"],
    ["model", "prompt", "image[]", "image[]", "mask"],
  ]);
});

test("an error event ends a stream with its error", async () => {
  const { operations } = replyWith(
    'event: error\ndata: {"type":"error","error":{"message":"No.","code":"moderation_blocked","param":null}}\n\n',
    "text/event-stream",
  );

  const reply = await operations.createImage?.({ prompt: "a", stream: true }, call);
  const read = async () => {
    if (reply !== undefined && "events" in reply) for await (const _event of reply.events);
  };

  await expect(read()).rejects.toMatchObject({ code: "moderation_blocked", message: "No." });
});

async function partNames({ body }: OutgoingRequest): Promise<string[]> {
  const parts = typeof body === "function" ? await body().toArray() : [];
  const text = Buffer.concat(parts).toString();
  return [...text.matchAll(/form-data; name="([^"]+)"/g)].map(([, name = ""]) => name);
}

test("replies that differ only in their vectors or their token count are not mixed up", async () => {
  const replies = Array.from({ length: 600 }, (_, number) => ({
    data: [{ index: 0, embedding: [number] }],
    usage: { prompt_tokens: (number % 300) + 1 },
  }));
  for (const body of replies) {
    const { operations } = replyWith(body);

    const reply = await operations.createEmbedding?.({ inputs: ["a"] }, call);

    expect(reply?.items[0]?.vector.toNumbers()).toEqual(body.data[0]?.embedding);
    expect(reply?.promptTokens).toBe(body.usage.prompt_tokens);
  }
});
