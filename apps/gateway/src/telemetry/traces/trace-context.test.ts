import { expect, test } from "vitest";
import { readTraceparent, writeTraceparent } from "./trace-context.js";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";

test("a valid traceparent is read and written", () => {
  const sampled = { traceId, spanId, isSampled: true };

  expect(readTraceparent(`00-${traceId}-${spanId}-01`)).toEqual(sampled);
  expect(readTraceparent(`00-${traceId}-${spanId}-00`)).toEqual({ ...sampled, isSampled: false });
  expect(readTraceparent(`00-${traceId}-${spanId}-03`)).toEqual(sampled);
  expect(writeTraceparent(sampled)).toBe(`00-${traceId}-${spanId}-01`);
  expect(writeTraceparent({ ...sampled, isSampled: false })).toBe(`00-${traceId}-${spanId}-00`);
});

test("of a later version, the known fields are read", () => {
  expect(readTraceparent(`cc-${traceId}-${spanId}-01-what-the-future-will-be`)).toEqual({
    traceId,
    spanId,
    isSampled: true,
  });
});

test.each([
  undefined,
  "",
  "garbage",
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${"0".repeat(32)}-${spanId}-01`,
  `00-${traceId}-${"0".repeat(16)}-01`,
  `00-${traceId.slice(1)}-${spanId}-01`,
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-0x`,
  `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
])("%s is not a traceparent", (header) => {
  expect(readTraceparent(header)).toBeUndefined();
});
