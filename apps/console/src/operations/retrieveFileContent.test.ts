import { expect, test } from "vitest";
import { wholeLines } from "./retrieveFileContent.js";

test("a line that the end of the part has cut is left out", () => {
  expect(wholeLines('{"a": 1}\n{"b": 2}\n{"c"')).toEqual(['{"a": 1}', '{"b": 2}']);
  expect(wholeLines("")).toEqual([]);
});
