import { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { isObject } from "@model-gateway/runtime/json";
import { expect, test } from "vitest";
import { readVectorRows } from "./vector-rows.js";

/** Reads a reply that arrives in chunks of this size. */
function readText(text: string, { chunkBytes = text.length, count = 3 } = {}) {
  const bytes = Buffer.from(text);
  const read = async (onChunk: (chunk: Buffer) => void): Promise<void> => {
    for (let at = 0; at < bytes.length; at += chunkBytes) onChunk(bytes.subarray(at, at + chunkBytes));
  };
  return readVectorRows({ read }, { count, buffers: new BufferPool() });
}

test.each([1, 2, 3, 7, 1000])("rows are found in chunks of %d bytes", async (chunkBytes) => {
  const text = '{"model":"a \\"[[x]]\\\\","embeddings":[ [1,-0.5], [2e-1,\n0] ],"counts":[1,2],"é":3}';

  const { reply, itemsOf } = await readText(text, { chunkBytes });

  const mark = expect.any(String);
  expect(reply).toEqual({ model: 'a "[[x]]\\', embeddings: [mark, mark], counts: [1, 2], é: 3 });
  const items = itemsOf(isObject(reply) && reply.embeddings);
  expect(items.map(({ index, vector }) => [index, vector.toNumbers()])).toEqual([
    [0, [1, -0.5]],
    [1, [Math.fround(0.2), 0]],
  ]);
});

test("a reply may be nothing but the list", async () => {
  const { reply, itemsOf } = await readText("[[0.25],[0.5]]");

  expect(itemsOf(reply).map(({ vector }) => vector.toNumbers())).toEqual([[0.25], [0.5]]);
});

test.each([
  ["a number beside the rows", "[[1],1]"],
  ["numbers that look like rows", "[0]"],
  ["rows of another list", '{"x":[[1]]}'],
  ["a text", '"x"'],
])("%s is not a list of vectors", async (_name, text) => {
  const { reply, itemsOf } = await readText(text);

  expect(() => itemsOf(reply)).toThrow("it has no list of vectors");
});

test.each([
  ["a row that is cut", "[[1,2", "it is not JSON"],
  ["a row with text", '[["a"]]', "the vector 0 is neither numbers nor base64"],
  ["a row in a row", "[[[1]]]", "the vector 0 is neither numbers nor base64"],
  ["more rows than inputs", "[[1],[1],[1],[1]]", "more vectors than were asked for"],
  ["a row that is too long", `[[${"1,".repeat(3_000_000)}1]]`, "too long|longer"],
  ["much beside the rows", `["${"x".repeat(70_000)}"]`, "too much beside its vectors"],
])("%s is not valid", async (_name, text, message) => {
  await expect(readText(text, { chunkBytes: 65_536 })).rejects.toThrow(new RegExp(message));
});
