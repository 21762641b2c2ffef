import { hash } from "node:crypto";

/** The scope of an Idempotency-Key: the same text from another caller, or for another operation, is another key. */
export interface RequestScope {
  readonly caller: string;
  readonly operation: string;
  readonly key: string;
}

export const ownerDigits = 16;
const scopeDigits = 48;

/**
 * The id of a response in the store, 64 hexadecimal digits: first those of its caller, so that a store knows whose it is
 * after a restart too, then those of the whole. They are hashed because a caller's key may hold private text.
 */
export function scopeId({ caller, operation, key }: RequestScope): string {
  const scope = hash("sha256", JSON.stringify([caller, operation, key]), "hex");
  return `${hash("sha256", caller, "hex").slice(0, ownerDigits)}${scope.slice(0, scopeDigits)}`;
}

/** The part of an id that all responses of one caller have. */
export function ownerOf(id: string): string {
  return id.slice(0, ownerDigits);
}
