import { describe, expect, test } from "vitest";
import { readBody, respond, serve } from "../test/serve.js";
import { createClient } from "./create-client.js";

const list = { object: "list", data: [], next_cursor: null };
const key = { object: "key", id: "key_1", redacted_value: "mg_...1k2x" };

describe("operations of the admin API", () => {
  test("listKeys requests one page of the list", async () => {
    const { client, seen } = await record(list);

    const result = await client.listKeys({ limit: 20, cursor: "a b" });

    expect(result).toMatchObject({ ok: true, data: list, requestId: "req_1" });
    expect(seen).toMatchObject([{ line: "GET /admin/v1/keys?limit=20&cursor=a%20b" }]);
  });

  test("createKey posts the permissions of the key and returns its secret", async () => {
    const { client, seen } = await record({ ...key, value: "mg_secret" });

    const result = await client.createKey({ name: "a", limits: { requests_per_minute: 5 } });

    expect(result).toMatchObject({ ok: true, data: { value: "mg_secret" } });
    expect(seen).toMatchObject([
      { line: "POST /admin/v1/keys", body: '{"name":"a","limits":{"requests_per_minute":5}}' },
    ]);
  });

  test("retrieveKey, changeKey and revokeKey have the key in the path", async () => {
    const { client, seen } = await record(key);

    const results = [
      await client.retrieveKey("key/1"),
      await client.changeKey("key_1", { budget: null }),
      await client.revokeKey("key_1"),
    ];

    expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(seen.map(({ line, body }) => [line, body])).toEqual([
      ["GET /admin/v1/keys/key%2F1", ""],
      ["PATCH /admin/v1/keys/key_1", '{"budget":null}'],
      ["DELETE /admin/v1/keys/key_1", ""],
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

  test("listRequests sends every filter", async () => {
    const { client, seen } = await record(list);

    const result = await client.listRequests({ key: "config:dev", status: 429, operation: "createImage" });

    expect(result.ok).toBe(true);
    expect(seen).toMatchObject([
      { line: "GET /admin/v1/requests?key=config%3Adev&status=429&operation=createImage" },
    ]);
  });

  test("listAdminModels and listUpstreams request the whole list", async () => {
    const { client, seen } = await record(list);

    const results = [await client.listAdminModels(), await client.listUpstreams()];

    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    expect(seen.map(({ line }) => line)).toEqual(["GET /admin/v1/models", "GET /admin/v1/upstreams"]);
  });
});

describe("responses that are texts", () => {
  test("tables are requested by their content type", async () => {
    const { client, seen } = await record("id,status\r\n", "text/csv; charset=utf-8");

    const results = [
      await client.retrieveUsageTable({ group_by: ["model"] }),
      await client.listRequestsTable({ status: 500 }, { headers: { "x-a": "1" } }),
    ];

    expect(results.map((result) => result.ok && result.data)).toEqual(["id,status\r\n", "id,status\r\n"]);
    expect(seen.map(({ line, headers }) => [line, headers.accept, headers["x-a"]])).toEqual([
      ["GET /admin/v1/usage?group_by=model", "text/csv", undefined],
      ["GET /admin/v1/requests?status=500", "text/csv", "1"],
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
