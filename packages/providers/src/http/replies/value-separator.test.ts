import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonKey, ValueSeparator } from "./value-separator.js";

function read(text: string, size: number): { document: unknown; vectors: string[] } {
  const reader = new ValueSeparator({
    keys: [jsonKey("embedding")],
    arrays: "value",
    read: (kind, chunks) => `${kind} ${Buffer.concat(chunks)}`,
    valuesMax: 1000,
    valueBytesMax: 1_000_000,
    skeletonBytesMax: 1_000_000,
    name: "vectors",
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  const { skeleton, valueAt } = reader.end();
  const vectors: string[] = [];
  const document = JSON.parse(skeleton, (_key, value) => {
    const vector = valueAt(value);
    if (vector === undefined) return value;
    vectors.push(vector);
    return "taken";
  });
  return { document, vectors };
}

const reply =
  '{"object":"list", "data" : [{"object":"embedding","index":0,"embedding" : [0.1, -2e-3]},\n' +
  '{"embedding":"AACAPw==","note":"a \\"embedding\\": [1] \\\\","index":1}],"model":"é","embedding":null}';

test.each([1, 2, 3, 5, 8, 1000])(
  "vectors are separated from chunks of %d bytes, and nothing else changes",
  (size) => {
    expect(read(reply, size)).toEqual({
      document: {
        object: "list",
        data: [
          { object: "embedding", index: 0, embedding: "taken" },
          { embedding: "taken", note: 'a "embedding": [1] \\', index: 1 },
        ],
        model: "é",
        embedding: null,
      },
      vectors: ["array [0.1, -2e-3]", "string AACAPw=="],
    });
  },
);

test("a value that is not a vector is not taken for one", () => {
  expect(read('{"data":[{"embedding":[1]},{"embedding":0},{"embedding":{"a":[1]}}]}', 1000).document).toEqual(
    {
      data: [{ embedding: "taken" }, { embedding: 0 }, { embedding: { a: [1] } }],
    },
  );
});

test.each([
  ["value", ['["b","c"]']],
  ["values", ["b", "c"]],
  ["skeleton", []],
] as const)("of a list of strings, arrays as `%s` give %j", (arrays, expected) => {
  const values: string[] = [];
  const separator = new ValueSeparator({
    keys: [jsonKey("images")],
    arrays,
    read: (_kind, chunks) => values.push(Buffer.concat(chunks).toString()),
    valuesMax: 3,
    valueBytesMax: 100,
    skeletonBytesMax: 1000,
    name: "images",
  });

  separator.push(Buffer.from('{"other":["a"],"images":["b","c"],"more":["d"]}'));

  expect(values).toEqual(expected);
});

test("a document without vectors stays the same, wherever its chunks end", () => {
  fc.assert(
    fc.property(fc.json({ depthSize: "medium" }), fc.integer({ min: 1, max: 40 }), (text, size) => {
      fc.pre(!text.includes('"embedding"'));

      expect(read(text, size).document).toEqual(JSON.parse(text));
    }),
    { numRuns: 3000, seed: 20261115 },
  );
});

test.each([1, 2, 3, 1000])("backslashes before a quote are counted across chunks of %d bytes", (size) => {
  const notes = ["", "\\", "\\\\", '\\"', 'a\\\\"', '"', "\\\\\\\\\\"];
  const text = JSON.stringify(notes.map((note) => ({ note, embedding: [1] })));

  const { document, vectors } = read(text, size);

  expect(document).toEqual(notes.map((note) => ({ note, embedding: "taken" })));
  expect(vectors).toEqual(notes.map(() => "array [1]"));
});

test("a value in many small chunks is kept in a few", () => {
  const counts: number[] = [];
  const reader = new ValueSeparator({
    keys: [jsonKey("embedding")],
    arrays: "value",
    read: (_kind, chunks) => counts.push(chunks.length),
    valuesMax: 1,
    valueBytesMax: 1_000_000,
    skeletonBytesMax: 1000,
    name: "vectors",
  });

  for (const byte of Buffer.from(`{"embedding":"${"A".repeat(200_000)}"}`)) reader.push(Buffer.of(byte));

  expect(counts.length).toBe(1);
  expect(counts[0]).toBeLessThan(100);
});
