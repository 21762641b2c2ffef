import type { Steps } from "./time-slice.js";

/** Copying takes a millisecond for a megabyte of new memory. */
const bytesPerStep = 512 * 1024;

/** Copies pieces into one buffer of exclusive memory. `Buffer.concat` takes 50 ms for 64 MB, in one turn. */
export function* joinBytes(pieces: readonly Buffer[]): Steps<Buffer> {
  const joined = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += bytesPerStep) {
      end += piece.copy(joined, end, at, at + bytesPerStep);
      yield;
    }
  }
  return joined;
}
