import { expect, test } from "vitest";
import { type ExampleCall, exampleCalls } from "../test/example-calls.js";
import { secrets, serveFakeGateway } from "../test/fake-gateway.js";
import { serve } from "../test/serve.js";
import { createClient } from "./create-client.js";
import { type Result, unwrap } from "./responses/result.js";

test.each(exampleCalls)("$name sends the request of the spec, and reads the response", async (call) => {
  const seen: { line: string; body: unknown }[] = [];
  const baseUrl = await serve(serveFakeGateway);
  const fetch = async (request: Request) => {
    const isJson = request.headers.get("content-type") === "application/json";
    const body = isJson ? await request.clone().json() : undefined;
    seen.push({ line: `${request.method} ${request.url.slice(baseUrl.length)}`, body });
    return globalThis.fetch(request);
  };
  const client: object = createClient({ baseUrl, fetch, ...secrets });

  const returned = Reflect.get(client, call.name)(...call.given);
  const result = call.method.returns === "pages" ? await collect(returned) : await read(await returned);

  expect(result).toEqual(call.result);
  expect(seen[0]).toEqual({ line: `${call.method.request.split(" ")[0]} ${call.url}`, body: bodyOf(call) });
});

/** The body that is sent as JSON. */
function bodyOf({ method: { takes, files, until }, given }: ExampleCall): unknown {
  const body = given[takes.indexOf("body")];
  if (files !== undefined || typeof body !== "object") return undefined;
  return until === undefined ? body : { ...body, stream: true };
}

/** The data of a result: text in place of bytes, and a list in place of a stream. */
async function read(result: Result<unknown>): Promise<unknown> {
  const data = unwrap(result);
  if (data instanceof Blob) return data.text();
  return isStream(data) ? collect(data) : data;
}

function isStream(data: unknown): data is AsyncIterable<unknown> {
  return typeof data === "object" && data !== null && Symbol.asyncIterator in data;
}

async function collect(all: AsyncIterable<unknown>): Promise<unknown[]> {
  const entries: unknown[] = [];
  for await (const entry of all) entries.push(entry);
  return entries;
}
