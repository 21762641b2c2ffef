import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { readBody, respond, serve } from "../test/serve.js";
import { createClient } from "./create-client.js";
import { unwrap } from "./responses/result.js";

const list = { object: "list", data: [], next_cursor: null };

test("a parameter of the path is percent-encoded, and a body is JSON", async () => {
  const { client, seen } = await record({ object: "key", id: "key_1" });

  const results = [await client.retrieveKey("key/1"), await client.changeKey("key_1", { budget: null })];

  expect(results.map(({ ok }) => ok)).toEqual([true, true]);
  expect(seen.map(({ line, body }) => [line, body])).toEqual([
    ["GET /admin/v1/keys/key%2F1", ""],
    ["PATCH /admin/v1/keys/key_1", '{"budget":null}'],
  ]);
});

test("retrieveUsage sends group_by as one parameter", async () => {
  const { client, seen } = await record(list);

  const results = [
    await client.retrieveUsage(),
    await client.retrieveUsage({ group_by: ["key", "day"], from: 1 }),
  ];

  expect(results.map(({ ok }) => ok)).toEqual([true, true]);
  expect(seen.map(({ line }) => line)).toEqual([
    "GET /admin/v1/usage",
    "GET /admin/v1/usage?group_by=key,day&from=1",
  ]);
});

test("createSession sends the admin key, or else the key of a caller", async () => {
  const { baseUrl, seen } = await record({ object: "session", id: "session_1", value: "mg_session_1" });

  const results = [
    await createClient({ baseUrl, apiKey: "key", adminKey: "admin" }).createSession(),
    await createClient({ baseUrl, apiKey: "key" }).createSession(),
  ];

  expect(results.map((result) => result.ok && result.data.value)).toEqual(["mg_session_1", "mg_session_1"]);
  expect(seen.map(({ line, headers }) => [line, headers.authorization])).toEqual([
    ["POST /admin/v1/sessions", "Bearer admin"],
    ["POST /admin/v1/sessions", "Bearer key"],
  ]);
});

describe("streamEvents", () => {
  const started = { type: "stream.started", timestamp: "", data: { gateway_version: "1.0.0", workers: 1 } };
  const line = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  const read = async (text: string) => {
    const { client, seen } = await record(text, "text/event-stream; charset=utf-8");
    const events: unknown[] = [];
    let error: unknown;
    try {
      for await (const event of unwrap(await client.streamEvents({ limit: 5 }))) events.push(event);
    } catch (thrown) {
      error = thrown;
    }
    return { events, error, seen };
  };

  test("events are yielded until the stream ends, and unknown ones are skipped", async () => {
    const { events, error, seen } = await read(
      `${line(started)}: keep-alive\n\n${line({ type: "moon.rose" })}${line({ ...started, type: "events.dropped" })}`,
    );

    expect(error).toBeUndefined();
    expect(events).toEqual([started, { ...started, type: "events.dropped" }]);
    expect(seen).toMatchObject([{ line: "GET /admin/v1/events?limit=5" }]);
  });

  test("the end of the session is thrown", async () => {
    const fault = { message: "m", type: "invalid_request_error", param: null, code: "invalid_api_key" };

    const { events, error } = await read(`${line(started)}${line({ type: "error", error: fault } as never)}`);

    expect(events).toEqual([started]);
    expect(error).toMatchObject({ name: "GatewayRequestError", code: "invalid_api_key" });
  });

  test("an abort ends a stream that has been open through garbage collections", async () => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(line(started));
    });
    const abort = new AbortController();
    const { signal } = abort;
    const events = unwrap(await createClient({ baseUrl }).streamEvents({}, { signal }));
    const iterator = events[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();

    for (let count = 0; count < 5; count += 1) await collectGarbage();
    abort.abort();

    await expect(next).rejects.toThrow("aborted");
  });
});

/** Objects that nothing refers to are gone after a turn. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  await setImmediate();
}

describe("responses that are texts", () => {
  test("tables are requested by their content type", async () => {
    const { client, seen } = await record("id,status\r\n", "text/csv; charset=utf-8");

    const results = [
      await client.retrieveUsageTable({ group_by: ["model"] }),
      await client.listRequestsTable({ status: 500 }, { headers: { "x-a": "1" } }),
      await client.listKeysTable({ limit: 5 }),
    ];

    expect(results.map((result) => result.ok && result.data)).toEqual(Array(3).fill("id,status\r\n"));
    expect(seen.map(({ line, headers }) => [line, headers.accept, headers["x-a"]])).toEqual([
      ["GET /admin/v1/usage?group_by=model", "text/csv", undefined],
      ["GET /admin/v1/requests?status=500", "text/csv", "1"],
      ["GET /admin/v1/keys?limit=5", "text/csv", undefined],
    ]);
  });

  test("metrics are returned unchanged", async () => {
    const { client, seen } = await record("up 1\n", "text/plain; version=0.0.4; charset=utf-8");

    const result = await client.readMetrics();

    expect(result).toMatchObject({ ok: true, data: "up 1\n" });
    expect(seen).toMatchObject([{ line: "GET /metrics" }]);
  });

  test("a text of another type is a failure", async () => {
    const { client } = await record("<html>", "text/html");

    const results = [await client.readMetrics(), await client.retrieveUsageTable()];

    expect(results.map((result) => !result.ok && result.error.code)).toEqual([
      "unexpected_response",
      "unexpected_response",
    ]);
  });

  test("an error is read from its JSON", async () => {
    const error = { message: "m", type: "invalid_request_error", param: null, code: "admin_key_required" };
    const baseUrl = await serve((_, response) => respond(response, 403, { error }));

    const result = await createClient({ baseUrl }).readMetrics();

    expect(result).toMatchObject({ ok: false, status: 403, error });
  });
});

test("the admin key is sent with operations of the admin API, the other key with all others", async () => {
  const { baseUrl, seen } = await record({ ...list, status: "ok" });
  const client = createClient({ baseUrl, apiKey: "key", adminKey: "admin" });
  const withoutAdminKey = createClient({ baseUrl, apiKey: "key" });

  await client.listKeys();
  await client.listModels();
  await withoutAdminKey.listKeys();

  expect(seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer admin", "Bearer key", undefined]);
});

async function record(body: unknown, contentType?: string) {
  const seen: { line: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const baseUrl = await serve(async (request, response) => {
    const text = (await readBody(request)).toString();
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body: text });
    if (contentType === undefined) return respond(response, 200, body);
    response.writeHead(200, { "content-type": contentType, "x-request-id": "req_1" }).end(body);
  });
  return { baseUrl, seen, client: createClient({ baseUrl, adminKey: "admin" }) };
}
