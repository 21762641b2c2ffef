import { expect, test } from "vitest";
import { respond, serve } from "../test/serve.js";
import { createClient } from "./create-client.js";

/** A client of a server with these pages. The cursor of a page is its index. */
async function servePages(pages: readonly { data: unknown[]; next_cursor: string | null }[]) {
  const urls: string[] = [];
  const baseUrl = await serve((request, response) => {
    urls.push(request.url ?? "");
    const { searchParams } = new URL(request.url ?? "", "http://gateway");
    const page = pages[Number(searchParams.get("cursor") ?? 0)];
    const error = {
      message: "Invalid cursor.",
      type: "invalid_request_error",
      param: "cursor",
      code: "invalid_value",
    };
    if (page === undefined) return respond(response, 400, { error });
    return respond(response, 200, { object: "list", ...page });
  });
  return { client: createClient({ baseUrl, adminKey: "admin" }), urls };
}

const pages = [
  { data: [{ id: "key_1" }, { id: "key_2" }], next_cursor: "1" },
  { data: [], next_cursor: "2" },
  { data: [{ id: "key_3" }], next_cursor: null },
];

test("iterateKeys yields the keys on all pages, with the same query", async () => {
  const { client, urls } = await servePages(pages);

  const ids: string[] = [];
  for await (const { id } of client.iterateKeys({ limit: 2 })) ids.push(id);

  expect(ids).toEqual(["key_1", "key_2", "key_3"]);
  expect(urls).toEqual([
    "/admin/v1/keys?limit=2",
    "/admin/v1/keys?limit=2&cursor=1",
    "/admin/v1/keys?limit=2&cursor=2",
  ]);
});

test("iterateRequests starts at a given cursor", async () => {
  const { client, urls } = await servePages(pages);

  const ids: string[] = [];
  for await (const { id } of client.iterateRequests({ status: 429, cursor: "2" })) ids.push(id);

  expect(ids).toEqual(["key_3"]);
  expect(urls).toEqual(["/admin/v1/requests?status=429&cursor=2"]);
});

test("a page is fetched only when the loop needs it", async () => {
  const { client, urls } = await servePages(pages);

  for await (const { id } of client.iterateKeys()) if (id === "key_2") break;

  expect(urls).toEqual(["/admin/v1/keys"]);
});

test("a page that fails is thrown after the entries before it", async () => {
  const { client } = await servePages([{ data: [{ id: "key_1" }], next_cursor: "7" }]);

  const ids: string[] = [];
  const loop = async () => {
    for await (const { id } of client.iterateKeys()) ids.push(id);
  };

  await expect(loop()).rejects.toMatchObject({
    name: "GatewayRequestError",
    status: 400,
    code: "invalid_value",
  });
  expect(ids).toEqual(["key_1"]);
});

test("a page that leads to itself ends the loop with an error", async () => {
  const { client, urls } = await servePages([
    { data: [{ id: "key_1" }], next_cursor: "1" },
    { data: [{ id: "key_2" }], next_cursor: "1" },
  ]);

  const loop = async () => {
    for await (const _ of client.iterateKeys());
  };

  await expect(loop()).rejects.toMatchObject({ code: "unexpected_response" });
  expect(urls.length).toBe(2);
});
