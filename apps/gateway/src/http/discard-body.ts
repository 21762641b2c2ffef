import type { IncomingMessage } from "node:http";

const discardBytesMax = 64 * 1024 * 1024;
const discardMsMax = 5000;

/**
 * Reads the rest of a body that nobody wants, so that the caller gets to see the answer: a socket closed on a caller
 * that still writes is reset, and the answer is lost with it. Past a limit it is closed all the same.
 */
export function discardBody(request: IncomingMessage): void {
  let bytes = 0;
  const timer = setTimeout(() => request.destroy(), discardMsMax);
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > discardBytesMax) request.destroy();
  });
  request.once("close", () => clearTimeout(timer));
  request.once("end", () => clearTimeout(timer));
  request.on("error", () => clearTimeout(timer));
  request.resume();
}
