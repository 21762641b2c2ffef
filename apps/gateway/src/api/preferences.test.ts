import { expect, test } from "vitest";
import { readPreferences } from "./preferences.js";

test.each([
  [undefined, false, undefined],
  ["", false, undefined],
  ["respond-async", true, undefined],
  ["Respond-Async", true, undefined],
  ["respond-async, wait=30", true, 30],
  ["wait=30, respond-async; foo=bar", true, 30],
  ["return=minimal, respond-async", true, undefined],
  ['wait="7"', false, 7],
  ["wait = 8", false, 8],
  ["wait=1, wait=2", false, 1],
  ["wait=-1", false, undefined],
  ["wait=soon", false, undefined],
  ["wait", false, undefined],
  ["respond-async-later", false, undefined],
])("Prefer: %s", (header, isAsync, waitSeconds) => {
  expect(readPreferences(header)).toEqual({ isAsync, waitSeconds });
});
