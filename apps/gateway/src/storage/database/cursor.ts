import { GatewayError } from "../../errors.js";

/** The place in a list that is sorted by time and then by id: that of the last item that was handed out. */
export interface Place {
  readonly at: number;
  readonly id: string;
}

export function writeCursor({ at, id }: Place): string {
  return Buffer.from(JSON.stringify([at, id])).toString("base64url");
}

/** Throws an `invalid_value` of `cursor` for anything that `writeCursor` would not have written. */
export function readCursor(cursor: string): Place {
  const value = parse(Buffer.from(cursor, "base64url").toString());
  if (Array.isArray(value) && value.length === 2) {
    const [at, id] = value as unknown[];
    if (Number.isSafeInteger(at) && typeof at === "number" && typeof id === "string" && isStorable(id)) {
      const place = { at, id };
      if (writeCursor(place) === cursor) return place;
    }
  }
  throw new GatewayError("invalid_value", "The cursor is none that a list has given out as next_cursor.", {
    param: "cursor",
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Zero and half a surrogate pair: PostgreSQL refuses them, and SQLite cuts the text there.
const unstorable = /[\0\p{Cs}]/gu;

/** Whether both databases give the text back as it is. */
export function isStorable(text: string): boolean {
  return text.search(unstorable) === -1;
}

/** The text with a mark in place of what cannot be stored, and cut where it is too long for an index. */
export function toStorable(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replace(unstorable, "\ufffd");
}
