import type { EmbeddingReply } from "@model-gateway/domain/requests";
import type { Vector } from "@model-gateway/domain/vector";
import { isObject, listAt, objectAt } from "@model-gateway/runtime/json";
import { textBytesMax } from "@model-gateway/vector-check";
import { invalidReply, jsonKey, parseReply, ValueSeparator } from "../../http/replies/value-separator.js";
import { readMediaTokens, readTokenCount, readVector } from "../../http/replies/vectors.js";
import type { IncomingReply } from "../../http/send.js";

const keys = [jsonKey("values")];
const skeletonBytes = 64 * 1024;
const skeletonBytesPerVector = 1024;

/** A reply whose vectors were read while it arrived. */
export interface VectorsReply {
  readonly document: Record<string, unknown>;
  /** The vector under `values` of an object in the document. */
  readonly vectorOf: (holder: unknown) => Vector;
}

/** Google writes one number a line, so a reply of a full batch has some 8 MB. */
export async function readVectorsReply(
  { read }: Pick<IncomingReply, "read">,
  inputCount: number,
): Promise<VectorsReply> {
  const separator = new ValueSeparator<Vector | string>({
    keys,
    arrays: "value",
    read: (kind, chunks) =>
      kind === "array" ? readVector("json", [compact(chunks)]) : "is not a list of numbers",
    valuesMax: inputCount,
    valueBytesMax: textBytesMax,
    skeletonBytesMax: skeletonBytes + inputCount * skeletonBytesPerVector,
    name: "vectors",
  });
  await read((chunk) => separator.push(chunk));
  const { skeleton, valueAt } = separator.end();
  const document = parseReply(skeleton);
  if (!isObject(document)) throw invalidReply("it is not an object");
  return {
    document,
    vectorOf: (holder) => {
      const vector = valueAt(isObject(holder) ? holder.values : undefined) ?? "is missing";
      if (typeof vector === "string") throw invalidReply(`a vector ${vector}`);
      return vector;
    },
  };
}

/**
 * Without white space: vectors are sent to callers as they were written, and the line breaks would double them. Between
 * two numbers without a comma a space is kept, so that they are refused and not joined.
 */
function compact(chunks: readonly Buffer[]): Buffer {
  const text = Buffer.concat(chunks);
  let length = 0;
  let isAfterSpace = false;
  for (const byte of text) {
    if (byte <= space) {
      isAfterSpace = true;
      continue;
    }
    if (isAfterSpace && !isSeparator(byte) && !isSeparator(text[length - 1])) {
      text[length] = space;
      length += 1;
    }
    isAfterSpace = false;
    text[length] = byte;
    length += 1;
  }
  return text.subarray(0, length);
}

const space = 32;
const separators = new Set(Buffer.from("[],"));

function isSeparator(byte: number | undefined): boolean {
  return byte === undefined || separators.has(byte);
}

const modalities = { file: "DOCUMENT", audio: "AUDIO", video: "VIDEO" } as const;

/** Only newer models report it. The two APIs have two names for the tokens of each modality. */
export function readUsage(
  document: Record<string, unknown>,
): Pick<EmbeddingReply, "promptTokens" | "imageTokens" | "mediaTokens"> {
  const usage = objectAt(document, "usageMetadata");
  const details = [...listAt(usage, "promptTokensDetails"), ...listAt(usage, "promptTokenDetails")];
  const tokensOf = (modality: string): number | undefined => {
    const found = details.find((detail) => isObject(detail) && detail.modality === modality);
    return isObject(found) ? readTokenCount(found.tokenCount) : undefined;
  };
  return {
    promptTokens: readTokenCount(usage.promptTokenCount) ?? readTokenCount(usage.totalTokenCount),
    imageTokens: tokensOf("IMAGE"),
    mediaTokens: readMediaTokens((kind) => tokensOf(modalities[kind])),
  };
}
