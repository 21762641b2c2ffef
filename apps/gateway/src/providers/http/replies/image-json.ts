import type { ImageBytes } from "../../../domain/image-bytes.js";
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
 * @param at Finds the key's value in the document. Default: at the top.
 */
export async function readImageJson(
  { read }: Pick<IncomingReply, "read">,
  { key, count, at = (document) => document[key] }: ImagesInJson,
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
  return { document, images: valueAt(at(document)) ?? [] };
}

interface ImagesInJson {
  readonly key: string;
  readonly count: number;
  readonly at?: (document: Record<string, unknown>) => unknown;
}

function readImages(kind: "string" | "array", chunks: readonly Buffer[]): readonly ImageBytes[] {
  if (kind === "string") return [readImageText(chunks)];
  const value = parseReply(Buffer.concat(chunks).toString("latin1"));
  if (Array.isArray(value) && value.every((one) => typeof one === "string"))
    return value.map(readImageString);
  throw invalidReply("it has an image that is not text");
}
