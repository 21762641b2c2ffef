import { expect, test } from "vitest";
import { readOllamaError } from "./ollama.js";

/** The first text was reported with all three statuses. The others have the form of its errors. */
test.each([
  [400, "the input length exceeds the context length", "context_length_exceeded"],
  [413, "the input length exceeds the context length", "context_length_exceeded"],
  [500, "the input length exceeds the context length", "context_length_exceeded"],
  [400, "input exceeds maximum context length", "context_length_exceeded"],
  [400, 'do embedding request: Post "http://127.0.0.1:40761/embedding": EOF', "upstream_error"],
  [404, 'model "nope" not found, try pulling it first', undefined],
  [503, "server busy, please try again.  maximum pending requests exceeded", undefined],
])("status %d with %j", (status, error, code) => {
  const reported = readOllamaError({ status, headers: {}, body: JSON.stringify({ error }) });

  expect(reported.code).toBe(code);
  // Only a caller's mistake is quoted.
  expect(reported.message).toBe(code === "context_length_exceeded" ? error : undefined);
});

test("an error that is not JSON goes by its status", () => {
  expect(readOllamaError({ status: 502, headers: {}, body: "<html>" })).toEqual({});
});
