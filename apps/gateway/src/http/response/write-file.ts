import type { Response } from "express";
import type { FileResponse } from "../handler.js";
import { contextOf } from "../request/request-context.js";
import { addHeaders, writeHead } from "./headers.js";
import { readingMsMax, untilDrained } from "./write-chunks.js";

/** Writes a file no faster than the caller reads. When the caller leaves, the reading ends. */
export async function writeFile(response: Response, answer: FileResponse): Promise<void> {
  const context = contextOf(response);
  // Only once there is something to send: on an error these headers would let a browser keep it.
  const begin = () => {
    if (response.headersSent) return;
    addHeaders(response, answer.headers);
    writeHead(response, answer.status);
  };
  // Leaving the loop, by an error or to its end, closes the file.
  for await (const chunk of answer.file) {
    context.signal.throwIfAborted();
    begin();
    context.responseBytes += chunk.length;
    if (!response.write(chunk)) await untilDrained(response);
  }
  begin();
  response.setTimeout(readingMsMax, () => response.destroy());
  response.end();
}
