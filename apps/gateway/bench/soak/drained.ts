import type { Writable } from "node:stream";

/** Resolves when more may be written, or when the stream is closed. */
export function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      stream.off("drain", settle).off("close", settle);
      resolve();
    };
    stream.on("drain", settle).on("close", settle);
  });
}
