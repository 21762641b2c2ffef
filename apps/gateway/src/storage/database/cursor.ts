import { GatewayError } from "@model-gateway/domain/errors";
import type { Page, PageRequest } from "@model-gateway/domain/page";

/** The last item of a page, in a list sorted by time and then by id. */
interface CursorPosition {
  readonly at: number;
  readonly id: string;
}

interface PageItems<Row, Item> {
  readonly toItem: (row: Row) => Item;
  readonly cursorOf: (row: Row) => CursorPosition;
}

/** The page of a list that was read with one row more than its limit. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  { limit }: Pick<PageRequest, "limit">,
  { toItem, cursorOf }: PageItems<Row, Item>,
): Page<Item> {
  const items = rows.slice(0, limit).map(toItem);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return last === undefined ? { items } : { items, nextCursor: writeCursor(cursorOf(last)) };
}

export function writeCursor({ at, id }: CursorPosition): string {
  return encodeCursor([at, id]);
}

/** Throws `invalid_value` for anything that `pageOf` would not have written. */
export function readCursor(cursor: string): CursorPosition {
  const [at, id, ...others] = decodeCursor(cursor);
  if (others.length === 0 && isInteger(at) && isStorableText(id)) return { at, id };
  throw invalidCursor();
}

export function encodeCursor(position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** The value given to `encodeCursor`, with unchecked entries. */
export function decodeCursor(cursor: string): readonly unknown[] {
  const position = parse(Buffer.from(cursor, "base64url").toString());
  if (Array.isArray(position) && encodeCursor(position) === cursor) return position;
  throw invalidCursor();
}

export function invalidCursor(): GatewayError {
  return new GatewayError(
    "invalid_value",
    "Invalid cursor. Pass a `next_cursor` value returned by this endpoint.",
    { param: "cursor" },
  );
}

export function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

export function isStorableText(value: unknown): value is string {
  return typeof value === "string" && isStorable(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// NUL and unpaired surrogates: PostgreSQL rejects them, and SQLite truncates the text there.
const unstorable = /[\0\p{Cs}]/gu;

/** Whether both databases return the text unchanged. */
export function isStorable(text: string): boolean {
  return text.search(unstorable) === -1;
}

/** Replaces characters that cannot be stored, and truncates text that is too long for an index. */
export function toStorable(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replace(unstorable, "\ufffd");
}
