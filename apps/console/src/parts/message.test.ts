import { expect, test } from "vitest";
import { splitCode } from "./message.js";

test.each([
  ["The model `a` is not `b`.", ["The model ", "a", " is not ", "b", "."]],
  ["No code.", ["No code."]],
  ["An open ` stays.", ["An open ` stays."]],
  ["Empty `` stays.", ["Empty `` stays."]],
])("%s has its names at the odd places", (text, parts) => {
  expect(splitCode(text)).toEqual(parts);
});
