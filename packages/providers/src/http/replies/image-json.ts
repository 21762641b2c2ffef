import type { ImageBytes } from "@model-gateway/domain/image-bytes";
import { isObject } from "@model-gateway/runtime/json";
import { inSlices, type Steps, TimeSlice } from "@model-gateway/runtime/time-slice";
import type { IncomingReply } from "../send.js";
import { imageTextBytesMax, readImageText } from "./image-text.js";
import { invalidReply, jsonKey, parseReply, type SeparatedReply, ValueSeparator } from "./value-separator.js";

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
  const separator = new ValueSeparator<readonly Buffer[]>({
    keys: [jsonKey(key)],
    arrays: "values",
    read: (_kind, chunks) => chunks,
    valuesMax: count,
    valueBytesMax: imageTextBytesMax,
    skeletonBytesMax,
    name: "images",
  });
  await read((chunk) => separator.push(chunk));
  const { skeleton, valueAt } = separator.end();
  const document = parseReply(skeleton);
  if (!isObject(document)) throw invalidReply("it is not an object");
  const images = textsOf(at(document), valueAt);
  return { document, images: await inSlices(readImages(images), new TimeSlice()) };
}

interface ImagesInJson {
  readonly key: string;
  readonly count: number;
  readonly at?: (document: Record<string, unknown>) => unknown;
}

type ImageTexts = readonly (readonly Buffer[])[];

function textsOf(value: unknown, valueAt: SeparatedReply<readonly Buffer[]>["valueAt"]): ImageTexts {
  if (!Array.isArray(value)) {
    const text = valueAt(value);
    return text === undefined ? [] : [text];
  }
  return value.map((one) => {
    const text = valueAt(one);
    if (text === undefined) throw invalidReply("it has an image that is not text");
    return text;
  });
}

function* readImages(texts: ImageTexts): Steps<readonly ImageBytes[]> {
  const images: ImageBytes[] = [];
  for (const text of texts) images.push(yield* readImageText(text));
  return images;
}
