import { expect, test } from "vitest";
import { readUsage, readVectorsReply } from "./vectors-reply.js";

/** Reads a reply that arrives in chunks of three bytes. */
function read(text: string) {
  const bytes = Buffer.from(text);
  return readVectorsReply(
    {
      read: async (onChunk) => {
        for (let at = 0; at < bytes.length; at += 3) onChunk(bytes.subarray(at, at + 3));
      },
    },
    1,
  );
}

test("a vector is read from its lines, however they are cut", async () => {
  const { document, vectorOf } = await read('{"embedding": {\n "values": [\n  0.5,\n  -25e-2\n ]\n}}');

  const vector = vectorOf(document.embedding);
  expect(vector.width).toBe(2);
  expect(vector.toNumbers()).toEqual([0.5, -0.25]);
});

test.each([
  ["numbers without a comma", '{"embedding":{"values":[1 2]}}'],
  ["a text", '{"embedding":{"values":"AAAA"}}'],
  ["no vector", '{"embedding":{}}'],
])("%s is not a valid reply", async (_name, text) => {
  const { document, vectorOf } = await read(text);

  expect(() => vectorOf(document.embedding)).toThrow(/not valid/);
});

test.each(["[]", "{", '{"embeddings":[{"values":[1]},{"values":[2]}]}'])(
  "%s is refused as it arrives",
  async (text) => {
    await expect(read(text)).rejects.toMatchObject({ code: "upstream_invalid_reply" });
  },
);

test("usage is the prompt's, or else the total, and never 0", () => {
  const tokens = (usageMetadata: object) => readUsage({ usageMetadata }).promptTokens;

  expect(tokens({ promptTokenCount: 3, totalTokenCount: 4 })).toBe(3);
  expect(tokens({ totalTokenCount: 4 })).toBe(4);
  expect(tokens({ promptTokenCount: 0 })).toBeUndefined();
});

test.each(["promptTokensDetails", "promptTokenDetails"])("the tokens of images are in %s", (name) => {
  const details = [
    { modality: "TEXT", tokenCount: 4 },
    { modality: "IMAGE", tokenCount: 258 },
  ];

  expect(readUsage({ usageMetadata: { promptTokenCount: 262, [name]: details } })).toEqual({
    promptTokens: 262,
    imageTokens: 258,
  });
});
