import { fromLine, toLine } from "./generated/ledger-row.js";
import type { LedgerRow } from "./ledger-store.js";

/** A row as a JSON line. An array takes half the time and half the bytes of an object. */
export function writeLine(row: LedgerRow): string {
  return `${JSON.stringify(toLine(row))}\n`;
}

/** Undefined if the line is not a complete row: a torn write, damage on the disk, or another format. */
export function readLine(line: string): LedgerRow | undefined {
  const list = parse(line);
  return Array.isArray(list) ? fromLine(list) : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
