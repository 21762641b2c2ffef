import { GatewayError } from "../../errors.js";

/** The last item of a page, in a list sorted by time and then by id. */
export interface CursorPosition {
  readonly at: number;
  readonly id: string;
}

export function writeCursor({ at, id }: CursorPosition): string {
  return Buffer.from(JSON.stringify([at, id])).toString("base64url");
}

/** Throws `invalid_value` for anything that `writeCursor` would not have written. */
export function readCursor(cursor: string): CursorPosition {
  const value = parse(Buffer.from(cursor, "base64url").toString());
  if (Array.isArray(value) && value.length === 2) {
    const [at, id] = value as unknown[];
    if (Number.isSafeInteger(at) && typeof at === "number" && typeof id === "string" && isStorable(id)) {
      const position = { at, id };
      if (writeCursor(position) === cursor) return position;
    }
  }
  throw new GatewayError(
    "invalid_value",
    "Invalid cursor. Pass a `next_cursor` value returned by this endpoint.",
    {
      param: "cursor",
    },
  );
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
