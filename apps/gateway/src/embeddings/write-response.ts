import type { Vector } from "../domain/vector.js";

export interface EmbeddingResponseParts {
  readonly model: string;
  readonly vectors: readonly Vector[];
  readonly promptTokens: number;
  readonly encoding: "float" | "base64";
}

/** A document in pieces, and how many bytes they have together, where that is known before they are made. */
export interface WrittenResponse {
  readonly chunks: Iterable<string | Buffer>;
  readonly bytes: number | undefined;
}

/**
 * Writes the spec's CreateEmbeddingResponse piece by piece. A vector that is in the right encoding already is sent on as
 * it is, and the whole of a large answer is never one string.
 */
export function writeEmbeddingResponse({
  model,
  vectors,
  promptTokens,
  encoding,
}: EmbeddingResponseParts): WrittenResponse {
  const frame = encoding === "base64" ? base64Frame : floatFrame;
  const tokens = JSON.stringify(promptTokens);
  const close = vectors.length === 0 ? '{"object":"list","data":[' : frame.close;
  const end = Buffer.from(
    `${close}],"model":${JSON.stringify(model)},"usage":{"prompt_tokens":${tokens},"total_tokens":${tokens}}}`,
  );
  return { chunks: piecesOf(vectors, frame, end), bytes: lengthOf(vectors, frame, end) };
}

function* piecesOf(vectors: readonly Vector[], frame: Frame, end: Buffer): Generator<string | Buffer> {
  for (let index = 0; index < vectors.length; index += 1) {
    const vector = vectors[index];
    if (vector === undefined) continue;
    yield frame.before(index);
    const text = frame.encoding === "base64" ? vector.toBase64() : vector.toJson();
    if (typeof text === "string") yield text;
    else for (const piece of text) yield piece;
  }
  yield end;
}

function lengthOf(vectors: readonly Vector[], frame: Frame, end: Buffer): number | undefined {
  let bytes = end.length;
  for (let index = 0; index < vectors.length; index += 1) {
    const length = vectors[index]?.lengthAs(frame.encoding);
    if (length === undefined) return undefined;
    bytes += frame.before(index).length + length;
  }
  return bytes;
}

/** Frames are kept for so many vectors, which is as many as a request may have. */
const keptMax = 2048;

/** What stands around the vectors. It is the same in every answer, and so made once. */
class Frame {
  readonly encoding: "float" | "base64";
  /** What closes the last vector. */
  readonly close: string;
  readonly #quote: string;
  readonly #before: Buffer[] = [];

  constructor(encoding: "float" | "base64") {
    this.encoding = encoding;
    this.#quote = encoding === "base64" ? '"' : "";
    this.close = `${this.#quote}}`;
  }

  /** Everything between a vector and the one before it. */
  before(index: number): Buffer {
    const kept = this.#before[index];
    if (kept !== undefined) return kept;
    const start = index === 0 ? '{"object":"list","data":[' : `${this.close},`;
    const made = Buffer.from(`${start}{"object":"embedding","index":${index},"embedding":${this.#quote}`);
    // In order, so that the list has no holes.
    if (index === this.#before.length && index < keptMax) this.#before.push(made);
    return made;
  }
}

const floatFrame = new Frame("float");
const base64Frame = new Frame("base64");
