import type { IncomingMessage } from "node:http";
import type { Request, Response } from "express";
import type { Limits } from "../../config/config.js";
import { GatewayError } from "../../errors.js";
import { type EditImages, readEditForm } from "./edit-form.js";
import type { JsonShape } from "./json-schema.js";
import { parseJson, parseLargeJson, smallJsonBytes } from "./parse-json.js";
import type { FormReader } from "./read-form.js";
import { contextOf } from "./request-context.js";
import { mediaType, type Operation } from "./spec.js";

/** Admin requests are short. */
const adminBytesMax = 64 * 1024;

export interface ReadBodyOptions {
  readonly operation: Operation;
  readonly forms: FormReader;
  readonly limits: Limits;
}

/** A body as the validator sees it, and the images of a form. */
export interface ReadBody {
  readonly body: unknown;
  readonly images?: EditImages;
}

/** Reads the body of a request, in a content type that its operation accepts. */
export async function readBody(
  request: Request,
  response: Response,
  { operation, forms, limits }: ReadBodyOptions,
): Promise<ReadBody> {
  if (operation.bodies.size === 0) return { body: undefined };
  const contentType = mediaType(request.headers);
  const schema = operation.bodies.get(contentType);
  if (schema === undefined) throw unsupportedContentType(request.get("content-type") ?? "", operation);
  refuseEncodings(request, operation);
  const context = contextOf(response);
  const isJson = contentType === "application/json";
  const jsonBytesMax = operation.access === "admin" ? adminBytesMax : limits.jsonBytesMax;
  const bytesMax = isJson ? jsonBytesMax : forms.bytesMax;
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  // Only now: a caller that waits for it must not send a body that is refused anyway.
  if (request.headers.expect?.toLowerCase() === "100-continue") response.writeContinue();

  if (isJson) {
    const { value, bytes } = await readJson(request, { bytesMax, shape: operation.jsonShape });
    context.requestBytes = bytes;
    return { body: value };
  }
  const form = await forms.read(request, response);
  context.requestBytes = form.bytes;
  const { body, ...images } = await readEditForm(form, schema);
  return { body, images };
}

function unsupportedContentType(given: string, operation: Operation): GatewayError {
  const accepted = [...operation.bodies.keys()].map((type) => `'${type}'`).join(" or ");
  const reason =
    given === "" ? "The request has no content type." : `Unsupported content type '${given.slice(0, 100)}'.`;
  return new GatewayError("unsupported_content_type", `${reason} This operation takes ${accepted}.`);
}

/** JSON is UTF-8, and a compressed body could grow without a bound. */
function refuseEncodings(request: Request, operation: Operation): void {
  const { "content-encoding": encoding = "identity", "content-type": contentType = "" } = request.headers;
  if (encoding.toLowerCase() !== "identity") {
    throw new GatewayError(
      "unsupported_content_type",
      `Unsupported content encoding '${encoding.slice(0, 100)}': send the body uncompressed.`,
    );
  }
  if (contentType === "application/json") return;
  const charset = /charset="?([^";\s]+)/i.exec(contentType)?.[1] ?? "utf-8";
  if (!/^utf-?8$/i.test(charset)) throw unsupportedContentType(contentType, operation);
}

export interface JsonBody {
  readonly value: unknown;
  readonly bytes: number;
}

/** Reads a JSON body, bounded by its counted length and by the shape that its schema allows. */
export async function readJson(
  request: Request,
  { bytesMax, shape }: { readonly bytesMax: number; readonly shape: JsonShape },
): Promise<JsonBody> {
  // Most bodies arrive with their request.
  const body: Buffer = request.complete ? (request.read() ?? noBytes) : await readChunks(request, bytesMax);
  if (body.length > bytesMax) throw tooLarge(bytesMax);
  const value = body.length <= smallJsonBytes ? parseJson(body) : await parseLargeJson(body, shape);
  return { value, bytes: body.length };
}

const noBytes = Buffer.alloc(0);

/** Uses listeners: an async iterator costs more than the reading itself. */
function readChunks(request: Request, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    let isOver = false;
    const fail = (failure: unknown) => {
      if (isOver) return;
      isOver = true;
      request.off("data", onData);
      request.pause();
      reject(failure);
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) fail(tooLarge(bytesMax));
      else chunks.push(chunk);
    };
    const onEnd = () => {
      isOver = true;
      const body = Buffer.concat(chunks, bytes);
      // The request and these listeners outlive the body.
      chunks = [];
      resolve(body);
    };
    const onClose = () => {
      if (!isOver) fail(new Error("The connection was closed in the middle of the body."));
    };
    request.on("data", onData).on("end", onEnd).on("error", fail).on("close", onClose);
  });
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
 * Reads the rest of a body that is not needed, so that the caller sees the response: closing the socket of a caller that
 * still writes resets it, and the response is lost. Past a limit it is closed all the same.
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
