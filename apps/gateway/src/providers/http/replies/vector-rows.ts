import { textBytesMax } from "@model-gateway/vector-check";
import type { EmbeddingReply } from "../../../domain/requests.js";
import type { Vector } from "../../../domain/vector.js";
import { GatewayError } from "../../../errors.js";
import type { BufferPool } from "../../../runtime/buffer-pool.js";
import { ChunkList } from "../../../runtime/chunk-list.js";
import { ReplyBuffers } from "../../../runtime/reply-buffers.js";
import type { IncomingReply } from "../send.js";
import { invalidReply } from "./value-separator.js";
import { readVector } from "./vectors.js";

const quote = 34;
const backslash = 92;
const openBracket = 91;
const closeBracket = 93;
const skeletonBytes = 64 * 1024;
/** A number and a comma stand for a vector; white space is allowed. */
const skeletonBytesPerVector = 256;

/** A reply whose vectors are the rows of a list, `[[0.1, …], …]`. */
export interface VectorRows {
  /** The reply as JSON, in which the number of a row stands in its place. */
  readonly reply: unknown;
  /** The vectors of the list that has the rows. */
  readonly itemsOf: (list: unknown) => EmbeddingReply["items"];
}

export interface VectorRowsOptions {
  /** How many vectors the reply may have. */
  readonly count: number;
  readonly buffers: BufferPool;
}

/** Reads such a reply while it arrives: JSON.parse of megabytes of numbers would block every other request. */
export async function readVectorRows(
  { read }: Pick<IncomingReply, "read">,
  { count, buffers: pool }: VectorRowsOptions,
): Promise<VectorRows> {
  const buffers = new ReplyBuffers(pool);
  const separator = new RowSeparator(count, buffers);
  await read((chunk) => separator.push(buffers.add(chunk)));
  return separator.end();
}

/** Every list inside another one is a row. What is kept is bounded by the number of rows that were asked for. */
class RowSeparator {
  readonly #count: number;
  readonly #buffers: ReplyBuffers;
  readonly #rows: Vector[] = [];
  /** In latin1: one letter for each byte. */
  #skeleton = "";
  #listDepth = 0;
  #isInString = false;
  #isEscaped = false;
  #isInRow = false;
  #row = new ChunkList();

  constructor(count: number, buffers: ReplyBuffers) {
    this.#count = count;
    this.#buffers = buffers;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#isInRow ? this.#takeRow(chunk, at) : this.#skipToRow(chunk, at);
  }

  end(): VectorRows {
    const rows = this.#rows;
    return {
      reply: this.#parse(),
      itemsOf: (list) => {
        const isWhole =
          Array.isArray(list) && list.length === rows.length && list.every((row, index) => row === index);
        if (!isWhole) throw invalidReply("it has no list of vectors");
        return rows.map((vector, index) => ({ index, vector }));
      },
    };
  }

  #parse(): unknown {
    try {
      // In a row without an end the skeleton is incomplete.
      return JSON.parse(Buffer.from(this.#skeleton, "latin1").toString("utf8"));
    } catch {
      // The parser's message quotes the reply, which must not reach the log.
      throw new GatewayError("upstream_invalid_answer", "The upstream's reply is not valid JSON.");
    }
  }

  #skipToRow(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && !this.#opensRow(chunk[at] ?? 0)) at += 1;
    this.#skeleton += chunk.toString("latin1", from, at);
    if (this.#skeleton.length > skeletonBytes + this.#count * skeletonBytesPerVector)
      throw invalidReply("it has too much beside its vectors");
    return at;
  }

  #opensRow(byte: number): boolean {
    if (this.#isInString) {
      this.#isInString = byte !== quote || this.#isEscaped;
      this.#isEscaped = byte === backslash && !this.#isEscaped;
      return false;
    }
    if (byte === quote) this.#isInString = true;
    else if (byte === closeBracket) this.#listDepth -= 1;
    else if (byte === openBracket) {
      this.#isInRow = this.#listDepth === 1;
      if (!this.#isInRow) this.#listDepth += 1;
    }
    return this.#isInRow;
  }

  #takeRow(chunk: Buffer, from: number): number {
    const close = chunk.indexOf(closeBracket, from);
    const end = close === -1 ? chunk.length : close + 1;
    this.#row.add(chunk.subarray(from, end));
    if (this.#row.bytes > textBytesMax) throw invalidReply("it has a vector that is too long");
    if (close !== -1) this.#finishRow();
    return end;
  }

  #finishRow(): void {
    const index = this.#rows.length;
    if (index >= this.#count) throw invalidReply("it has more vectors than were asked for");
    const vector = readVector("json", this.#row.chunks, this.#buffers);
    if (typeof vector === "string") throw invalidReply(`the vector ${index} ${vector}`);
    this.#rows.push(vector);
    this.#skeleton += String(index);
    this.#row = new ChunkList();
    this.#isInRow = false;
  }
}
