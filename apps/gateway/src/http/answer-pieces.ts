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
  const { signal } = context;
  response.setHeader("content-type", jsonType);
  const pacer = new Pacer();
  let batch: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    const content = typeof piece === "string" ? Buffer.from(piece) : piece;
    batch.push(content);
    bytes += content.length;
    if (pacer.isDue) await pacer.rest();
    if (bytes < wholeBytesMax) continue;
    signal.throwIfAborted();
    if (!write(response, batch, bytes)) await drained(response);
    batch = [];
    bytes = 0;
  }
  if (!response.headersSent) response.setHeader("content-length", bytes);
  context.responseBytes += bytes;
  context.finish(200);
  response.setTimeout(readingMsMax, () => response.destroy());
  response.end(batch.length === 1 ? batch[0] : Buffer.concat(batch, bytes));
}

function write(response: Response, batch: readonly Buffer[], bytes: number): boolean {
  contextOf(response).responseBytes += bytes;
  return response.write(Buffer.concat(batch, bytes));
}
