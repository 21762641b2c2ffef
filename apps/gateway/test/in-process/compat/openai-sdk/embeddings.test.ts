import type OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { vectorOf } from "../../../fake-upstream/vectors.mjs";
import { signsOf } from "../../providers/unit-vectors.js";
import { embeddedGateway, relayingGateway } from "./gateways.js";

const embedded = embeddedGateway();
const relaying = relayingGateway();
const texts = ["The cat sat on the mat.", "A kitten rests on a rug.", "Interest rates rose again."];

describe.each([
  { name: "embedded gte-small", connection: embedded, model: "gte-small", width: 384 },
  { name: "embedded all-MiniLM-L6-v2", connection: embedded, model: "all-MiniLM-L6-v2", width: 384 },
  { name: "a model of an upstream", connection: relaying, model: "good", width: 8 },
])("embeddings of $name", ({ connection, model, width }) => {
  test("the SDK's default, base64, and float give the same numbers", async () => {
    const { client } = connection;

    const byDefault = await client.embeddings.create({ model, input: texts });
    const asFloat = await client.embeddings.create({ model, input: texts, encoding_format: "float" });

    expect(byDefault.data.map(({ embedding }) => embedding.length)).toEqual([width, width, width]);
    expect(byDefault.data.map(toFloat32)).toEqual(asFloat.data.map(toFloat32));
    expect(asFloat.data.every(({ embedding }) => Array.isArray(embedding))).toBe(true);
  });

  test("explicit base64 stays text, in little-endian float32", async () => {
    const { client } = connection;

    const asBase64 = await client.embeddings.create({ model, input: texts, encoding_format: "base64" });
    const asFloat = await client.embeddings.create({ model, input: texts, encoding_format: "float" });

    const decoded = asBase64.data.map(({ embedding }) => fromBase64(String(embedding)));
    expect(decoded).toEqual(asFloat.data.map(toFloat32));
  });

  test("several inputs come back in order, each as it would alone", async () => {
    const { client } = connection;

    const together = await client.embeddings.create({ model, input: texts });
    const alone = await Promise.all(texts.map((input) => client.embeddings.create({ model, input })));

    expect(together.data.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(together.data.map(toFloat32)).toEqual(alone.map(({ data }) => toFloat32(data[0]!)));
  });

  test("the response names the model, the tokens and the request", async () => {
    const response = await connection.client.embeddings.create({ model, input: texts });

    expect(response).toMatchObject({ object: "list", model, data: Array(3).fill({ object: "embedding" }) });
    expect(response.usage.prompt_tokens).toBeGreaterThanOrEqual(texts.length);
    expect(response.usage).toEqual({
      prompt_tokens: response.usage.prompt_tokens,
      total_tokens: response.usage.prompt_tokens,
    });
    expect(response._request_id).toMatch(/^req_[0-9a-f]{32}$/);
  });

  test("the legacy path, which no SDK has any more, gives the same numbers", async () => {
    const response = await connection.gateway.sendJson(`/v1/engines/${model}/embeddings`, { input: texts });
    const modern = await connection.client.embeddings.create({ model, input: texts });

    const body = (await response.json()) as OpenAI.CreateEmbeddingResponse;

    expect(response.headers.get("deprecation")).not.toBeNull();
    expect(body.data.map(toFloat32)).toEqual(modern.data.map(toFloat32));
  });
});

test("bits arrive as integers, whether or not the SDK asks for base64 by itself", async () => {
  const { embeddings } = relaying.client;
  const bits = signsOf(vectorOf("a", 8));
  const ubinary = { model: "good", input: "a", output_dtype: "ubinary" };

  const byDefault = await embeddings.create(ubinary);
  const asFloat = await embeddings.create({ ...ubinary, encoding_format: "float" });
  const bySynonym = await embeddings.create({
    model: "good",
    input: "a",
    // Mixedbread's values are in no type of the SDK.
    encoding_format: "binary" as "float",
  });

  expect(byDefault.data[0]?.embedding).toEqual(bits);
  expect(asFloat.data[0]?.embedding).toEqual(bits);
  expect(bySynonym.data[0]?.embedding).toEqual(bits.map((byte) => byte - 128));
});

test("the numbers of an upstream pass unchanged, and so do token ids", async () => {
  const input = [
    [1, 2],
    [3, 4, 5],
  ];

  const { data } = await relaying.client.embeddings.create({ model: "good", input });

  expect(data.map(({ embedding }) => embedding)).toEqual(input.map((tokens) => vectorOf(tokens, 8)));
});

function toFloat32({ embedding }: { embedding: number[] }): Float32Array {
  return Float32Array.from(embedding);
}

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}
