import type { LedgerRow } from "./ledger-row.js";

/** Says what the places of a list mean. A change of the columns gets a new number, and the old one stays readable. */
const format = 1;

/** What may stand in each column, in the order of the line. */
const columns = {
  id: isText,
  at: isNumber,
  keyId: isText,
  keyName: isText,
  operation: isText,
  model: isTextOrNull,
  upstream: isTextOrNull,
  attempts: isNumber,
  status: isNumber,
  inputTokens: isNumber,
  outputTokens: isNumber,
  images: isNumber,
  costNanos: isNumberOrNull,
  ms: isNumber,
  requestBytes: isNumber,
  responseBytes: isNumber,
  cache: isTextOrNull,
  errorCode: isTextOrNull,
} satisfies Record<keyof LedgerRow, (value: unknown) => boolean>;
const checks = Object.entries(columns);

/** A row as a line of text. It is a list, which takes half the time and half the bytes of an object with its names. */
export function writeLine(row: LedgerRow): string {
  return `${JSON.stringify([
    format,
    row.id,
    row.at,
    row.keyId,
    row.keyName,
    row.operation,
    row.model,
    row.upstream,
    row.attempts,
    row.status,
    row.inputTokens,
    row.outputTokens,
    row.images,
    row.costNanos,
    row.ms,
    row.requestBytes,
    row.responseBytes,
    row.cache,
    row.errorCode,
  ])}\n`;
}

/** Undefined for what is no whole row: a write that was cut off, or bytes that a disk has changed. */
export function readLine(line: string): LedgerRow | undefined {
  const list = parse(line);
  if (!Array.isArray(list) || list.length !== checks.length + 1 || list[0] !== format) return undefined;
  const row: Record<string, unknown> = {};
  for (const [index, [name, fits]] of checks.entries()) {
    const value: unknown = list[index + 1];
    if (!fits(value)) return undefined;
    row[name] = value;
  }
  // Each column has just been held against the type of its name.
  return row as unknown as LedgerRow;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || isNumber(value);
}
