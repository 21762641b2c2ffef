import { TimeSlice } from "@model-gateway/runtime/time-slice";
import type { Response } from "express";
import type { ChunkedResponse } from "../../execution/handler.js";
import { arrivalOf } from "../request/arrival.js";
import { addHeader, jsonType, writeHead } from "./headers.js";

/** Smaller responses are written whole. */
const writeBytesMin = 256 * 1024;

/** The clock is read after this many bytes: the text around a vector takes less time than a look. */
const bytesPerLook = 32 * 1024;

/**
 * Writes a JSON document that comes in chunks: a small one whole, a large one with backpressure and in time slices, so
 * that other requests are served in between. A known length is sent as `content-length`: without it, Node would frame
 * every chunk.
 */
export async function writeChunks(
  response: Response,
  { chunks, bytes: length, onSent }: Omit<ChunkedResponse, "headers">,
): Promise<void> {
  const { signal, summary, finish } = arrivalOf(response);
  addHeader(response, "content-type", jsonType);
  const slice = new TimeSlice();
  let gathered: (string | Buffer)[] = [];
  let bytes = 0;
  let lookAt = bytesPerLook;
  for (const chunk of chunks) {
    gathered.push(chunk);
    bytes += typeof chunk === "string" ? Buffer.byteLength(chunk) : chunk.length;
    if (bytes >= lookAt) {
      lookAt = bytes + bytesPerLook;
      if (slice.isOver) await slice.yield();
    }
    if (bytes < writeBytesMin) continue;
    signal.throwIfAborted();
    summary.responseBytes += bytes;
    if (!response.headersSent) begin(response, length);
    writeCorked(response, gathered);
    response.uncork();
    if (response.writableNeedDrain) {
      await untilDrained(response);
      // Otherwise a batch of a hundred inputs would wait in line after each part that its caller has read.
      slice.renew();
    }
    gathered = [];
    bytes = 0;
    lookAt = bytesPerLook;
  }
  summary.responseBytes += bytes;
  await finish(200);
  if (!response.headersSent) begin(response, bytes);
  writeCorked(response, gathered);
  if (onSent !== undefined) whenSent(response, onSent);
  response.end();
}

/** Resolves when the caller has read the written bytes. `SlowReaders` ends a connection whose caller does not. */
export async function untilDrained(response: Response): Promise<void> {
  const { signal } = arrivalOf(response);
  try {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const settle = (end: () => void) => () => {
        response.off("drain", onDrain);
        signal.removeEventListener("abort", onAbort);
        end();
      };
      const onDrain = settle(resolve);
      const onAbort = settle(() => reject(signal.reason));
      response.on("drain", onDrain);
      signal.addEventListener("abort", onAbort);
    });
  } catch (failure) {
    response.destroy();
    throw failure;
  }
}

function whenSent(response: Response, onSent: () => void): void {
  const { socket } = response.req;
  // Node is done with the bytes, so their buffers may be reused. A response also finishes when its connection is cut:
  // then some bytes may still be queued.
  response.once("finish", () => {
    if (!socket.destroyed) onSent();
  });
}

function begin(response: Response, bytes: number | undefined): void {
  if (bytes !== undefined) addHeader(response, "content-length", String(bytes));
  writeHead(response, 200);
}

/** Corked chunks go out in one system call and are not copied again. The caller uncorks or ends the response. */
export function writeCorked(response: Response, chunks: readonly (string | Buffer)[]): void {
  response.cork();
  for (const chunk of chunks) response.write(chunk);
}
