import type { IncomingMessage } from "node:http";
import type { Request, Response } from "express";
import type { ResourceLimits } from "../../config/config.js";
import { errorQuoting, GatewayError } from "../../errors.js";
import { GrowingBuffer } from "../../runtime/growing-buffer.js";
import type { Caller } from "./caller.js";
import { ChunkPace } from "./chunk-pace.js";
import { type EditImages, readEditForm } from "./edit-form.js";
import { imageShapeOf, readImageForm } from "./image-form.js";
import type { JsonShape } from "./json-schema.js";
import { parseJson, parseLargeJson, smallJsonBytes } from "./parse-json.js";
import type { ArrivedFile, FileFormReader } from "./read-file-form.js";
import type { FormReader } from "./read-form.js";
import { type Arrival, arrivalOf } from "./request-context.js";
import type { BodyPhase } from "./request-summary.js";
import { isAdminAccess, mediaType, type Operation } from "./spec.js";
import { stalledBody, stalledMsMax } from "./stalled-body.js";

/** Admin requests are short. */
const adminBytesMax = 64 * 1024;

export interface ReadBodyOptions {
  readonly operation: Operation;
  readonly forms: FormReader;
  readonly fileForms: FileFormReader;
  readonly limits: ResourceLimits;
  readonly phase: BodyPhase & { readonly caller: Pick<Caller, "id" | "key"> | undefined };
}

/** A body as the validator sees it, and the files of a form. */
export interface ReadBody {
  readonly body: unknown;
  readonly images?: EditImages;
  readonly file?: ArrivedFile;
}

/** Reads the body of a request, in a content type that its operation accepts. */
export async function readBody(
  request: Request,
  response: Response,
  { operation, forms, fileForms, limits, phase }: ReadBodyOptions,
): Promise<ReadBody> {
  if (operation.bodies.size === 0) return { body: undefined };
  const contentType = mediaType(request.headers);
  const schema = operation.bodies.get(contentType);
  if (schema === undefined) throw unsupportedContentType(request.get("content-type") ?? "", operation);
  refuseEncodings(request, operation);
  const { memory, signal } = arrivalOf(response);
  const context = { memory, signal, caller: phase.caller?.id ?? "" };
  const isJson = contentType === "application/json";
  const jsonBytesMax = isAdminAccess(operation.access) ? adminBytesMax : limits.jsonBytesMax;
  const isUpload = operation.id === "uploadFile";
  const formBytesMax = isUpload ? fileForms.bytesMax : forms.bytesMax;
  const bytesMax = isJson ? jsonBytesMax : formBytesMax;
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const upload = isUpload
    ? await fileForms.begin(request, response, { keyId: context.caller, owner: phase.caller?.key?.owner })
    : undefined;
  // Only now: a caller that waits for it must not send a body that is refused anyway.
  if (request.headers.expect?.toLowerCase() === "100-continue") response.writeContinue();

  if (isJson) {
    const { value, bytes } = await readJson(request, { bytesMax, shape: operation.jsonShape, context });
    phase.requestBytes = bytes;
    return { body: value };
  }
  if (upload !== undefined) {
    const { bytes, ...read } = await upload.read(schema);
    phase.requestBytes = bytes;
    return read;
  }
  const shape = imageShapeOf(schema);
  const form = await forms.read(request, response, shape);
  phase.requestBytes = form.bytes;
  const { body, ...images } = (shape === undefined ? readEditForm : readImageForm)(form, schema);
  return { body, images };
}

function unsupportedContentType(given: string, operation: Operation): GatewayError {
  const accepted = [...operation.bodies.keys()].map((type) => `'${type}'`).join(" or ");
  const reasonOf = (type: string) =>
    given === "" ? "The request has no content type." : `Unsupported content type '${type}'.`;
  const write = (type: string) => `${reasonOf(type)} This operation takes ${accepted}.`;
  return errorQuoting("unsupported_content_type", write, { value: given.slice(0, 100) });
}

/** JSON is UTF-8, and a compressed body could grow without a bound. */
function refuseEncodings(request: Request, operation: Operation): void {
  const { "content-encoding": encoding = "identity", "content-type": contentType = "" } = request.headers;
  if (encoding.toLowerCase() !== "identity") {
    throw errorQuoting(
      "unsupported_content_type",
      (given) => `Unsupported content encoding '${given}': send the body uncompressed.`,
      { value: encoding.slice(0, 100) },
    );
  }
  if (contentType === "application/json") return;
  const charset = /charset="?([^";\s]+)/i.exec(contentType)?.[1] ?? "utf-8";
  if (!/^utf-?8$/i.test(charset)) throw unsupportedContentType(contentType, operation);
}

/** While it is parsed, a body is in memory as bytes, as text and as values. */
const memoryFactor = 3;

export interface ReadJsonOptions {
  readonly bytesMax: number;
  readonly shape: JsonShape;
  readonly context: Pick<Arrival, "memory" | "signal"> & { readonly caller: string };
}

/** Reads a JSON body, bounded by its counted length, by the memory there is and by the shape that its schema allows. */
export async function readJson(
  request: Request,
  { bytesMax, shape, context }: ReadJsonOptions,
): Promise<{ readonly value: unknown; readonly bytes: number }> {
  // Most bodies arrive with their request.
  const arrived: Buffer | undefined = request.complete ? (request.read() ?? noBytes) : undefined;
  const memory = arrived && takeMemory(arrived.length, context);
  if (memory !== undefined) await memory;
  const body = arrived ?? (await new IncomingBody(request, bytesMax, context).read());
  if (body.length > bytesMax) throw tooLarge(bytesMax);
  const value = body.length <= smallJsonBytes ? parseJson(body) : await parseLargeJson(body, shape);
  return { value, bytes: body.length };
}

const noBytes = Buffer.alloc(0);

/** Takes memory for a JSON body of so many bytes. Undefined where there is enough. */
export function takeMemory(
  bytes: number,
  { memory, caller, signal }: ReadJsonOptions["context"],
): Promise<void> | undefined {
  return memory.takeForBody(memoryFactor * bytes, { caller, signal });
}

/** A body that has not arrived yet. It uses listeners: an async iterator costs more than the reading itself. */
class IncomingBody {
  readonly #request: Request;
  readonly #bytesMax: number;
  readonly #context: ReadJsonOptions["context"];
  #bytes = 0;
  /** Bytes that there is memory for. */
  #covered = 0;

  constructor(request: Request, bytesMax: number, context: ReadJsonOptions["context"]) {
    this.#request = request;
    this.#bytesMax = bytesMax;
    this.#context = context;
  }

  async read(): Promise<Buffer> {
    const declared = this.#request.headers["content-length"];
    const length = declared === undefined ? smallJsonBytes : Number(declared);
    await this.#cover(length);
    const buffer = new GrowingBuffer(length, this.#bytesMax);
    await this.#receive(buffer);
    return buffer.content;
  }

  /** Takes memory for so many bytes. A body without a length takes it for the largest one as soon as it is large. */
  async #cover(bytes: number): Promise<void> {
    const more = bytes - this.#covered;
    this.#covered = bytes;
    await takeMemory(more, this.#context);
    this.#context.signal.throwIfAborted();
  }

  #receive(buffer: GrowingBuffer): Promise<void> {
    const request = this.#request;
    const pace = new ChunkPace();
    return new Promise((resolve, reject) => {
      const stalled = setTimeout(() => settle(stalledBody()), stalledMsMax);
      let isOver = false;
      const settle = (failure?: unknown) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(stalled);
        request.off("data", onData);
        if (failure === undefined) return resolve();
        request.pause();
        reject(failure);
      };
      const onData = (chunk: Buffer) => {
        stalled.refresh();
        this.#bytes += chunk.length;
        if (this.#bytes > this.#bytesMax) return settle(tooLarge(this.#bytesMax));
        buffer.add(chunk);
        const nextSlice = pace.add(chunk);
        if (pace.fault !== undefined) {
          request.socket.pause();
          return settle(pace.fault);
        }
        const wait = this.#bytes > this.#covered ? this.#cover(this.#bytesMax) : nextSlice;
        if (wait === undefined) return;
        request.pause();
        // Otherwise Node parses on until 64 KB of the body wait: 65,000 chunks of a byte, 200 ms of one turn.
        if (wait === nextSlice) request.socket.pause();
        wait.then(() => {
          request.socket.resume();
          request.resume();
        }, settle);
      };
      request
        .on("data", onData)
        .once("end", () => settle())
        .once("error", settle)
        .once("close", () => settle(new Error("The connection was closed in the middle of the body.")));
    });
  }
}

function tooLarge(bytesMax: number): GatewayError {
  return new GatewayError(
    "content_too_large",
    `The request body is larger than the limit of ${bytesMax} bytes.`,
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
    const timer = setTimeout(() => request.destroy(), discardMsMax);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    request.on("data", (chunk: Buffer) => {
      bytes += Math.max(chunk.length, chunkBytesMin);
      if (bytes > discardBytesMax) request.destroy();
    });
    request.once("close", end).once("end", end).on("error", end);
    request.socket.resume();
    request.resume();
  });
}
