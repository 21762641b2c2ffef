import type { IncomingMessage, ServerResponse } from "node:http";
import { type ExampleCall, exampleCalls } from "./example-calls.js";
import { readBody, respond } from "./serve.js";

/** The examples of the spec as a gateway, so that a program runs without one. */
export async function serveFakeGateway(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await readBody(request)).toString("latin1");
  const { searchParams } = new URL(request.url ?? "", "http://gateway");
  if (searchParams.has("cursor") || searchParams.has("after")) return respond(response, 200, lastPage);
  const call = exampleCalls.find((example) => isCalled(example, request, body));
  if (call === undefined) return respond(response, 404, { error: notFound });
  if (!isAllowed(call, request.headers.authorization)) return respond(response, 401, { error: notFound });
  const status = call.method.returns === "job" ? 202 : 200;
  response.writeHead(status, { "content-type": call.contentType, "x-request-id": "req_1" });
  response.end(call.response);
}

/** Several methods may have one path. The headers or the body say which form of the response is asked for. */
function isCalled({ method: called, url }: ExampleCall, request: IncomingMessage, body: string): boolean {
  const { method, headers, url: requested = "" } = request;
  const { request: line, accept, cursor, returns, until } = called;
  const isOfPath = line.startsWith(`${method} `) && url.split("?")[0] === requested.split("?")[0];
  const isTable = headers.accept === "text/csv";
  const isJob = headers.prefer === "respond-async";
  const isStream = /"stream":true|name="stream"/.test(body);
  const isOfForm = isTable === (accept !== undefined) && isJob === (returns === "job");
  return isOfPath && cursor === undefined && isOfForm && isStream === (until !== undefined);
}

/** A key must not reach an operation that takes none: a link may lead elsewhere. */
function isAllowed({ method: { keys } }: ExampleCall, authorization: string | undefined): boolean {
  if (keys.length === 0) return authorization === undefined;
  return keys.some((name) => authorization === `Bearer ${secrets[name]}`);
}

/** The keys that the gateway takes. */
export const secrets = { apiKey: "key", adminKey: "admin" };

const lastPage = { object: "list", data: [], next_cursor: null, last_id: null, has_more: false };
const notFound = {
  message: "Not found.",
  type: "invalid_request_error",
  param: null,
  code: "model_not_found",
};
