import { ImageBytes } from "../../domain/image-bytes.js";
import type { ImageEvent, ImageEventJson, ImagesDocument } from "../../domain/requests.js";
import type { Schemas } from "../../operations.js";

/** A response as plain JSON, for the store. Its images are released: their texts replace them. */
export function storeImages({ data, ...fields }: ImagesDocument): Schemas["ImagesResponse"] {
  const store = ({ b64_json, ...image }: ImagesDocument["data"][number]): Schemas["Image"] =>
    b64_json === undefined ? image : { b64_json: textOf(b64_json), ...image };
  return { ...fields, data: data.map(store) };
}

export function restoreImages({ data, ...fields }: Schemas["ImagesResponse"]): ImagesDocument {
  const restore = ({ b64_json, ...image }: Schemas["Image"]): ImagesDocument["data"][number] =>
    b64_json === undefined ? image : { b64_json: bytesOf(b64_json), ...image };
  return { ...fields, data: data.map(restore) };
}

export function storeEvent(event: ImageEvent): ImageEventJson {
  // Only the form of the image differs.
  return { ...event, b64_json: textOf(event.b64_json) } as ImageEventJson;
}

export function restoreEvent(event: ImageEventJson): ImageEvent {
  return { ...event, b64_json: bytesOf(event.b64_json) } as ImageEvent;
}

function textOf(image: ImageBytes): string {
  const text = image.toText();
  image.release();
  return text;
}

function bytesOf(text: string): ImageBytes {
  const image = ImageBytes.fromText(text);
  if (image === undefined) throw new Error("A stored response has an image that is not base64.");
  return image;
}
