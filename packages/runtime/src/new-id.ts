import { randomBytes } from "node:crypto";

/** A new id that nobody can guess, such as `key_5f0c…`. */
export function newId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString("hex")}`;
}

/**
 * The same in 32 digits, beginning with the time: such ids sort by creation, and a page of a list can follow one that was deleted.
 *
 * @param now Milliseconds since 1970.
 */
export function newOrderedId(prefix: string, now: number): string {
  return `${prefix}${now.toString(16).padStart(12, "0")}${randomBytes(10).toString("hex")}`;
}
