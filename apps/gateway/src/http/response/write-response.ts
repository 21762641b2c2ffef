import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { OperationId } from "@model-gateway/domain/operations";
import type { Response } from "express";
import type { FileResponse, HandlerResponse, TextResponse } from "../../execution/handler.js";
import { noteResponseHeaders } from "../../execution/response-headers.js";
import { arrivalOf } from "../request/arrival.js";
import { addHeader, addHeaders, jsonType, writeHead } from "./headers.js";
import { untilDrained, writeChunks } from "./write-chunks.js";
import { type EventOptions, writeEvents } from "./write-events.js";

interface WriteResponseOptions extends EventOptions {
  /** Whether texts may be compressed. */
  readonly compresses: boolean;
}

/** Writes a handler's result. */
export async function writeResponse<K extends OperationId>(
  response: Response,
  given: HandlerResponse<K>,
  options: WriteResponseOptions,
): Promise<void> {
  if ("file" in given) return writeFile(response, given);
  noteResponseHeaders(arrivalOf(response), given.headers);
  if ("events" in given) return writeEvents(response, given.events, options);
  if ("chunks" in given) return writeChunks(response, given);
  const status = ("status" in given ? given.status : undefined) ?? 200;
  const { type, text } =
    "text" in given
      ? { type: given.contentType, text: writeTable(given, options) }
      : { type: jsonType, text: writeJson(given.body, options) };
  const isLarge = options.compresses && text.length >= compressedLengthMin;
  if (!isLarge) return writeText(response, { status, type, body: Buffer.from(text) });
  const body = await compress(text);
  addHeader(response, "content-encoding", "gzip");
  return writeText(response, { status, type, body });
}

function writeJson(body: unknown, { secrets, hidesSecrets }: WriteResponseOptions): string {
  const json = JSON.stringify(body);
  return hidesSecrets ? secrets.hideInJson(json) : json;
}

/** Metrics are numbers and configured names. */
function writeTable(
  { contentType, text }: TextResponse,
  { secrets, hidesSecrets }: WriteResponseOptions,
): string {
  return hidesSecrets && contentType.startsWith("text/csv") ? secrets.hide(text) : text;
}

/** Below this, a response fits into a few packets anyway. */
const compressedLengthMin = 4096;
/** Runs in a worker thread, so that the event loop goes on. */
const compress = promisify<string, Buffer>(gzip);

async function writeText(
  response: Response,
  { status, type, body }: { status: number; type: string; body: Buffer },
): Promise<void> {
  const { summary, finish } = arrivalOf(response);
  summary.responseBytes = body.length;
  await finish(status);
  addHeader(response, "content-type", type);
  addHeader(response, "content-length", String(body.length));
  writeHead(response, status);
  response.end(body);
}

/** Writes a file with backpressure: no faster than the caller reads. When the caller leaves, the file is closed. */
export async function writeFile(response: Response, { file, status, headers }: FileResponse): Promise<void> {
  const { signal, summary } = arrivalOf(response);
  // The headers wait for the first chunk: with an error, they would let a browser cache it.
  const begin = () => {
    if (response.headersSent) return;
    addHeaders(response, headers);
    writeHead(response, status);
  };
  // Leaving the loop, by an error or at its end, closes the file.
  for await (const chunk of file) {
    signal.throwIfAborted();
    begin();
    summary.responseBytes += chunk.length;
    if (!response.write(chunk)) await untilDrained(response);
  }
  begin();
  response.end();
}
