import type { StoredEntry, StoredResponse } from "../../images/idempotency/response-store.js";

/** How long an answer is kept. */
export const responseTtlMs = 24 * 60 * 60_000;
/** How often what has expired is looked for. */
export const sweepEveryMs = 10 * 60_000;

/** The key is `answer` because entries that were written before must stay readable. */
export function writeEntry({ fingerprint, response }: StoredEntry): string {
  return JSON.stringify({ fingerprint, answer: response });
}

/** Only `writeEntry` makes these texts, and a cut one is no JSON: the outline is enough to know one of ours. */
export function parseEntry(text: string): StoredEntry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || typeof value.fingerprint !== "string") return undefined;
    return isStoredResponse(value.answer)
      ? { fingerprint: value.fingerprint, response: value.answer }
      : undefined;
  } catch {
    return undefined;
  }
}

export function damagedResponse(id: string): Error {
  return new Error(`The stored response ${id} was damaged and has been removed.`);
}

export function responseTooLarge(bytes: number, bytesMax: number): Error {
  return new Error(`A response of ${bytes} bytes is more than the ${bytesMax} that may be stored.`);
}

function isStoredResponse(value: unknown): value is StoredResponse {
  if (!isObject(value)) return false;
  return Array.isArray(value.events) || (isObject(value.images) && Array.isArray(value.images.data));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
