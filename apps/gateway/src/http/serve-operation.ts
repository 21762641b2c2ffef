import type { Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import type { Limits } from "../config/config.js";
import type { AccessKey } from "../domain/access-key.js";
import type { ImageInput } from "../domain/image-input.js";
import type { Tracer } from "../domain/trace.js";
import { GatewayError } from "../errors.js";
import type { UsageMeter } from "../usage/usage-meter.js";
import type { Handler, HandlerResponse, Handlers, ValidRequest } from "./handler.js";
import { readEditForm } from "./request/edit-form.js";
import { readJson } from "./request/read-body.js";
import type { ReadForm } from "./request/read-form.js";
import { type Accounts, contextOf, headerOf } from "./request/request-context.js";
import { mediaType, type Operation } from "./request/spec.js";
import type { Validate } from "./request/validate.js";
import { addHeader, addHeaders, exposeUpstream, jsonType, writeHead } from "./response/headers.js";
import { readingMsMax, writeChunks } from "./response/write-chunks.js";
import { writeEvents } from "./response/write-events.js";
import { writeFile } from "./response/write-file.js";

export interface ServeNeeds {
  /** Lets those pass who may use the operations of an access. */
  readonly authenticate: Readonly<Record<"key" | "admin", RequestHandler>>;
  readonly validate: Validate;
  readonly readForm: ReadForm;
  readonly handlers: Handlers;
  readonly limits: Limits;
  readonly accounts: Accounts & { readonly tracer: Tracer };
  /** What a request with this key may use. */
  readonly openMeter: (key: AccessKey) => UsageMeter;
  readonly log: Logger;
}

/** The way of every request: who calls, what it says, does it fit the spec, what is the answer. */
export function serveOperation(operation: Operation, needs: ServeNeeds): RequestHandler[] {
  const begin: RequestHandler = (request, response, next) => {
    const context = contextOf(response);
    context.operation = operation.id;
    needs.accounts.metrics.begin(operation.id);
    context.trace = needs.accounts.tracer.begin({
      operation: operation.id,
      method: request.method,
      route: operation.path,
      path: request.path,
      traceparent: headerOf(request, "traceparent"),
      tracestate: headerOf(request, "tracestate"),
    });
    next();
  };
  const serve = async (request: Request, response: Response): Promise<void> => {
    const { key, signal } = contextOf(response);
    // Whoever has left while its key was looked for has been settled already.
    signal.throwIfAborted();
    if (key !== undefined) contextOf(response).meter = needs.openMeter(key);
    const { body, images } = await readBody(request, response, { operation, needs });
    const subject = {
      url: request.url,
      headers: request.headers,
      query: request.url.includes("?") ? request.query : {},
      params: request.params,
      body,
    };
    const validating = needs.validate(subject, operation);
    if (validating !== undefined) await validating;
    const handler = needs.handlers[operation.id] as Handler<typeof operation.id>;
    // The validator has just held the body and the parameters against the spec that these types come from.
    const valid = {
      body,
      parameters: subject.params,
      context: contextOf(response),
      header: (name) => headerOf(request, name),
      query: subject.query,
      accepts: (...types) => request.accepts(types) || undefined,
      images,
    } as ValidRequest<typeof operation.id>;
    await writeResponse(response, await handler(valid), needs.log);
  };
  const watched: RequestHandler = (request, response) => {
    const serving = serve(request, response);
    contextOf(response).serving = serving;
    return serving;
  };
  if (operation.access === "public") return [begin, watched];
  return [begin, needs.authenticate[operation.access], watched];
}

/** What an operator writes is short. */
const adminBytesMax = 64 * 1024;

type Images = { readonly images: readonly ImageInput[]; readonly mask?: ImageInput };

interface ReadRequest {
  readonly body: unknown;
  readonly images?: Images;
}

async function readBody(
  request: Request,
  response: Response,
  { operation, needs }: { operation: Operation; needs: ServeNeeds },
): Promise<ReadRequest> {
  if (operation.bodies.size === 0) return { body: undefined };
  const contentType = mediaType(request.headers);
  const schema = operation.bodies.get(contentType);
  if (schema === undefined) throw unsupportedContentType(request.get("content-type") ?? "", operation);
  refuseEncodings(request, operation);
  const context = contextOf(response);
  if (request.headers.expect?.toLowerCase() === "100-continue") response.writeContinue();

  if (contentType === "application/json") {
    const bytesMax = operation.access === "admin" ? adminBytesMax : needs.limits.jsonBytesMax;
    const read = readJson(request, bytesMax);
    const { value, bytes } = read instanceof Promise ? await read : read;
    context.requestBytes = bytes;
    return { body: value };
  }
  const form = await needs.readForm(request, response);
  context.requestBytes = form.bytes;
  const { body, ...images } = await readEditForm(form, schema);
  return { body, images };
}

async function writeResponse<K extends Operation["id"]>(
  response: Response,
  given: HandlerResponse<K>,
  log: Logger,
): Promise<void> {
  if ("file" in given) return writeFile(response, given);
  if (given.headers !== undefined) addHeaders(response, given.headers);
  exposeUpstream(response);
  exposeLimits(response);
  if ("events" in given) return writeEvents(response, given.events, log);
  if ("chunks" in given) return writeChunks(response, given);
  const [type, text] =
    "text" in given ? [given.contentType, given.text] : [jsonType, JSON.stringify(given.body)];
  const body = Buffer.from(text);
  const context = contextOf(response);
  context.responseBytes = body.length;
  response.setTimeout(readingMsMax, () => response.destroy());
  const status = ("status" in given ? given.status : undefined) ?? 200;
  await context.finish(status);
  addHeader(response, "content-type", type);
  addHeader(response, "content-length", String(body.length));
  writeHead(response, status);
  response.end(body);
}

/** Says how much of its limits a key has left, where it has any. */
function exposeLimits(response: Response): void {
  const { meter } = contextOf(response);
  if (meter !== undefined) addHeaders(response, meter.headers());
}

function unsupportedContentType(given: string, operation: Operation): GatewayError {
  const taken = [...operation.bodies.keys()].map((type) => `'${type}'`).join(" or ");
  const said =
    given === "" ? "The request has no content type." : `Unsupported content type '${given.slice(0, 100)}'.`;
  return new GatewayError("unsupported_content_type", `${said} This operation takes ${taken}.`);
}

/** JSON is UTF-8, and a compressed body could grow without end. */
function refuseEncodings(request: Request, operation: Operation): void {
  const { "content-encoding": encoding = "identity", "content-type": contentType = "" } = request.headers;
  if (encoding.toLowerCase() !== "identity") {
    throw new GatewayError(
      "unsupported_content_type",
      `Unsupported content encoding '${encoding.slice(0, 100)}': send the body as it is.`,
    );
  }
  if (contentType === "application/json") return;
  const charset = /charset="?([^";\s]+)/i.exec(contentType)?.[1] ?? "utf-8";
  if (!/^utf-?8$/i.test(charset)) throw unsupportedContentType(contentType, operation);
}
