import fc from "fast-check";
import { expect, test } from "vitest";
import { anyRow } from "../test/any-row.js";
import { rowOf } from "../test/ledger-rows.js";
import { columnEntries } from "./ledger-columns.js";
import { readLine, writeLine } from "./ledger-line.js";
import type { LedgerRow } from "./ledger-store.js";

test("a row is written as one line, and read back unchanged", () => {
  fc.assert(
    fc.property(anyRow(fc.string({ unit: "binary", maxLength: 40 })), (row) => {
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
  ["a missing column", writeLine(rowOf(1)).replace(",null]", "]")],
  ["an extra column", writeLine(rowOf(1)).replace("]", ",1]")],
  ["a flag that is neither 0 nor 1", lineWith("tokensEstimated", 2)],
  ["a text where a number belongs", lineWith("status", "200")],
  ["a number where a text belongs", lineWith("errorCode", 1)],
  ["null where a text belongs", lineWith("keyId", null)],
  ["a number that is too large", writeLine(rowOf(1)).replace(",200,", ",1e400,")],
  ["NaN where a number belongs", writeLine(rowOf(1, { ms: Number.NaN }))],
  ["a failure of another shape", lineWith("failure", { message: 1 })],
  ["a word for credentials that does not exist", lineWith("contentCredentials", "lost")],
  ["attempts of another shape", lineWith("failedAttempts", [{ upstream: 1 }])],
  ["something else", "null"],
])("%s is not a row", (_name, line) => {
  expect(readLine(line)).toBeUndefined();
});

/** A line with a value that no row has. */
function lineWith(column: keyof LedgerRow, value: unknown): string {
  const list: unknown[] = JSON.parse(writeLine(rowOf(1)));
  list[columnEntries.findIndex(([name]) => name === column) + 1] = value;
  return JSON.stringify(list);
}
