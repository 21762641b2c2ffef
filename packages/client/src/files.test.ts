import { expect, test } from "vitest";
import { readBody, readForm, respond, serve } from "../test/serve.js";
import { createClient } from "./create-client.js";
import { unwrap } from "./responses/result.js";

const file = { object: "file", id: "file-1", bytes: 4, filename: "a.jsonl", purpose: "batch" };

test("uploadFile sends a form with the expiry in brackets", async () => {
  let parts: [string, string][] = [];
  const baseUrl = await serve(async (request, response) => {
    parts = [...(await readForm(request))].map(([name, part]) => [
      name,
      typeof part === "string" ? part : part.name,
    ]);
    respond(response, 200, file);
  });
  const client = createClient({ baseUrl, apiKey: "key" });
  const expires_after = { anchor: "created_at", seconds: 3600 } as const;

  const named = new File(["one\n"], "a.jsonl");
  const result = await client.uploadFile({ file: named, purpose: "batch", expires_after });

  expect(result).toMatchObject({ ok: true, data: file });
  expect(parts).toEqual([
    ["purpose", "batch"],
    ["expires_after[anchor]", "created_at"],
    ["expires_after[seconds]", "3600"],
    ["file", "a.jsonl"],
  ]);
  await client.uploadFile({ file: new Blob(["one\n"]), purpose: "batch" });
  expect(parts.at(-1)).toEqual(["file", "requests.jsonl"]);
});

test("iterateFiles follows last_id until there is no more", async () => {
  const seen: (string | undefined)[] = [];
  const baseUrl = await serve((request, response) => {
    seen.push(request.url);
    const id = `file-${seen.length}`;
    respond(response, 200, {
      object: "list",
      data: [{ ...file, id }],
      last_id: id,
      has_more: seen.length < 3,
    });
  });

  const ids: string[] = [];
  for await (const { id } of createClient({ baseUrl, apiKey: "key" }).iterateFiles({ limit: 1 }))
    ids.push(id);

  expect(ids).toEqual(["file-1", "file-2", "file-3"]);
  expect(seen).toEqual([
    "/v1/files?limit=1",
    "/v1/files?limit=1&after=file-1",
    "/v1/files?limit=1&after=file-2",
  ]);
});

test("retrieveFileContent gives the bytes, and a page of a proxy is a failure", async () => {
  const baseUrl = await serve(async (request, response) => {
    await readBody(request);
    const type = request.url?.includes("file-1") ? "application/octet-stream" : "text/html";
    response.writeHead(200, { "content-type": type }).end("one\n");
  });
  const client = createClient({ baseUrl, apiKey: "key" });

  expect(await unwrap(await client.retrieveFileContent("file-1")).text()).toBe("one\n");
  expect(await client.retrieveFileContent("file-2")).toMatchObject({
    ok: false,
    error: { code: "unexpected_response" },
  });
});

test("files are read with the admin key where there is no other", async () => {
  const keys: (string | undefined)[] = [];
  const baseUrl = await serve((request, response) => {
    keys.push(request.headers.authorization);
    respond(response, 200, file);
  });

  await createClient({ baseUrl, adminKey: "admin" }).retrieveFile("file-1");
  await createClient({ baseUrl, apiKey: "key", adminKey: "admin" }).retrieveFile("file-1");

  expect(keys).toEqual(["Bearer admin", "Bearer key"]);
});
