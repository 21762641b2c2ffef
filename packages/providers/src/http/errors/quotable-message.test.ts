import { expect, test } from "vitest";
import { quotableMessage } from "./quotable-message.js";

const model = "text-embedding-3-small";
const sent = (input: unknown) => ({
  body: JSON.stringify({ model, input, encoding_format: "base64" }),
  model,
});

test("a message about the account or the server is kept", () => {
  const kept = (message: string) => quotableMessage(message, sent("The red fox jumps over the lazy dog."));

  expect(kept("Incorrect API key provided.")).toBe("Incorrect API key provided.");
  expect(kept(`Rate limit reached for ${model} in organization org-1.`)).toContain(model);
  expect(kept("CUDA out of memory.")).toBe("CUDA out of memory.");
});

test.each([
  ["a part", "The red fox jumps over the lazy dog.", "Cannot embed 'RED fox…'"],
  ["other separators", "the red fox", "red_fox is not allowed"],
  ["one word", "fox", "Invalid input: fox"],
  ["one of several inputs", ["cat", "the dog barks"], "Input 1: dog barks"],
  ["a language without spaces", "一只红色的狐狸", "无法处理：红色…"],
  ["token ids", [[1042, 7, 99]], "Bad tokens [7, 99]"],
  ["an escaped text", "the red fox", "Cannot embed the%20red%20fox"],
  ["another escaped text", "狐狸", "Cannot embed \\u72d0\\u72f8"],
  ["base64", "the red fox", `Cannot embed ${"dGhlIHJlZCBmb3g".repeat(3)}`],
])("a message that may quote the request is not: %s", (_name, input, message) => {
  expect(quotableMessage(message, sent(input))).toBeUndefined();
});

test("a field of the caller's own choice is a text", () => {
  const body = JSON.stringify({ model, "the red fox": 1 });

  expect(quotableMessage("Unknown field: red fox", { body, model })).toBeUndefined();
});

test("a request that cannot be compared keeps no message", () => {
  const message = "Overloaded.";

  expect(quotableMessage(message, { body: undefined, model })).toBeUndefined();
  expect(quotableMessage(message, { body: "--boundary", model })).toBeUndefined();
  expect(quotableMessage(message, sent("a ".repeat(40_000)))).toBeUndefined();
  expect(quotableMessage(message, sent("a"))).toBe(message);
});

test("deep nesting is read", () => {
  const body = `{"input":${"[".repeat(30_000)}"fox"${"]".repeat(30_000)}}`;

  expect(quotableMessage("Invalid: fox", { body, model })).toBeUndefined();
});

test("a long message ends after a whole word", () => {
  const kept = quotableMessage("overloaded servers everywhere ".repeat(20), sent("a"));

  expect(kept).toMatch(/^[\w ]{1,160}…$/);
  expect(kept).toMatch(/(overloaded|servers|everywhere)…$/);
});
