import { isObject } from "../../domain/json.js";
import type { StoredEntry, StoredResponse } from "../../images/idempotency/response-store.js";

export const responseTtlMs = 24 * 60 * 60_000;
export const sweepEveryMs = 10 * 60_000;

export function writeEntry({ fingerprint, response }: StoredEntry): string {
  return JSON.stringify({ fingerprint, response });
}

/** Checks the outline only: `writeEntry` writes all entries, and a truncated one is not valid JSON. */
export function parseEntry(text: string): StoredEntry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || typeof value.fingerprint !== "string") return undefined;
    return isStoredResponse(value.response)
      ? { fingerprint: value.fingerprint, response: value.response }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Number of evicted or lost responses that are remembered. They have no content. */
export const lostResponsesMax = 10_000;

export function damagedResponse(id: string): Error {
  return new Error(`The stored response ${id} is damaged and counts as lost.`);
}

export function responseTooLarge(bytes: number, bytesMax: number): Error {
  return new Error(`A response of ${bytes} bytes exceeds the limit of ${bytesMax} bytes and is not stored.`);
}

function isStoredResponse(value: unknown): value is StoredResponse {
  if (!isObject(value)) return false;
  return Array.isArray(value.events) || (isObject(value.images) && Array.isArray(value.images.data));
}
