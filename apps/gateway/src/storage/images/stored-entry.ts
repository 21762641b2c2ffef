import { isContentCredentials } from "@model-gateway/domain/content-credentials";
import { isObject } from "@model-gateway/runtime/json";
import type { Steps } from "@model-gateway/runtime/time-slice";
import type { StoredEntry, StoredResponse } from "../../images/idempotency/response-store.js";

export const responseTtlMs = 24 * 60 * 60_000;
export const sweepEveryMs = 10 * 60_000;

const quote = 0x22;
/** No text has it: JSON escapes its quotes. */
const imageStart = '"b64_json":"';
/** Searched in less than a millisecond. */
const bytesPerStep = 1024 * 1024;

/** An entry as JSON, in pieces. `JSON.stringify` would look at every letter of an image, so it writes only the rest. */
export function writeEntry({ fingerprint, response }: StoredEntry): Buffer[] {
  const images: Buffer[] = [];
  const rest = mapImages(response, (image) => {
    images.push(image);
    return "";
  });
  const texts = JSON.stringify({ fingerprint, response: rest }).split(imageStart);
  return texts.flatMap((text, index) => {
    const image = images[index];
    return image === undefined ? [Buffer.from(text)] : [Buffer.from(text + imageStart), image];
  });
}

/** Checks the outline only: `writeEntry` writes all entries, and a truncated one is not valid JSON. */
export function* parseEntry(text: Buffer): Steps<StoredEntry | undefined> {
  const images: Buffer[] = [];
  let rest = "";
  let kept = 0;
  for (let start = text.indexOf(imageStart); start !== -1; start = text.indexOf(imageStart, kept)) {
    const image = yield* textFrom(text, start + imageStart.length);
    images.push(image);
    rest += text.toString("utf8", kept, start + imageStart.length);
    kept = start + imageStart.length + image.length;
  }
  rest += text.toString("utf8", kept);
  try {
    return restoreEntry(JSON.parse(rest), images);
  } catch {
    return undefined;
  }
}

/** Up to the next quote, or to the end. */
function* textFrom(text: Buffer, start: number): Steps<Buffer> {
  for (let from = start; from < text.length; from += bytesPerStep) {
    const end = text.subarray(from, from + bytesPerStep).indexOf(quote);
    if (end !== -1) return text.subarray(start, from + end);
    yield;
  }
  return text.subarray(start);
}

function restoreEntry(value: unknown, images: readonly Buffer[]): StoredEntry | undefined {
  if (!isObject(value) || typeof value.fingerprint !== "string") return undefined;
  if (!isStoredResponse(value.response)) return undefined;
  // The images are in the order in which they were written.
  const left = [...images];
  const response = mapImages(value.response, () => {
    const image = left.shift();
    if (image === undefined) throw new Error("The entry has fewer images than it says.");
    return image;
  });
  // Only the form of the images differs.
  return { fingerprint: value.fingerprint, response: response as StoredResponse };
}

/** A response with other values in the place of its images. */
function mapImages(response: StoredResponse, mapped: (image: Buffer) => unknown): object {
  const map = <T extends { readonly b64_json?: Buffer }>(one: T): object =>
    one.b64_json === undefined ? one : { ...one, b64_json: mapped(one.b64_json) };
  if ("events" in response) return { ...response, events: response.events.map(map) };
  const { images } = response;
  return { ...response, images: { ...images, data: images.data.map(map) } };
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
  if (!isObject(value) || !isContentCredentials(value.credentials)) return false;
  return Array.isArray(value.events) || (isObject(value.images) && Array.isArray(value.images.data));
}
