import { expect, test } from "vitest";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { testKey } from "../../gateway/test-gateway.js";
import { signsOf } from "../providers/unit-vectors.js";
import { compatGateway } from "./compat-gateway.js";

/**
 * The rule of openai-python: without `encoding_format` it requests base64, and takes every string in a response for
 * float32 values. `process/openai-python.test.ts` runs the SDK itself, where it is installed.
 */
async function createLikePython(body: object): Promise<unknown[]> {
  const response = await fetch(`${gateway.url}/v1/embeddings`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({ encoding_format: "base64", ...body }),
  });
  const { data } = (await response.json()) as { data: { embedding: unknown }[] };
  return data.map(({ embedding }) => (typeof embedding === "string" ? decodeFloats(embedding) : embedding));
}

function decodeFloats(base64: string): number[] {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  return [...new Float32Array(bytes.buffer, 0, bytes.length / 4)];
}

const gateway = compatGateway();
const input = ["a", "b"];
const floats = input.map((text) => vectorOf(text, 16));
const ubinary = floats.map(signsOf);

test.each([
  ["floats", {}, floats],
  ["ubinary", { output_dtype: "ubinary" }, ubinary],
  ["binary", { output_dtype: "binary" }, ubinary.map((bytes) => bytes.map((byte) => byte - 128))],
])("the decoder of openai-python leaves %s as they are", async (_name, more, expected) => {
  expect(await createLikePython({ model: "m", input, ...more })).toEqual(expected);
});
