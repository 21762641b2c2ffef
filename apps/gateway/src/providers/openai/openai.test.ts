import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { imageInMemory } from "../../domain/image-input.js";
import type { OutgoingRequest, Send } from "../http/send.js";
import type { Call } from "../provider.js";
import { createOpenAiOperations } from "./openai.js";

const call: Call = { model: "upstream-name", signal: new AbortController().signal, timeoutMs: 1000 };

function answering(
  answer: unknown,
  contentType = "application/json",
): { adapter: ReturnType<typeof createOpenAiOperations>; sent: OutgoingRequest[] } {
  const sent: OutgoingRequest[] = [];
  const send: Send = async (request) => {
    sent.push(request);
    const body = Buffer.from(typeof answer === "string" ? answer : JSON.stringify(answer));
    return {
      headers: { "content-type": contentType },
      json: async () => answer,
      read: async (take) => take(body),
      chunks: () => Readable.from([body]),
    };
  };
  return { adapter: createOpenAiOperations(send), sent };
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
      body: '{"model":"upstream-name","input":["a"],"encoding_format":"float"}',
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

test.each([
  ["base64 with other letters in it", "!!!!AACAPw=="],
  ["base64 with a line break", "AACA\nPw=="],
  ["base64 that is no whole number of letters", "AACAP"],
  ["base64 with a letter too many", "AACAP~w=="],
  ["base64 with padding in the middle", "AA==AACAPw=="],
  ["base64 with too much padding", "AACAP==="],
  ["an empty string", ""],
])("%s is no vector", async (_name, embedding) => {
  const { adapter } = answering({ data: [{ index: 0, embedding }] });

  await expect(adapter.createEmbedding?.({ inputs: ["a"] }, call)).rejects.toMatchObject({
    code: "upstream_invalid_answer",
  });
});

test.each([
  ["URL-safe", "__9_Pw", "//9/Pw=="],
  ["unpadded", "AACAPw", "AACAPw=="],
  ["plain", "AACAPw==", "AACAPw=="],
  ["URL-safe and padded", "__9_Pw==", "//9/Pw=="],
])("%s base64 leaves as every client expects it", async (_name, embedding, expected) => {
  const { adapter } = answering({ data: [{ index: 0, embedding }] });

  const answer = await adapter.createEmbedding?.({ inputs: ["a"] }, call);

  expect(String(answer?.items[0]?.vector.toBase64())).toBe(expected);
});

test("slashes that an upstream escapes are slashes again", async () => {
  const { adapter } = answering(String.raw`{"data":[{"index":0,"embedding":"AAAAAAAA\/z8="}]}`);

  const answer = await adapter.createEmbedding?.({ inputs: ["a"] }, call);

  expect(String(answer?.items[0]?.vector.toBase64())).toBe("AAAAAAAA/z8=");
});

test("a width goes out under the upstream's own name for it", async () => {
  const { adapter, sent } = answering({ data: [{ index: 0, embedding: [1] }] });

  await adapter.createEmbedding?.(
    { inputs: ["a"], dimensions: 1, dimensionsField: "output_dimension" },
    call,
  );

  expect(JSON.parse(String(sent[0]?.body))).toEqual({
    output_dimension: 1,
    input: ["a"],
    model: "upstream-name",
  });
});

test.each([-5, 1e300, 1.5, "7", null])("a usage of %j is none", async (prompt_tokens) => {
  const { adapter } = answering({ data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens } });

  expect((await adapter.createEmbedding?.({ inputs: ["a"] }, call))?.promptTokens).toBe(0);
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
  ["an image that is none", { created: 1, data: [{}] }],
])("an image answer with %s is no answer", async (_name, body) => {
  const { adapter } = answering(body);

  await expect(adapter.createImage?.({ prompt: "a" }, call)).rejects.toMatchObject({
    code: "upstream_invalid_answer",
  });
});

test("an edit goes out as a form: one image as image, several as image[]", async () => {
  const { adapter, sent } = answering({ created: 1, data: [{ b64_json: "AA==" }] });
  const image = imageInMemory(Buffer.from("x"), "png");

  await adapter.createImageEdit?.({ prompt: "a", n: 2, images: [image] }, call);
  await adapter.createImageEdit?.({ prompt: "a", images: [image, image], mask: image }, call);

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

test("answers that differ in their vectors alone, or in nothing but a count, are all read for what they are", async () => {
  const answers = Array.from({ length: 600 }, (_, number) => ({
    data: [{ index: 0, embedding: [number] }],
    usage: { prompt_tokens: number % 300 },
  }));
  for (const body of answers) {
    const { adapter } = answering(body);

    const answer = await adapter.createEmbedding?.({ inputs: ["a"] }, call);

    expect(answer?.items[0]?.vector.toNumbers()).toEqual(body.data[0]?.embedding);
    expect(answer?.promptTokens).toBe(body.usage.prompt_tokens);
  }
});
