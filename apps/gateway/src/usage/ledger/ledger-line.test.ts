import fc from "fast-check";
import { expect, test } from "vitest";
import { rowOf } from "../test/ledger-rows.js";
import { readLine, writeLine } from "./ledger-line.js";
import type { LedgerRow } from "./ledger-store.js";

const text = fc.string({ unit: "binary", maxLength: 40 });
const number = fc.integer({ min: 0 });
const anyAttempt = fc.record({
  upstream: text,
  model: text,
  status: fc.option(number),
  ms: fc.option(number),
  reason: text,
});
const anyRow = fc.record<LedgerRow>({
  id: text,
  at: number,
  keyId: text,
  keyName: text,
  operation: fc.constantFrom("createEmbedding", "createImage"),
  model: fc.option(text),
  upstream: fc.option(text),
  attempts: number,
  status: number,
  inputTokens: number,
  outputTokens: number,
  images: number,
  costNanos: fc.option(number),
  estimatedNanos: number,
  ms: fc.double({ min: 0, max: 1e6, noNaN: true }),
  requestBytes: number,
  responseBytes: number,
  cache: fc.constantFrom("hit", "partial", "miss", null),
  errorCode: fc.option(text),
  tokensEstimated: fc.boolean(),
  cachedInputs: number,
  savedNanos: fc.option(number),
  batchId: fc.option(text),
  jobId: fc.option(text),
  failedAttempts: fc.option(fc.array(anyAttempt, { maxLength: 3 })),
  contentCredentials: fc.constantFrom("preserved", "removed", "none", null),
  failure: fc.option(
    fc.record({
      message: text,
      param: fc.option(text),
      requestedModel: fc.option(text),
      attempts: fc.array(anyAttempt, { maxLength: 3 }),
    }),
  ),
});

test("a row is written as one line, and read back unchanged", () => {
  fc.assert(
    fc.property(anyRow, (row) => {
      const line = writeLine(row);

      expect(line.indexOf("\n")).toBe(line.length - 1);
      expect(readLine(line)).toEqual(row);
    }),
  );
});

test("a line truncated anywhere is not a row", () => {
  const line = writeLine(rowOf(1));

  for (let length = 0; length < line.length - 1; length += 1) {
    expect(readLine(line.slice(0, length))).toBeUndefined();
  }
});

test.each([
  ["two lines joined by a torn write", `${writeLine(rowOf(1)).slice(0, 30)}${writeLine(rowOf(2))}`],
  ["zeros after a power failure", "\0".repeat(100)],
  ["another format", writeLine(rowOf(1)).replace("[1,", "[2,")],
  ["a missing column", writeLine(rowOf(1)).replace(",0]", "]")],
  ["a flag that is neither 0 nor 1", writeLine(rowOf(1)).replace(",0,0,0,null,", ",2,0,0,null,")],
  ["an extra column", writeLine(rowOf(1)).replace("]", ",1]")],
  ["a text where a number belongs", writeLine(rowOf(1)).replace(",200,", ',"200",')],
  ["a number that is too large", writeLine(rowOf(1)).replace(",200,", ",1e400,")],
  ["NaN where a number belongs", writeLine(rowOf(1, { ms: Number.NaN }))],
  [
    "a failure of another shape",
    writeLine(rowOf(1)).replace(",null,null,null,null,null,0]", ',{"message":1},null,null,null,null,0]'),
  ],
  [
    "a word for credentials that does not exist",
    writeLine(rowOf(1)).replace(",null,null,null,null,0]", ',"lost",null,null,null,0]'),
  ],
  ["attempts of another shape", writeLine(rowOf(1)).replace(",null,0]", ',[{"upstream":1}],0]')],
  ["something else", "null"],
])("%s is not a row", (_name, line) => {
  expect(readLine(line)).toBeUndefined();
});
