import { setImmediate as nextTurn } from "node:timers/promises";

/** The bytes in chunks. */
export function chunksOf(bytes: Buffer, chunkBytes = 64 * 1024): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
}

/** Bytes that arrive as from a network: in chunks, each in another turn. */
export function replyOf(bytes: Buffer, chunkBytes?: number) {
  return replyIn(chunksOf(bytes, chunkBytes));
}

/** Chunks that arrive, each in another turn. */
export function replyIn(all: Iterable<Buffer>) {
  async function* chunks(): AsyncGenerator<Buffer> {
    for (const chunk of all) {
      yield chunk;
      await nextTurn();
    }
  }
  return {
    status: 200,
    headers: {},
    chunks,
    read: async (onChunk: (chunk: Buffer) => void): Promise<void> => {
      for await (const chunk of chunks()) onChunk(chunk);
    },
  };
}

/**
 * The text of some bytes. It has halves of surrogate pairs in the places where the bytes are not UTF-8: strings of JSON
 * have them too.
 */
export function textOf(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\ufffd", "\ud83d");
}
