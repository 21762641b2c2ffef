import type { AnyOptions } from "../request-options.js";
import type { ClientMethod } from "../spec.js";
import { openStream, readEvents } from "./event-stream.js";
import { readFault, unexpectedResponse } from "./gateway-fault.js";
import { isRecord, parseJson } from "./json.js";
import { type Exchange, fail, type Result, succeed } from "./result.js";

/** Reads the response to a method. A success that is not what the spec says is a failure. */
export async function readResponse(
  method: ClientMethod,
  exchange: Exchange,
  options: AnyOptions | undefined,
): Promise<Result<unknown>> {
  const { error, response } = exchange;
  if (!response.ok) return fail(response, readFault(error, response));
  if (method.returns === "events")
    return openStream(response, () => readEvents(response, method, options?.eventBytesMax));
  return method.type === undefined ? readDocument(method, exchange) : readContent(method.type, exchange);
}

function readDocument(method: ClientMethod, { data, response }: Exchange): Result<unknown> {
  const document = typeof data === "string" ? parseJson(data) : undefined;
  if (!isDocument(method, document)) return fail(response, unexpectedResponse(response, data));
  return succeed(response, document);
}

/** Whether a document is the operation's, and not another server's JSON. Newer properties may be missing. */
function isDocument({ object, has }: ClientMethod, document: unknown): boolean {
  if (!isRecord(document) || has === undefined || !Object.hasOwn(document, has)) return false;
  return object === undefined || document.object === object;
}

/** Reads a text or bytes of the given type. */
function readContent(type: string, { data, response }: Exchange): Result<unknown> {
  const isOfType = response.headers.get("content-type")?.startsWith(type) === true;
  if (!isOfType || data === undefined)
    return fail(response, unexpectedResponse(response, typeof data === "string" ? data : undefined));
  return succeed(response, data);
}
