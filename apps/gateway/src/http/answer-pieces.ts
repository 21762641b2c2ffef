import type { Response } from "express";
import { Pacer } from "../domain/pacer.js";
import { jsonType } from "./content-types.js";
import { drained, readingMsMax } from "./drained.js";
import { contextOf } from "./request-context.js";

const wholeBytesMax = 256 * 1024;

/**
 * Writes a JSON document that comes in pieces: a small one whole and with its length, a large one no faster than the
 * caller reads and with rests in between, so that it holds up nobody else.
 */
export async function answerPieces(response: Response, pieces: Iterable<string | Buffer>): Promise<void> {
  const context = contextOf(response);
  response.setHeader("content-type", jsonType);
  const pacer = new Pacer();
  let batch: (string | Buffer)[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    batch.push(piece);
    bytes += typeof piece === "string" ? Buffer.byteLength(piece) : piece.length;
    if (pacer.isDue) await pacer.rest();
    if (bytes < wholeBytesMax) continue;
    context.signal.throwIfAborted();
    context.responseBytes += bytes;
    if (!write(response, batch)) await drained(response);
    batch = [];
    bytes = 0;
  }
  if (!response.headersSent) response.setHeader("content-length", bytes);
  context.responseBytes += bytes;
  context.finish(200);
  response.setTimeout(readingMsMax, () => response.destroy());
  response.end(join(batch, bytes));
}

/** All pieces in one go, without another copy of them. Whether the caller keeps up. */
function write(response: Response, pieces: readonly (string | Buffer)[]): boolean {
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.uncork();
  return !response.writableNeedDrain;
}

/** All pieces in one buffer, without one for each on the way. */
function join(pieces: readonly (string | Buffer)[], bytes: number): Buffer {
  const whole = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (const piece of pieces)
    at += typeof piece === "string" ? whole.write(piece, at) : piece.copy(whole, at);
  return whole;
}
