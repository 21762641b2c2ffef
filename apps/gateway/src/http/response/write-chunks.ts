import type { Response } from "express";
import { TimeSlice } from "../../runtime/time-slice.js";
import type { ChunkedResponse } from "../handler.js";
import { contextOf } from "../request/request-context.js";
import { addHeader, jsonType, writeHead } from "./headers.js";

const wholeBytesMax = 256 * 1024;

/**
 * Writes a JSON document that comes in pieces: a small one whole, a large one no faster than the caller reads and with
 * rests in between, so that it holds up nobody else. Where its length is known it is told: without it, Node would put
 * every piece into a chunk of its own.
 */
export async function writeChunks(
  response: Response,
  { chunks, bytes: length, onSent }: Omit<ChunkedResponse, "headers">,
): Promise<void> {
  const context = contextOf(response);
  addHeader(response, "content-type", jsonType);
  const pacer = new TimeSlice();
  let batch: (string | Buffer)[] = [];
  let bytes = 0;
  for (const piece of chunks) {
    batch.push(piece);
    bytes += typeof piece === "string" ? Buffer.byteLength(piece) : piece.length;
    if (pacer.isOver) await pacer.yield();
    if (bytes < wholeBytesMax) continue;
    context.signal.throwIfAborted();
    context.responseBytes += bytes;
    if (!response.headersSent) begin(response, length);
    cork(response, batch);
    response.uncork();
    if (response.writableNeedDrain) await untilDrained(response);
    batch = [];
    bytes = 0;
  }
  context.responseBytes += bytes;
  await context.finish(200);
  if (!response.headersSent) begin(response, bytes);
  response.setTimeout(readingMsMax, () => response.destroy());
  cork(response, batch);
  if (onSent !== undefined) whenSent(response, onSent);
  response.end();
}

function whenSent(response: Response, onSent: () => void): void {
  const { socket } = response.req;
  // Node is done with the bytes when it says so, and whoever is told may give their memory to others. A response is also
  // finished when its connection is cut, and what was to go there may still be in a queue.
  response.once("finish", () => {
    if (!socket.destroyed) onSent();
  });
}

function begin(response: Response, bytes: number | undefined): void {
  if (bytes !== undefined) addHeader(response, "content-length", String(bytes));
  writeHead(response, 200);
}

/** Keeps all pieces back, so that they go in one go and without another copy of them. */
function cork(response: Response, pieces: readonly (string | Buffer)[]): void {
  response.cork();
  for (const piece of pieces) response.write(piece);
}

/** How long a caller may take to read what it has been sent before it counts as gone. */
export const readingMsMax = 120_000;

/** Waits until the caller has read what was written. One that does not read for long is left. */
export async function untilDrained(response: Response): Promise<void> {
  const { signal } = contextOf(response);
  try {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const settle = (end: () => void) => () => {
        clearTimeout(timer);
        response.off("drain", go);
        signal.removeEventListener("abort", leave);
        end();
      };
      const go = settle(resolve);
      const leave = settle(() => reject(signal.reason));
      const timer = setTimeout(
        settle(() => reject(new Error("The caller did not read."))),
        readingMsMax,
      );
      response.on("drain", go);
      signal.addEventListener("abort", leave);
    });
  } catch (failure) {
    response.destroy();
    throw failure;
  }
}
