import { ImageBytes } from "@model-gateway/domain/image-bytes";
import type { ImagesDocument } from "@model-gateway/domain/requests";
import { ImageReplies, readImageEvents } from "@model-gateway/providers/dialects/openai/images";
import { readImageJson } from "@model-gateway/providers/http/replies/image-json";
import { imageTextBytesMax, readImageText } from "@model-gateway/providers/http/replies/image-text";
import { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { joinBytes } from "@model-gateway/runtime/join-bytes";
import { inSlices, type Steps, TimeSlice } from "@model-gateway/runtime/time-slice";
import { restoreImages, storeImages } from "../../src/images/idempotency/stored-images.js";
import { parseEntry, writeEntry } from "../../src/storage/images/stored-entry.js";
import { replyIn } from "./incoming.js";
import type { Parser } from "./parser.js";
import { filled, type Shapes } from "./shapes.js";

const bytes = 64 * 1024;
const escapedSlashes: Shapes = { "escaped slashes": () => filled("AAA\\/", { bytes }) };
/** Base64 that is rewritten, in the text of a JSON string. */
const rewritten: Shapes = {
  ...escapedSlashes,
  "escaped letters": () => filled("AAA\\u002f", { bytes }),
  "escaped line breaks": () => filled("AAAA\\n", { bytes }),
  "line breaks": () => filled("AAAA\n", { bytes }),
  "the other alphabet": () => filled("-_", { bytes }),
};

/**
 * The largest image that a reply or a stored response may have: a chunk again and again, between two texts. A megabyte of
 * base64 is read in some milliseconds, whatever its shape.
 */
export const largestImages: readonly Pick<Parser, "name" | "read" | "shapes">[] = [
  {
    name: "the largest image as base64",
    read: (chunk) => inSlices(readImageText(largest(chunk)), new TimeSlice()),
    shapes: rewritten,
  },
  {
    name: "the largest image as a data URL under a link's key",
    read: (chunk) =>
      new ImageReplies(new BufferPool()).read(
        replyOf(chunk, '{"data":[{"url":"data:image/png;base64,', '"}]}'),
        1,
      ),
    shapes: escapedSlashes,
  },
  {
    name: "the largest image in a list",
    read: (chunk) => readImageJson(replyOf(chunk, '{"image":["', '"]}'), { key: "image", count: 1 }),
    shapes: escapedSlashes,
  },
  {
    name: "the largest image of an event",
    read: async (chunk) => {
      const before = 'data: {"type":"image_generation.completed","b64_json":"';
      const found: ImageBytes[] = [];
      for await (const { content } of readImageEvents(replyOf(chunk, before, '"}\n\n').chunks()))
        found.push(content);
      return found;
    },
    shapes: escapedSlashes,
  },
  {
    name: "the largest image of a stored response",
    read: (chunk) => inSlices(storeAndRestore(largest(chunk)), new TimeSlice()),
    shapes: { "plain letters": () => filled("AAAA", { bytes }) },
  },
];

/** The same chunk again and again takes the memory of one. */
function largest(chunk: Buffer, bytes = imageTextBytesMax): readonly Buffer[] {
  return new Array<Buffer>(Math.floor(bytes / chunk.length)).fill(chunk);
}

function replyOf(chunk: Buffer, before: string, after: string) {
  return replyIn(
    copies([Buffer.from(before), ...largest(chunk, imageTextBytesMax - 1024), Buffer.from(after)]),
  );
}

/** A reader may free the memory of a chunk. Each is copied when it arrives. */
function* copies(chunks: readonly Buffer[]): Generator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

/** An image on its way through the store, but for the disk. */
function* storeAndRestore(base64: readonly Buffer[]): Steps<ImagesDocument> {
  const b64_json = yield* ImageBytes.fromBase64(base64);
  if (b64_json === undefined) throw new Error("The image is not base64.");
  const images = yield* storeImages({ created: 1, data: [{ b64_json, revised_prompt: "é" }] });
  const response = { images, credentials: "none" } as const;
  const entry = yield* parseEntry(yield* joinBytes(writeEntry({ fingerprint: "a", response })));
  if (entry === undefined || !("images" in entry.response)) throw new Error("The entry is damaged.");
  return yield* restoreImages(entry.response.images);
}
