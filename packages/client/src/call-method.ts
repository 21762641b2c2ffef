import { writeForm } from "./form.js";
import type { HttpClient } from "./http-client.js";
import { iterateList, type Page } from "./iterate-list.js";
import { type AnyOptions, transport } from "./request-options.js";
import { readResponse } from "./responses/read-response.js";
import type { Exchange, Result } from "./responses/result.js";
import type { ClientMethod } from "./spec.js";

/** A method as a function of any arguments; its type is in `GatewayClient`. */
export function createMethod(method: ClientMethod, http: HttpClient): (...given: unknown[]) => unknown {
  if (method.cursor !== undefined) return createIteration(method, method.cursor, http);
  return async (...given) => {
    const call = readArguments(method, given);
    return readResponse(method, await send(method, http, call), call.options);
  };
}

/** Yields the entries of all pages. */
function createIteration(method: ClientMethod, cursorName: string, http: HttpClient) {
  return (...given: unknown[]) => {
    const call = readArguments(method, given);
    const fetchPage = async (cursor: string | undefined) => {
      const query = cursor === undefined ? call.query : { ...call.query, [cursorName]: cursor };
      const exchange = await send(method, http, { ...call, query });
      return (await readResponse(method, exchange, call.options)) as Result<Page<unknown>>;
    };
    return iterateList(fetchPage, call.query[cursorName] as string | undefined);
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** The arguments of a call. */
export interface Call {
  readonly path: Fields;
  readonly query: Fields;
  readonly body: Fields | undefined;
  readonly options: AnyOptions | undefined;
}

/** The types of the methods check what is given. */
export function readArguments({ takes }: ClientMethod, given: readonly unknown[]): Call {
  const { body, query, ...path } = Object.fromEntries(takes.map((name, index) => [name, given[index]]));
  return {
    path,
    query: (query ?? {}) as Fields,
    body: body as Fields | undefined,
    options: given[takes.length] as AnyOptions | undefined,
  };
}

/** Sends the request of a method. */
export async function send(method: ClientMethod, http: HttpClient, call: Call): Promise<Exchange> {
  const [verb = "", path = ""] = method.request.split(" ");
  const { accept, returns } = method;
  const headers = { ...(accept && { accept }), ...(returns === "job" && { prefer: "respond-async" }) };
  return http(verb, path, {
    params: { path: call.path, query: call.query },
    body: call.body && (await writeBody(method, call.body)),
    ...transport(call.options, headers),
    parseAs: returns === "events" ? "stream" : returns === "bytes" ? "blob" : "text",
  });
}

/** A form for files. An object is sent as JSON. */
async function writeBody({ files, json, until }: ClientMethod, given: Fields): Promise<object> {
  const body = until === undefined ? given : { ...given, stream: true };
  const isJson = files === undefined || (json && !Object.keys(files).some((name) => name in body));
  return isJson ? body : writeForm(body, files);
}
