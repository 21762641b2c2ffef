import type { MediaTokens } from "@model-gateway/domain/media-input";
import type { BinaryDtype } from "@model-gateway/domain/output-dtype";
import type { Vector, VectorText } from "@model-gateway/domain/vector";
import { writeSigns } from "./pack-signs.js";
import type { InputImages } from "./request-usage.js";

/** The form of the vectors in a response. Integers of a provider are written like floats. */
export type VectorForm = "float" | "base64" | BinaryDtype;

export interface SerializedResponse {
  readonly model: string;
  readonly vectors: readonly Vector[];
  readonly promptTokens: number;
  /** How many of them are those of images. Undefined: that is not known. */
  readonly imageTokens?: number | undefined;
  /** The same for media, by kind. */
  readonly mediaTokens?: MediaTokens | undefined;
  /** The images of all inputs. Undefined without any. */
  readonly images?: InputImages | undefined;
  readonly form: VectorForm;
}

/** A document in chunks, and its length where that is known before they are written. */
export interface ChunkedDocument {
  readonly chunks: Iterable<string | Buffer>;
  readonly bytes: number | undefined;
}

/** Writes the spec's CreateEmbeddingResponse. */
export function serializeEmbeddings(
  parts: SerializedResponse,
  { id }: { readonly id: string },
): ChunkedDocument {
  const { promptTokens, imageTokens, mediaTokens } = parts;
  const tokens = JSON.stringify(promptTokens);
  const details = imageTokens === undefined ? "" : detailsOf(promptTokens, imageTokens, mediaTokens);
  const usage = `{"prompt_tokens":${tokens},"total_tokens":${tokens}${details}}`;
  // Batches read the usage from the end of the document.
  return serializeList(parts, `"id":${JSON.stringify(id)},"usage":${usage}`);
}

/**
 * Writes a list of vectors chunk by chunk. A vector that is already in the right encoding is sent as it arrived, and a
 * large response is never one string.
 *
 * @param rest The fields after the model, as JSON.
 */
export function serializeList(
  { model, vectors, form }: Pick<SerializedResponse, "model" | "vectors" | "form">,
  rest: string,
): ChunkedDocument {
  const frame = frames[form];
  const close = vectors.length === 0 ? listStart : frame.close;
  const end = Buffer.from(`${close}],"model":${JSON.stringify(model)},${rest}}`);
  return { chunks: chunksOf(vectors, frame, end), bytes: lengthOf(vectors, frame, end) };
}

/** An upstream's two numbers may contradict each other. */
function detailsOf(promptTokens: number, imageTokens: number, mediaTokens: MediaTokens = {}): string {
  let textTokens = promptTokens - imageTokens;
  let media = "";
  for (const [kind, tokens] of Object.entries(mediaTokens)) {
    textTokens -= tokens;
    media += `,"${kind}_tokens":${tokens}`;
  }
  const texts = Math.max(0, textTokens);
  return `,"prompt_tokens_details":{"text_tokens":${texts},"image_tokens":${imageTokens}${media}}`;
}

/** The texts around vectors, and the form of the vectors. */
interface Surroundings {
  readonly before: string;
  readonly after: string;
  readonly form: VectorForm;
}

/** Writes vectors as JSON arrays or as strings, one after the other, between two texts. */
export function serializeVectors(vectors: readonly Vector[], around: Surroundings): ChunkedDocument {
  const { before, after, form } = around;
  const quotes = form === "base64" ? 2 : 0;
  let bytes: number | undefined = Buffer.byteLength(before) + Buffer.byteLength(after);
  for (const [index, vector] of vectors.entries()) {
    const length = form === "binary" || form === "ubinary" ? undefined : vector.lengthAs(form);
    const comma = index === 0 ? 0 : 1;
    bytes = bytes === undefined || length === undefined ? undefined : bytes + length + quotes + comma;
  }
  return { chunks: plainChunksOf(vectors, around), bytes };
}

/** Documents one after the other. */
export function joinDocuments(documents: readonly ChunkedDocument[]): ChunkedDocument {
  let bytes: number | undefined = 0;
  for (const one of documents)
    bytes = bytes === undefined || one.bytes === undefined ? undefined : bytes + one.bytes;
  return { chunks: chunksOfAll(documents), bytes };
}

function* chunksOfAll(documents: readonly ChunkedDocument[]): Generator<string | Buffer> {
  for (const { chunks } of documents) yield* chunks;
}

function* plainChunksOf(
  vectors: readonly Vector[],
  { before, after, form }: Surroundings,
): Generator<string | Buffer> {
  const isText = form === "base64";
  yield before;
  for (const [index, vector] of vectors.entries()) {
    if (index > 0) yield ",";
    if (isText) yield '"';
    const text = textOf(vector, form);
    if (typeof text === "string") yield text;
    else for (const chunk of text) yield chunk;
    if (isText) yield '"';
  }
  yield after;
}

function* chunksOf(vectors: readonly Vector[], frame: Frame, end: Buffer): Generator<string | Buffer> {
  for (let index = 0; index < vectors.length; index += 1) {
    const vector = vectors[index];
    if (vector === undefined) continue;
    yield before(index, frame);
    const text = textOf(vector, frame.form);
    if (typeof text === "string") yield text;
    else for (const chunk of text) yield chunk;
  }
  yield end;
}

function textOf(vector: Vector, form: VectorForm): VectorText {
  if (form === "base64") return vector.toBase64();
  return form === "float" ? vector.toJson() : writeSigns(vector.toFloats(), form);
}

function lengthOf(vectors: readonly Vector[], frame: Frame, end: Buffer): number | undefined {
  const { form } = frame;
  if (form === "binary" || form === "ubinary") return undefined;
  let bytes = end.length;
  for (let index = 0; index < vectors.length; index += 1) {
    const length = vectors[index]?.lengthAs(form);
    if (length === undefined) return undefined;
    // Digits are the only part of a frame that grows.
    bytes += length + (index === 0 ? frame.first.length : frame.nextLength + String(index).length);
  }
  return bytes;
}

/** The text around the vectors of one form. */
interface Frame {
  readonly form: VectorForm;
  readonly quote: string;
  /** Closes a vector. */
  readonly close: string;
  /** Everything before the first vector. */
  readonly first: Buffer;
  /** The length of everything between two vectors, without the index's digits. */
  readonly nextLength: number;
  /** Everything before the vectors of the first indexes. Each is written once, when it is first needed. */
  readonly written: (Buffer | undefined)[];
}

const listStart = '{"object":"list","data":[';
const frames: Readonly<Record<VectorForm, Frame>> = {
  float: frameOf("float", ""),
  base64: frameOf("base64", '"'),
  binary: frameOf("binary", ""),
  ubinary: frameOf("ubinary", ""),
};

function frameOf(form: VectorForm, quote: string): Frame {
  const close = `${quote}}`;
  return {
    form,
    quote,
    close,
    first: Buffer.from(`${listStart}${open(0, quote)}`),
    nextLength: `${close},${open("", quote)}`.length,
    written: [],
  };
}

/** As many as a request may have inputs, unless an operator allows more. */
const writtenMax = 2048;

/** Everything between a vector and the one before it. */
function before(index: number, { first, close, quote, written }: Frame): Buffer {
  if (index === 0) return first;
  const known = written[index];
  if (known !== undefined) return known;
  const text = Buffer.from(`${close},${open(index, quote)}`);
  if (index < writtenMax) written[index] = text;
  return text;
}

function open(index: number | "", quote: string): string {
  return `{"object":"embedding","index":${index},"embedding":${quote}`;
}
