import type { Vector } from "../domain/vector.js";

export interface SerializedResponse {
  readonly model: string;
  readonly vectors: readonly Vector[];
  readonly promptTokens: number;
  readonly encoding: "float" | "base64";
}

/** A document in chunks, and its length where that is known before they are written. */
export interface ChunkedDocument {
  readonly chunks: Iterable<string | Buffer>;
  readonly bytes: number | undefined;
}

/**
 * Writes the spec's CreateEmbeddingResponse chunk by chunk. A vector that is already in the right encoding is sent as it
 * arrived, and a large response is never one string.
 */
export function serializeEmbeddings(parts: SerializedResponse): ChunkedDocument {
  const { model, vectors, promptTokens, encoding } = parts;
  const frame = frames[encoding];
  const tokens = JSON.stringify(promptTokens);
  const close = vectors.length === 0 ? listStart : frame.close;
  const end = Buffer.from(
    `${close}],"model":${JSON.stringify(model)},"usage":{"prompt_tokens":${tokens},"total_tokens":${tokens}}}`,
  );
  return { chunks: chunksOf(vectors, frame, end), bytes: lengthOf(vectors, frame, end) };
}

/** Writes vectors as JSON arrays, one after the other, between two texts. */
export function serializeVectors(
  vectors: readonly Vector[],
  { before, after }: { readonly before: string; readonly after: string },
): ChunkedDocument {
  let bytes: number | undefined = Buffer.byteLength(before) + Buffer.byteLength(after);
  for (const [index, vector] of vectors.entries()) {
    const length = vector.lengthAs("float");
    bytes = bytes === undefined || length === undefined ? undefined : bytes + length + (index === 0 ? 0 : 1);
  }
  return { chunks: plainChunksOf(vectors, before, after), bytes };
}

function* plainChunksOf(
  vectors: readonly Vector[],
  before: string,
  after: string,
): Generator<string | Buffer> {
  yield before;
  for (const [index, vector] of vectors.entries()) {
    if (index > 0) yield ",";
    const text = vector.toJson();
    if (typeof text === "string") yield text;
    else for (const chunk of text) yield chunk;
  }
  yield after;
}

function* chunksOf(vectors: readonly Vector[], frame: Frame, end: Buffer): Generator<string | Buffer> {
  for (let index = 0; index < vectors.length; index += 1) {
    const vector = vectors[index];
    if (vector === undefined) continue;
    yield before(index, frame);
    const text = frame.encoding === "base64" ? vector.toBase64() : vector.toJson();
    if (typeof text === "string") yield text;
    else for (const chunk of text) yield chunk;
  }
  yield end;
}

function lengthOf(vectors: readonly Vector[], frame: Frame, end: Buffer): number | undefined {
  let bytes = end.length;
  for (let index = 0; index < vectors.length; index += 1) {
    const length = vectors[index]?.lengthAs(frame.encoding);
    if (length === undefined) return undefined;
    // Digits are the only part of a frame that grows.
    bytes += length + (index === 0 ? frame.first.length : frame.nextLength + String(index).length);
  }
  return bytes;
}

/** The text around the vectors of one encoding. */
interface Frame {
  readonly encoding: "float" | "base64";
  readonly quote: string;
  /** Closes a vector. */
  readonly close: string;
  /** Everything before the first vector. */
  readonly first: Buffer;
  /** The length of everything between two vectors, without the index's digits. */
  readonly nextLength: number;
}

const listStart = '{"object":"list","data":[';
const frames = { float: frameOf("float", ""), base64: frameOf("base64", '"') };

function frameOf(encoding: Frame["encoding"], quote: string): Frame {
  const close = `${quote}}`;
  return {
    encoding,
    quote,
    close,
    first: Buffer.from(`${listStart}${open(0, quote)}`),
    nextLength: `${close},${open("", quote)}`.length,
  };
}

/** Everything between a vector and the one before it. */
function before(index: number, { first, close, quote }: Frame): Buffer {
  return index === 0 ? first : Buffer.from(`${close},${open(index, quote)}`);
}

function open(index: number | "", quote: string): string {
  return `{"object":"embedding","index":${index},"embedding":${quote}`;
}
