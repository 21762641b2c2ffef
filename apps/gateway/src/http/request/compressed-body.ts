import type { Readable } from "node:stream";
import { createGunzip, createInflate } from "node:zlib";
import { GatewayError } from "@model-gateway/domain/errors";
import { codeOf } from "@model-gateway/domain/failure-code";
import type { Request } from "express";
import { paceChunks } from "./chunk-pace.js";

/** Each chunk of decompressed bytes is a round trip to a thread. */
const chunkBytes = 64 * 1024;

/** `x-gzip` is an old name of gzip. https://www.rfc-editor.org/rfc/rfc9110#name-content-codings */
const encodings = ["gzip", "x-gzip", "deflate"] as const;

/** A compression that a JSON body may have. */
export type ContentEncoding = (typeof encodings)[number];

export function isContentEncoding(name: string): name is ContentEncoding {
  const names: readonly string[] = encodings;
  return names.includes(name);
}

/** The bytes of a body as its reader takes them. */
export interface BodyStream {
  readonly stream: Readable;
  /** The error of a body whose stream has failed, or has ended without a failure. Undefined: there is none. */
  readonly faultOf: (failure?: unknown) => unknown;
  /** Ends the reading of a body that is refused. */
  readonly stop: () => void;
}

/** A body that is not compressed. */
export function plainBody(request: Request): BodyStream {
  return { stream: request, faultOf: (failure) => failure, stop: () => request.pause() };
}

/** A body that is decompressed while it arrives, no more than a chunk ahead of its reader. */
export function compressedBody(request: Request, encoding: ContentEncoding): BodyStream {
  const options = { chunkSize: chunkBytes };
  const stream = encoding === "deflate" ? createInflate(options) : createGunzip(options);
  let arrived = 0;
  const count = (chunk: Buffer) => {
    arrived += chunk.length;
  };
  const endEarly = (failure?: Error) => {
    if (!request.complete) stream.destroy(failure ?? closedEarly());
  };
  request.on("data", count).once("error", endEarly).once("close", endEarly);
  request.pipe(stream);
  paceChunks(request, stream, (fault) => stream.destroy(fault));
  return {
    stream,
    faultOf: (failure) => {
      // Node ends the stream where zeros follow the compressed data.
      if (failure === undefined) return stream.bytesWritten < arrived ? damaged(encoding) : undefined;
      return decompressionFault(failure, encoding);
    },
    stop: () => {
      request.off("data", count).unpipe(stream);
      stream.destroy();
    },
  };
}

/** The error of a body whose connection was closed before all of it had arrived. */
export function closedEarly(): Error {
  return new Error("The connection was closed in the middle of the body.");
}

/** The codes are zlib's own. https://www.zlib.net/manual.html#Constants */
function decompressionFault(failure: unknown, encoding: ContentEncoding): unknown {
  switch (codeOf(failure)) {
    case "Z_BUF_ERROR":
      return notDecompressed(`its ${encoding} data ends too soon`, failure);
    case "Z_DATA_ERROR":
    case "Z_NEED_DICT":
      return damaged(encoding, failure);
    default:
      return failure;
  }
}

function damaged(encoding: ContentEncoding, cause?: unknown): GatewayError {
  return notDecompressed(`it is not valid ${encoding} data from its first byte to its last`, cause);
}

function notDecompressed(reason: string, cause: unknown): GatewayError {
  const message = `We could not decompress the body of your request: ${reason}.`;
  return new GatewayError("invalid_json", message, { cause });
}
