import { get } from "node:http";
import { gunzipSync } from "node:zlib";
import type { Schemas } from "@model-gateway/domain/operations";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import type { Fault } from "../../fake-upstream/script.js";
import { AdminClient } from "../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testAdminKey, testKey } from "../../gateway/test-gateway.js";

let one: FakeUpstream;
let other: FakeUpstream;
let gateway: InProcessGateway;

const config = () => `
upstreams:
  one: { provider: openai-compatible, baseUrl: "${one.baseUrl}" }
  other: { provider: openai-compatible, baseUrl: "${other.baseUrl}" }
models:
  text:
    type: embedding
    dimensions: 8
    strategy: ordered
    cache: { ttl: 1h }
    targets: [{ upstream: one, model: m }, { upstream: other, model: m }]
  two-there:
    type: embedding
    dimensions: 8
    targets: [{ upstream: one, model: a, space: s }, { upstream: one, model: b, space: s }]
  image:
    type: image
    strategy: ordered
    targets: [{ upstream: one, model: i }, { upstream: other, model: i }]
${Array.from({ length: 40 }, (_, index) => `  more-${index}: { type: embedding, targets: [{ upstream: one, model: m }] }`).join("\n")}
`;

beforeAll(async () => {
  [one, other] = await Promise.all([startFakeUpstream(), startFakeUpstream()]);
  gateway = await startGateway(config());
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([one.close(), other.close()]);
});

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function signIn(key = testAdminKey): Promise<Schemas["CreatedSession"]> {
  const response = await gateway.send("/admin/v1/sessions", { method: "POST", headers: bearer(key) });
  return (await response.json()) as Schemas["CreatedSession"];
}

function embed(key: string, headers: Record<string, string> = {}): Promise<Response> {
  const body = { model: "text", input: "a" };
  return gateway.sendJson("/v1/embeddings", body, { headers: { ...bearer(key), ...headers } });
}

test("the session of an operator may use the admin API and models, and is metered as the console", async () => {
  const { value } = await signIn();

  const models = await gateway.send("/admin/v1/models", { headers: bearer(value) });
  const embedded = await embed(value, { "cache-control": "no-store" });

  expect([models.status, embedded.status]).toEqual([200, 200]);
  const [row] = await new AdminClient(gateway.url).rowsOnce(1, { key: "console:operator" });
  expect(row).toMatchObject({ key_name: "console", model: "text", status: 200 });
});

test("the admin key itself still calls no model", async () => {
  const response = await embed(testAdminKey);

  expect(response.status).toBe(401);
});

test("a caller's session may call the models of its key, and is metered on that key", async () => {
  const admin = new AdminClient(gateway.url);
  const key = await admin.createKey({
    name: "developer",
    models: ["text"],
    limits: { requests_per_minute: 2 },
  });
  const { value } = await signIn(key.value);

  const listed = await gateway.send("/v1/models", { headers: bearer(value) });
  const statuses = [await embed(value), await embed(key.value), await embed(value)].map(
    ({ status }) => status,
  );

  const { data } = (await listed.json()) as Schemas["ModelList"];
  expect(data.map(({ id }) => id)).toEqual(["text"]);
  expect(statuses).toEqual([200, 200, 429]);
  expect(await admin.rowsOnce(3, { key: key.id })).toHaveLength(3);
});

test("a request goes to the upstream that an operator names, past the cache", async () => {
  const { value } = await signIn();
  await embed(value);
  const before = [one.seen().requests, other.seen().requests];

  const pinned = await embed(value, { "x-gateway-target": "other" });
  const image = await gateway.sendJson(
    "/v1/images/generations",
    { model: "image", prompt: "a" },
    { headers: { ...bearer(value), "x-gateway-target": "other" } },
  );

  expect([pinned.status, image.status]).toEqual([200, 200]);
  expect(pinned.headers.get("x-gateway-upstream")).toBe("other");
  expect(pinned.headers.get("x-gateway-cache")).toBeNull();
  expect([one.seen().requests, other.seen().requests]).toEqual([before[0], (before[1] ?? 0) + 2]);
});

test("a request goes to one of two targets at an upstream, that an operator names", async () => {
  const { value } = await signIn();
  const models = () => one.received.map(({ body }) => body.model);

  for (const model of ["a", "b", "b", "a"]) {
    const headers = { ...bearer(value), "x-gateway-target": "one", "x-gateway-target-model": model };
    const body = { model: "two-there", input: "the same text" };
    expect((await gateway.sendJson("/v1/embeddings", body, { headers })).status).toBe(200);
  }

  expect(models().slice(-4)).toEqual(["a", "b", "b", "a"]);
});

test.each([
  ["a model that is not there", { "x-gateway-target": "one", "x-gateway-target-model": "x" }],
  ["a model without an upstream", { "x-gateway-target-model": "m" }],
])("the header for the target's model is refused by name for %s", async (_what, headers) => {
  const { value } = await signIn();

  const response = await embed(value, headers);

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { code: "invalid_value", param: "x-gateway-target-model" },
  });
});

test.each([
  ["an upstream without a target", () => signIn(), "nowhere", "invalid_value"],
  ["a caller's session", () => signIn(testKey), "other", "unsupported_parameter"],
  ["a caller's key", async () => ({ value: testKey }), "other", "unsupported_parameter"],
])("the header for the target is refused by name for %s", async (_what, begin, upstream, code) => {
  const { value } = await begin();

  const response = await embed(value, { "x-gateway-target": upstream });

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code, param: "x-gateway-target" } });
});

test("a probe that succeeds ends a target's pause", async () => {
  const { value } = await signIn();
  const list = async () => {
    const response = await gateway.send("/admin/v1/upstreams", { headers: bearer(value) });
    const { data } = (await response.json()) as Schemas["UpstreamList"];
    return data[1]?.targets.find(({ model }) => model === "m");
  };
  const probe = async () => {
    const body = { model: "text", upstream: "other" };
    const response = await gateway.sendJson("/admin/v1/probes", body, { headers: bearer(value) });
    return (await response.json()) as Schemas["Probe"];
  };
  const refusal: Fault = { kind: "reply", status: 401, body: { error: { message: "No." } } };
  await other.follow({ always: { faults: [refusal] } });

  expect(await probe()).toMatchObject({ ok: false, error: { code: "upstream_auth_error" } });
  expect(await list()).toMatchObject({
    serves: ["text"],
    state: "misconfigured",
    paused_until: expect.any(Number),
    last_error: { code: "upstream_auth_error" },
  });

  await other.follow({});
  expect(await probe()).toMatchObject({ ok: true, state: "healthy" });
  expect(await list()).toMatchObject({ state: "healthy", paused_until: null });
});

test("a long response of the admin API is compressed for a caller that accepts that", async () => {
  const plain = await readBytes("/admin/v1/models", {});
  const zipped = await readBytes("/admin/v1/models", { "accept-encoding": "gzip, br" });
  const refused = await readBytes("/admin/v1/models", { "accept-encoding": "gzip;q=0" });
  const short = await readBytes("/admin/v1/keys", { "accept-encoding": "gzip" });

  expect([plain, zipped, refused, short].map(({ encoding }) => encoding)).toEqual([
    undefined,
    "gzip",
    undefined,
    undefined,
  ]);
  const sent = JSON.parse(plain.bytes.toString()) as Schemas["AdminModelList"];
  const unzipped = JSON.parse(gunzipSync(zipped.bytes).toString()) as Schemas["AdminModelList"];
  expect(unzipped.data.map(({ id }) => id)).toEqual(sent.data.map(({ id }) => id));
  expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 4);
});

test("another configuration ends event streams, after it was reported", async () => {
  const { value } = await signIn();
  const response = await gateway.send("/admin/v1/events", { headers: bearer(value) });
  const text = readAll(response);
  await expect.poll(text.soFar).toContain("stream.started");

  await gateway.reload(config());

  expect(await text.whole).toMatch(/event: configuration\.reloaded\ndata: .*"accepted":true/);
});

test("HEAD gets the headers of a stream alone", async () => {
  const response = await gateway.send("/admin/v1/events", { method: "HEAD", headers: bearer(testAdminKey) });

  expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
    200,
    "text/event-stream; charset=utf-8",
    "",
  ]);
});

test("no secret of a session is in the log or in the database", async () => {
  const { value, id } = await signIn();
  await embed(value);
  await gateway.send("/admin/v1/sessions/current", { headers: bearer(value) });
  await gateway.send("/admin/v1/sessions/current", { method: "DELETE", headers: bearer(value) });
  await embed(value);

  expect(id).not.toContain(value.slice(-8));
  expect(gateway.logLines.join("")).not.toContain("mg_session_");
});

/** The bytes of a response as they were sent. `fetch` would decompress them. */
function readBytes(
  path: string,
  headers: Record<string, string>,
): Promise<{ encoding: string | undefined; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = get(`${gateway.url}${path}`, { headers: { ...bearer(testAdminKey), ...headers } });
    sent.on("error", reject);
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ encoding: response.headers["content-encoding"], bytes: Buffer.concat(chunks) }),
      );
    });
  });
}

/** A stream's text: the part so far, and all of it at the end. */
function readAll(response: Response): { soFar: () => string; whole: Promise<string> } {
  let text = "";
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array);
    return text;
  };
  return { soFar: () => text, whole: read() };
}
