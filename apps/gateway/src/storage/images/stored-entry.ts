import type { StoredAnswer, StoredEntry } from "../../images/idempotency/response-store.js";

/** How long an answer is kept. */
export const answerTtlMs = 24 * 60 * 60_000;
/** How often what has expired is looked for. */
export const sweepEveryMs = 10 * 60_000;

export function writeEntry(entry: StoredEntry): string {
  return JSON.stringify(entry);
}

/** Only `writeEntry` makes these texts, and a cut one is no JSON: the outline is enough to know one of ours. */
export function parseEntry(text: string): StoredEntry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStoredEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function damagedAnswer(id: string): Error {
  return new Error(`The stored answer ${id} was damaged and has been removed.`);
}

export function answerTooLarge(bytes: number, bytesMax: number): Error {
  return new Error(`An answer of ${bytes} bytes is more than the ${bytesMax} that may be stored.`);
}

function isStoredEntry(value: unknown): value is StoredEntry {
  if (!isObject(value) || typeof value.fingerprint !== "string") return false;
  return isStoredAnswer(value.answer);
}

function isStoredAnswer(value: unknown): value is StoredAnswer {
  if (!isObject(value)) return false;
  return Array.isArray(value.events) || (isObject(value.images) && Array.isArray(value.images.data));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
