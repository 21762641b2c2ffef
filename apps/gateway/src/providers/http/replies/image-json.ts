import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { ImageBytes } from "../../../domain/image-bytes.js";
import type { ImageInput } from "../../../domain/image-input.js";
import { mediaTypes } from "../../../domain/image-profile.js";
import { isObject } from "../../../domain/json.js";
import type { IncomingReply } from "../send.js";
import { imageTextBytesMax, readImageString, readImageText } from "./image-text.js";
import { invalidReply, jsonKey, parseReply, ValueSeparator } from "./value-separator.js";

/** For everything but the images: servers repeat the prompts. */
const skeletonBytesMax = 4 * 1024 * 1024;

/**
 * Reads a JSON reply with images as base64, while it arrives. Only the images are kept apart: the rest is small.
 *
 * @param key Where they are: one, or a list of them.
 * @param count How many there may be.
 */
export async function readImageJson(
  { read }: Pick<IncomingReply, "read">,
  { key, count }: { readonly key: string; readonly count: number },
): Promise<{ readonly document: Record<string, unknown>; readonly images: readonly ImageBytes[] }> {
  const separator = new ValueSeparator<readonly ImageBytes[]>({
    keys: [jsonKey(key)],
    takesArrays: true,
    read: readImages,
    valuesMax: 1,
    valueBytesMax: count * imageTextBytesMax,
    skeletonBytesMax,
    name: "images",
  });
  await read((chunk) => separator.push(chunk));
  const { skeleton, valueAt } = separator.end();
  const document = parseReply(skeleton);
  if (!isObject(document)) throw invalidReply("it is not an object");
  return { document, images: valueAt(document[key]) ?? [] };
}

function readImages(kind: "string" | "array", chunks: readonly Buffer[]): readonly ImageBytes[] {
  if (kind === "string") return [readImageText(chunks)];
  const value = parseReply(Buffer.concat(chunks).toString("latin1"));
  if (Array.isArray(value) && value.every((one) => typeof one === "string"))
    return value.map(readImageString);
  throw invalidReply("it has an image that is not text");
}

/** An image in a JSON body: under a key of its own, or as the only one of a list. */
export interface JsonImage {
  readonly key: string;
  readonly image: ImageInput;
  readonly isList?: boolean;
}

export interface EncodedJson {
  readonly headers: { readonly "content-type": string; readonly "content-length": string };
  /** Begins anew each time it is called. */
  readonly body: () => Readable;
}

/** Encodes JSON with images as base64, as a stream of known length. Images are streamed, not held in memory. */
export function encodeImageJson(
  fields: Readonly<Record<string, unknown>>,
  images: readonly JsonImage[],
): EncodedJson {
  const start = JSON.stringify(fields).slice(0, -1);
  const parts = images.map(({ key, image, isList = false }) => ({
    image,
    head: Buffer.from(`,${JSON.stringify(key)}:${isList ? "[" : ""}"`),
    tail: Buffer.from(isList ? '"]' : '"'),
  }));
  const bytes = parts.reduce(
    (sum, { head, image, tail }) => sum + head.length + 4 * Math.ceil(image.bytes / 3) + tail.length,
    Buffer.byteLength(start) + 1,
  );

  async function* body(): AsyncGenerator<Buffer> {
    yield Buffer.from(start);
    for (const { head, image, tail } of parts) {
      yield head;
      yield* base64Of(image);
      yield tail;
    }
    yield Buffer.from("}");
  }

  return {
    headers: { "content-type": "application/json", "content-length": String(bytes) },
    body: () => Readable.from(body()),
  };
}

/**
 * Encodes JSON with images as data URLs at any place of it, as a stream of known length.
 *
 * @param build Builds the document. It must use every link that it asks for once.
 */
export function encodeImageDocument(build: (link: (image: ImageInput) => string) => object): EncodedJson {
  const marked = new Map<string, ImageInput>();
  const text = JSON.stringify(
    build((image) => {
      // No text of a caller can be equal to it.
      const mark = randomUUID();
      marked.set(mark, image);
      return mark;
    }),
  );
  const parts = [...marked].map(([mark, image]) => ({ mark, image, at: text.indexOf(mark) }));
  parts.sort((one, other) => one.at - other.at);
  const pieces: (Buffer | ImageInput)[] = [];
  let start = 0;
  for (const { mark, image, at } of parts) {
    pieces.push(Buffer.from(`${text.slice(start, at)}data:${mediaTypes[image.format]};base64,`), image);
    start = at + mark.length;
  }
  pieces.push(Buffer.from(text.slice(start)));
  const bytes = pieces.reduce(
    (sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : 4 * Math.ceil(piece.bytes / 3)),
    0,
  );

  async function* body(): AsyncGenerator<Buffer> {
    for (const piece of pieces) {
      if (Buffer.isBuffer(piece)) yield piece;
      else yield* base64Of(piece);
    }
  }

  return {
    headers: { "content-type": "application/json", "content-length": String(bytes) },
    body: () => Readable.from(body()),
  };
}

/** Three bytes are four letters, so what is left of a chunk goes before the next. */
export async function* base64Of(image: ImageInput): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of image.stream() as AsyncIterable<Buffer>) {
    const content = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = content.length - (content.length % 3);
    yield Buffer.from(content.toString("base64", 0, whole), "latin1");
    rest = content.subarray(whole);
  }
  if (rest.length > 0) yield Buffer.from(rest.toString("base64"), "latin1");
}
