import type { IncomingMessage } from "node:http";
import type { ResourceLimits } from "@model-gateway/config/config";
import { errorQuoting, type GatewayError } from "@model-gateway/domain/errors";
import { CopiedChunks } from "@model-gateway/runtime/buffer-pool";
import type { Request, Response } from "express";
import type { Caller } from "../../execution/caller.js";
import type { ReadBody } from "../../execution/handler.js";
import type { BodyPhase } from "../../execution/request-summary.js";
import { isAdminAccess, mediaType, type Operation } from "../../execution/validation/spec.js";
import { arrivalOf } from "./arrival.js";
import { type ContentEncoding, isContentEncoding } from "./compressed-body.js";
import { readEditForm } from "./edit-form.js";
import { imageShapeOf, readImageForm } from "./image-form.js";
import type { FileFormReader } from "./read-file-form.js";
import type { FormReader } from "./read-form.js";
import { readJson, tooLarge } from "./read-json.js";
import type { SlowBodies } from "./slow-body.js";

/** Admin requests are short. */
const adminBytesMax = 64 * 1024;

interface ReadBodyOptions {
  readonly operation: Operation;
  readonly forms: FormReader;
  readonly fileForms: FileFormReader;
  readonly slowBodies: SlowBodies;
  readonly limits: ResourceLimits;
  readonly phase: BodyPhase & { readonly caller: Pick<Caller, "id" | "key"> | undefined };
}

/** Reads the body of a request, in a content type that its operation accepts. */
export async function readBody(
  request: Request,
  response: Response,
  { operation, forms, fileForms, slowBodies, limits, phase }: ReadBodyOptions,
): Promise<ReadBody> {
  if (operation.bodies.size === 0) return { body: undefined };
  const contentType = mediaType(request.headers);
  const schema = operation.bodies.get(contentType);
  if (schema === undefined) throw unsupportedContentType(request.get("content-type") ?? "", operation);
  refuseCharset(request, operation);
  const { memory, signal, onActive } = arrivalOf(response);
  const context = { memory, signal, onActive, caller: phase.caller?.id ?? "" };
  const isJson = contentType === "application/json";
  const encoding = contentEncodingOf(request, isJson);
  const isUpload = operation.id === "uploadFile";
  const bytesMax = isJson ? jsonBytesMax(operation, limits) : (isUpload ? fileForms : forms).bytesMax;
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const upload = isUpload
    ? await fileForms.begin(request, response, { keyId: context.caller, owner: phase.caller?.key?.owner })
    : undefined;
  // Only now: a caller that waits for it must not send a body that is refused anyway.
  if (request.headers.expect?.toLowerCase() === "100-continue") response.writeContinue();

  if (isJson) {
    const options = { bytesMax, shape: operation.jsonShape, encoding, context, slowBodies };
    const { value, bytes, dataUrls } = await readJson(request, options);
    phase.requestBytes = bytes;
    return { body: value, dataUrls };
  }
  if (upload !== undefined) {
    const { bytes, ...read } = await upload.read(schema);
    phase.requestBytes = bytes;
    return read;
  }
  const shape = imageShapeOf(schema);
  const form = await forms.read(request, response, shape);
  phase.requestBytes = form.bytes;
  const { body, ...images } = shape === undefined ? readEditForm(form, schema) : readImageForm(form, schema);
  return { body, images };
}

function jsonBytesMax({ access }: Operation, limits: ResourceLimits): number {
  return isAdminAccess(access) ? adminBytesMax : limits.jsonBytesMax;
}

function unsupportedContentType(given: string, operation: Operation): GatewayError {
  const accepted = [...operation.bodies.keys()].map((type) => `'${type}'`).join(" or ");
  const reasonOf = (type: string) =>
    given === "" ? "The request has no content type." : `Unsupported content type '${type}'.`;
  const write = (type: string) => `${reasonOf(type)} This operation takes ${accepted}.`;
  return errorQuoting("unsupported_content_type", write, { value: given.slice(0, 100) });
}

/** JSON is UTF-8. */
function refuseCharset({ headers }: Request, operation: Operation): void {
  const { "content-type": contentType = "" } = headers;
  if (contentType === "application/json") return;
  const charset = /charset="?([^";\s]+)/i.exec(contentType)?.[1] ?? "utf-8";
  if (!/^utf-?8$/i.test(charset)) throw unsupportedContentType(contentType, operation);
}

/** How a JSON body is compressed. The files of a form mostly are already, so a form is taken as it is. */
function contentEncodingOf({ headers }: Request, isJson: boolean): ContentEncoding | undefined {
  const given = headers["content-encoding"];
  if (given === undefined) return undefined;
  const name = given.toLowerCase();
  if (name === "identity") return undefined;
  if (isJson && isContentEncoding(name)) return name;
  const accepted = isJson
    ? "Send the body uncompressed, or compressed with gzip or deflate."
    : "Send the form uncompressed.";
  throw errorQuoting(
    "unsupported_content_type",
    (quoted) => `Unsupported content encoding '${quoted}'. ${accepted}`,
    { value: given.slice(0, 100) },
  );
}

const discardBytesMax = 64 * 1024 * 1024;
/** A chunk costs as much as this many bytes, however small it is. */
const chunkBytesMin = 16 * 1024;
const discardMsMax = 5000;

/**
 * Reads the rest of a body that is not needed, so that the caller sees the response: closing the socket of a caller that
 * still writes resets it, and the response is lost. Past a limit it is closed all the same. Resolves when it is over.
 */
export function discardBody(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const dropped = new CopiedChunks();
    const timer = setTimeout(() => request.destroy(), discardMsMax);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    request.on("data", (chunk: Buffer) => {
      bytes += Math.max(chunk.length, chunkBytesMin);
      dropped.addBodyChunk(chunk);
      if (bytes > discardBytesMax) request.destroy();
    });
    request.once("close", end).once("end", end).on("error", end);
    request.socket.resume();
    request.resume();
  });
}
