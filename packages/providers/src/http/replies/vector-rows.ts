import type { EmbeddingReply } from "@model-gateway/domain/requests";
import type { Vector } from "@model-gateway/domain/vector";
import type { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { ReplyBuffers } from "@model-gateway/runtime/reply-buffers";
import { textBytesMax } from "@model-gateway/vector-check";
import type { IncomingReply } from "../send.js";
import { invalidReply, parseReply, ValueSeparator } from "./value-separator.js";
import { readVector } from "./vectors.js";

const skeletonBytes = 64 * 1024;
/** A vector becomes a mark and a comma; white space is allowed. */
const skeletonBytesPerVector = 256;

/** A reply whose vectors are the rows of a list, `[[0.1, …], …]`. */
interface VectorRows {
  /** The reply as JSON, with a mark in place of each row. */
  readonly reply: unknown;
  /** The vectors of the list that has the rows. */
  readonly itemsOf: (list: unknown) => EmbeddingReply["items"];
}

interface VectorRowsOptions {
  /** Maximum number of vectors in the reply. */
  readonly count: number;
  readonly buffers: BufferPool;
}

/** Reads such a reply while it arrives: JSON.parse on megabytes of numbers would block every other request. */
export async function readVectorRows(
  { read }: Pick<IncomingReply, "read">,
  { count, buffers: pool }: VectorRowsOptions,
): Promise<VectorRows> {
  const buffers = new ReplyBuffers(pool);
  const rows: Vector[] = [];
  const separator = new ValueSeparator<Vector>({
    keys: undefined,
    arrays: "value",
    read: (_kind, chunks) => {
      const vector = readVector("json", chunks, buffers);
      if (typeof vector === "string") throw invalidReply(`the vector ${rows.length} ${vector}`);
      rows.push(vector);
      return vector;
    },
    valuesMax: count,
    valueBytesMax: textBytesMax,
    skeletonBytesMax: skeletonBytes + count * skeletonBytesPerVector,
    name: "vectors",
  });
  await read((chunk) => separator.push(buffers.add(chunk)));
  const { skeleton, valueAt } = separator.end();
  return {
    reply: parseReply(skeleton),
    itemsOf: (list) => {
      const isWhole =
        Array.isArray(list) &&
        list.length === rows.length &&
        list.every((row, index) => valueAt(row) === rows[index]);
      if (!isWhole) throw invalidReply("it has no list of vectors");
      return rows.map((vector, index) => ({ index, vector }));
    },
  };
}
