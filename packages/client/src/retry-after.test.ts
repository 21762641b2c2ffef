import { expect, test } from "vitest";
import { readRetryAfter } from "./retry-after.js";

const nowMs = Date.parse("Sun, 15 Nov 2026 02:00:00 GMT");

test.each([
  {
    name: "milliseconds win over seconds",
    given: { "retry-after-ms": "1500", "retry-after": "2" },
    want: 1500,
  },
  { name: "seconds become milliseconds", given: { "retry-after": "2" }, want: 2000 },
  {
    name: "a date becomes the time until then",
    given: { "retry-after": "Sun, 15 Nov 2026 02:00:05 GMT" },
    want: 5000,
  },
  {
    name: "a date that has passed asks for no wait",
    given: { "retry-after": "Sun, 15 Nov 2026 01:00:00 GMT" },
    want: 0,
  },
  { name: "no header says nothing", given: {}, want: undefined },
  { name: "a header that can not be read says nothing", given: { "retry-after": "soon" }, want: undefined },
])("$name", ({ given, want }) => {
  expect(readRetryAfter(new Headers(given), nowMs)).toEqual(want);
});
