import { expect, test } from "vitest";
import { requestIdOf, resultLine, tokensOf, unrunLine } from "./line-results.js";

const id = requestIdOf("batch_1", 3);

test("a line has the same id in every run, and each line another one", () => {
  expect(id).toMatch(/^req_[0-9a-f]{32}$/);
  expect(requestIdOf("batch_1", 3)).toBe(id);
  expect(new Set([id, requestIdOf("batch_1", 4), requestIdOf("batch_2", 3)]).size).toBe(3);
});

test("a result is one line, even if the upstream wrote its vectors on many", () => {
  const body = Buffer.from('{"data":[{"embedding":[\n  0.5,\r\n  1\n]}]}');

  const line = resultLine(id, 'row "1"', { status: 200, headers: {}, body }).toString();

  expect(line.indexOf("\n")).toBe(line.length - 1);
  expect(JSON.parse(line)).toEqual({
    id: `batch_${id}`,
    custom_id: 'row "1"',
    response: { status_code: 200, request_id: id, body: { data: [{ embedding: [0.5, 1] }] } },
    error: null,
  });
});

test("a line that never ran has a reason and no response", () => {
  const line = unrunLine(id, "row", { code: "batch_expired", message: "Too late." }).toString();

  expect(JSON.parse(line)).toEqual({
    id: `batch_${id}`,
    custom_id: "row",
    response: null,
    error: { code: "batch_expired", message: "Too late." },
  });
});

test.each([
  [
    "embeddings",
    { object: "list", data: [], model: "m", usage: { prompt_tokens: 8123, total_tokens: 8123 } },
    { input: 8123, output: 0 },
  ],
  [
    "images whose numbers are none",
    { created: 1, usage: { input_tokens: -1, output_tokens: "7" }, data: [] },
    { input: 0, output: 0 },
  ],
  [
    "images whose numbers are fractions",
    { created: 1, usage: { input_tokens: 0.5, output_tokens: 7 }, data: [] },
    { input: 0, output: 7 },
  ],
  [
    "images",
    { created: 1, usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 }, data: [{ b64_json: "x" }] },
    { input: 5, output: 7 },
  ],
  ["images without a usage", { created: 1, data: [{ b64_json: "x" }] }, { input: 0, output: 0 }],
  [
    "a text in an image's response",
    { data: [{ b64_json: '"usage":{"prompt_tokens":1}}' }] },
    { input: 0, output: 0 },
  ],
])("the tokens of %s are read from the response", (_what, body, tokens) => {
  expect(tokensOf({ body: Buffer.from(JSON.stringify(body)) })).toEqual(tokens);
});

test.each([0, 3900, 3950, 4000, 4050, 10_000])(
  "the tokens of an embedding are read after %d bytes of vectors, and before a line break",
  (bytes) => {
    const usage = { prompt_tokens: 42, total_tokens: 42 };
    const body = `${JSON.stringify({ data: [{ embedding: "x".repeat(bytes) }], usage })}\n`;

    expect(tokensOf({ body: Buffer.from(body) })).toEqual({ input: 42, output: 0 });
  },
);

test("a response that cannot be read reports no tokens", () => {
  for (const body of ["", "<html>", '{"created":,"data":[]}', '{"created":1'])
    expect(tokensOf({ body: Buffer.from(body) })).toEqual({ input: 0, output: 0 });
});
