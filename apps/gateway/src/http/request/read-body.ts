import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Request } from "express";
import { GatewayError } from "../../errors.js";

export interface JsonBody {
  readonly value: unknown;
  readonly bytes: number;
}

/** Reads a JSON body of bounded size, by its declared and by its counted length. Most have come with their request. */
export function readJson(request: Request, bytesMax: number): JsonBody | Promise<JsonBody> {
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  if (!request.complete) return readComing(request, bytesMax);
  const body: Buffer = request.read() ?? nothing;
  if (body.length > bytesMax) throw tooLarge(bytesMax);
  return { value: parse(body), bytes: body.length };
}

const nothing = Buffer.alloc(0);

/** It listens by itself: an iterator costs more than reading. */
function readComing(request: Request, bytesMax: number): Promise<JsonBody> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    let isOver = false;
    const fail = (failure: unknown) => {
      if (isOver) return;
      isOver = true;
      request.off("data", take);
      request.pause();
      reject(failure);
    };
    const take = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) fail(tooLarge(bytesMax));
      else chunks.push(chunk);
    };
    const end = () => {
      isOver = true;
      const body = Buffer.concat(chunks, bytes);
      // The request outlives its body, and these listeners with it.
      chunks = [];
      try {
        resolve({ value: parse(body), bytes });
      } catch (failure) {
        reject(failure);
      }
    };
    const leave = () => {
      if (!isOver) fail(new Error("The connection was closed in the middle of the body."));
    };
    request.on("data", take).on("end", end).on("error", fail).on("close", leave);
  });
}

const byteOrderMark = 0xfeff;

function parse(body: Buffer): unknown {
  try {
    if (!isUtf8(body)) throw new Error("The body is not UTF-8.");
    const text = body.toString("utf8");
    return JSON.parse(text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text);
  } catch (cause) {
    throw new GatewayError("invalid_json", "We could not parse the JSON body of your request.", { cause });
  }
}

function tooLarge(bytesMax: number): GatewayError {
  return new GatewayError(
    "content_too_large",
    `The request body is larger than the limit of ${bytesMax} bytes.`,
  );
}

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
