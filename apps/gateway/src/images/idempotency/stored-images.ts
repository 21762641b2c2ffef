import { ImageBytes } from "@model-gateway/domain/image-bytes";
import type { ImageEvent, ImagesDocument } from "@model-gateway/domain/requests";
import { joinBytes } from "@model-gateway/runtime/join-bytes";
import type { Steps } from "@model-gateway/runtime/time-slice";
import type { StoredEvent, StoredImages } from "./response-store.js";

/** A response for the store. Its images are released: copies of their base64 replace them. */
export function* storeImages({ data, ...fields }: ImagesDocument): Steps<StoredImages> {
  const stored: StoredImages["data"][number][] = [];
  for (const { b64_json, ...image } of data)
    stored.push(b64_json === undefined ? image : { b64_json: yield* base64Of(b64_json), ...image });
  return { ...fields, data: stored };
}

export function* restoreImages({ data, ...fields }: StoredImages): Steps<ImagesDocument> {
  const restored: ImagesDocument["data"][number][] = [];
  for (const { b64_json, ...image } of data)
    restored.push(b64_json === undefined ? image : { b64_json: yield* imageOf(b64_json), ...image });
  return { ...fields, data: restored };
}

export function* storeEvents(events: readonly ImageEvent[]): Steps<readonly StoredEvent[]> {
  const stored: StoredEvent[] = [];
  // Only the form of the image differs.
  for (const event of events)
    stored.push({ ...event, b64_json: yield* base64Of(event.b64_json) } as StoredEvent);
  return stored;
}

export function* restoreEvents(events: readonly StoredEvent[]): Steps<readonly ImageEvent[]> {
  const restored: ImageEvent[] = [];
  for (const event of events)
    restored.push({ ...event, b64_json: yield* imageOf(event.b64_json) } as ImageEvent);
  return restored;
}

function* base64Of(image: ImageBytes): Steps<Buffer> {
  const base64 = yield* joinBytes(image.toBase64());
  image.release();
  return base64;
}

function* imageOf(base64: Buffer): Steps<ImageBytes> {
  const image = yield* ImageBytes.fromBase64([base64]);
  if (image === undefined) throw new Error("A stored response has an image that is not base64.");
  return image;
}
