import { readdir } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";

type Job = Schemas["Job"];

let upstream: FakeUpstream;
let gateway: InProcessGateway;
let admin: AdminClient;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  gateway = await startGateway(`
jobs: { keyJobsMax: 3, inputBytesMax: 1000 }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  m: { type: image, profile: gpt-image, price: { perImage: 0.25 }, targets: [{ upstream: fake, model: m }] }
  slow: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: slow }] }`);
  admin = new AdminClient(gateway.url);
});
afterEach(async () => {
  upstream.follow({});
  await gateway.stop();
  await upstream.close();
});

test("a job has the response of the request, and its run has one row with the id of the request", async () => {
  const body = { prompt: "a fox", n: 2 };
  const sent = await create(body, {}, { prefer: "" });

  const job = await create(body);
  const finished = await waitFor(job.id);

  const { created: _created, ...expected } = sent as unknown as Schemas["ImagesResponse"];
  expect(finished).toMatchObject({ status: "completed", error: null, response: expected });
  const rows = await admin.rowsOnce(2);
  expect(rows[1]).toMatchObject({
    id: job.request_id,
    images: 2,
    cost_usd: 0.5,
    status: 200,
    job_id: job.id,
  });
  expect(await waitFor(job.id)).toMatchObject({ cost_usd: 0.5 });
  await setTimeout(50);
  expect(await admin.rows()).toHaveLength(2);
});

test("a job that fails has the error of the request", async () => {
  upstream.follow({ always: { faults: [{ kind: "reply", status: 500 }] } });

  const { id, request_id } = await create({ prompt: "a fox" });

  expect(await waitFor(id)).toMatchObject({ status: "failed", error: { code: "upstream_error" } });
  expect((await admin.rowsOnce(1))[0]).toMatchObject({ id: request_id, status: 502 });
});

test("only the caller reads an upstream's message that quotes the prompt", async () => {
  const secret = "a secret fox";
  const fault = { kind: "reply", status: 400, body: { error: { message: `Rejected: ${secret}` } } } as const;
  upstream.follow({ always: { faults: [fault] } });
  const { id, request_id } = await create({ prompt: secret });
  const own = await waitFor(id);

  const answers = await Promise.all([
    admin.send(`/admin/v1/jobs/${id}`),
    admin.send("/admin/v1/jobs"),
    admin.send(`/admin/v1/jobs/${id}/cancel`, { method: "POST" }),
  ]);

  expect(own.error?.message).toContain(secret);
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  const [row] = await admin.rowsOnce(1);
  const { message, param } = row?.failure ?? {};
  expect(row?.id).toBe(request_id);
  expect(JSON.parse(texts[0] as string).error).toEqual({ ...own.error, message, param });
  for (const text of texts) {
    expect(text).toContain("only the caller gets it");
    expect(text).not.toContain(secret);
  }
});

test("a job of an operator's session runs as the operator, and ends after the session", async () => {
  upstream.follow({ always: { isHeld: true } });
  const { value } = await admin.createSession();
  const session = { authorization: `Bearer ${value}` };
  const { id, request_id } = await create({ prompt: "a fox" }, session);
  await expect.poll(() => upstream.seen().requests).toBe(1);
  await gateway.send("/admin/v1/sessions/current", { method: "DELETE", headers: session });
  upstream.follow({});

  const [row] = await admin.rowsOnce(1);

  expect(row).toMatchObject({ id: request_id, job_id: id, key_id: "console:operator", status: 200 });
});

test.each([
  [{ prompt: "" }, {}, 400, "empty_string"],
  [{ prompt: "a", style: "natural" }, {}, 400, "unsupported_parameter"],
  [{ prompt: "a", stream: true }, {}, 400, "invalid_value"],
  [{ prompt: "a", model: "nope" }, {}, 404, "model_not_found"],
  [{ prompt: "a" }, { "x-gateway-priority": "high" }, 400, "invalid_value"],
])("the faulty request %j %j is refused at once", async (body, headers, status, code) => {
  const response = await send(body, headers);

  expect([response.status, await codeOf(response)]).toEqual([status, code]);
  expect(await list()).toEqual([]);
});

test("rights, limits and the budget are checked at once, and the run alone counts", async () => {
  const narrow = await admin.createKey({ name: "narrow", models: ["other"] });
  const poor = await admin.createKey({ name: "poor", budget: { usd: 0.1, per: "day" } });
  const slow = await admin.createKey({ name: "slow", limits: { requests_per_minute: 1, images_per_day: 1 } });
  const sendWith = (key: { value: string }, body = {}) =>
    send({ prompt: "a fox", ...body }, { authorization: `Bearer ${key.value}` });

  const refused = [await sendWith(narrow), await sendWith(poor), await sendWith(slow, { n: 2 })];
  expect(refused.map(({ status }) => status)).toEqual([403, 429, 429]);

  const job = (await (await sendWith(slow)).json()) as Job;
  const finished = await waitFor(job.id, slow.value);
  expect(finished.status).toBe("completed");
  const next = await sendWith(slow);
  expect([next.status, await codeOf(next)]).toEqual([429, "rate_limit_exceeded"]);
});

test("a job that meets a limit waits for it", async () => {
  const key = await admin.createKey({ name: "one at a time", limits: { max_concurrency: 1 } });
  const headers = { authorization: `Bearer ${key.value}` };
  upstream.follow({ always: { delayMs: 300 } });

  const first = await create({ prompt: "a" }, headers);
  await expect.poll(() => upstream.seen().inFlight).toBe(1);
  const jobs = [first, await create({ prompt: "b" }, headers)];
  const finished = await Promise.all(jobs.map(({ id }) => waitFor(id, key.value)));

  expect(finished.map(({ status }) => status)).toEqual(["completed", "completed"]);
  expect(upstream.seen().requests).toBe(2);
  expect(await admin.rowsOnce(2)).toHaveLength(2);
});

test("the same Idempotency-Key is the same job, and another request with it is a 409", async () => {
  upstream.follow({ always: { isHeld: true } });
  const headers = { "idempotency-key": "order-1" };

  const [first, second] = await Promise.all([
    create({ prompt: "a fox" }, headers),
    create({ prompt: "a fox" }, headers),
  ]);
  const other = await send({ prompt: "a hare" }, headers);
  await expect.poll(() => upstream.seen().inFlight).toBe(1);
  // A request without a job joins the run.
  const joined = gateway.sendJson("/v1/images/generations", { model: "m", prompt: "a fox" }, { headers });
  upstream.follow({});

  expect(second.id).toBe(first.id);
  expect([other.status, await codeOf(other)]).toEqual([409, "idempotency_conflict"]);
  expect((await joined).status).toBe(200);
  expect(await waitFor(first.id)).toMatchObject({ status: "completed" });
  expect((await create({ prompt: "a fox" }, headers)).id).toBe(first.id);
  expect(upstream.seen().requests).toBe(1);
});

test("a key that a request without a job has used gives its response, or a 409", async () => {
  const headers = { "idempotency-key": "order-2" };
  const sent = await create({ prompt: "a fox" }, { ...headers, prefer: "" });

  const job = await create({ prompt: "a fox" }, headers);
  const conflict = await send({ prompt: "a hare" }, headers);

  expect((await waitFor(job.id)).response).toEqual(sent);
  expect(conflict.status).toBe(409);
  expect(upstream.seen().requests).toBe(1);
});

test("a queued job is cancelled at once, and a running one soon", async () => {
  upstream.follow({ always: { isHeld: true } });
  const running = await create({ prompt: "a" });
  await expect.poll(() => upstream.seen().inFlight).toBe(1);

  const cancelled = await cancel(running.id);

  expect(cancelled).toMatchObject({ status: "cancelled", error: null });
  await expect.poll(() => upstream.seen().inFlight).toBe(0);
  expect((await admin.rowsOnce(1))[0]).toMatchObject({ id: running.request_id, status: 499 });
  expect(await cancel(running.id)).toEqual(cancelled);
});

test("an operator cancels the job of any key", async () => {
  upstream.follow({ always: { isHeld: true } });
  const { id } = await create({ prompt: "a" });
  await expect.poll(() => upstream.seen().inFlight).toBe(1);

  const response = await admin.send(`/admin/v1/jobs/${id}/cancel`, { method: "POST" });

  expect(await response.json()).toMatchObject({ id, status: "cancelled" });
});

test("too many jobs of one key are a 429, until one has ended", async () => {
  upstream.follow({ always: { isHeld: true } });
  const jobs = [await create({ prompt: "1" }), await create({ prompt: "2" }), await create({ prompt: "3" })];

  const refused = await send({ prompt: "4" });
  const { value } = await admin.createKey({ name: "another" });
  const other = await send({ prompt: "4" }, { authorization: `Bearer ${value}` });
  upstream.follow({});
  for (const { id } of jobs) await waitFor(id);

  expect([refused.status, other.status]).toEqual([429, 202]);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect((await send({ prompt: "4" })).status).toBe(202);
});

test("a job of a key that was revoked meanwhile does not run", async () => {
  const key = await admin.createKey({ name: "revoked", limits: { max_concurrency: 1 } });
  const headers = { authorization: `Bearer ${key.value}` };
  upstream.follow({ always: { isHeld: true } });
  const running = await create({ prompt: "a" }, headers);
  await expect.poll(() => upstream.seen().inFlight).toBe(1);
  const waiting = await create({ prompt: "b" }, headers);
  await admin.revokeKey(key.id);
  upstream.follow({});

  // The operator still sees both.
  await expect.poll(async () => (await look(running.id)).status).toBe("completed");
  await expect
    .poll(async () => (await look(waiting.id)).error?.code, {
      timeout: 10_000,
    })
    .toBe("invalid_api_key");
  expect(upstream.seen().requests).toBe(1);
});

test("an edit's images reach the upstream byte for byte, from a form and from JSON, and are removed", async () => {
  const mask = tinyPng;
  const form = new FormData();
  form.append("model", "m");
  form.append("prompt", "a fox");
  form.append("image[]", new Blob([new Uint8Array(tinyPng)]), "a.png");
  form.append("image[]", new Blob([new Uint8Array(tinyPng)]), "b.png");
  form.append("mask", new Blob([new Uint8Array(mask)]), "mask.png");
  const headers = { prefer: "respond-async" };
  const image_url = `data:image/png;base64,${tinyPng.toString("base64")}`;
  const json = { model: "m", prompt: "a fox", images: [{ image_url }], mask: { image_url } };

  // One after the other: two jobs may run in any order.
  const finished = [];
  for (const send of [
    () => gateway.send("/v1/images/edits", { method: "POST", body: form, headers }),
    () => gateway.sendJson("/v1/images/edits", json, { headers }),
  ])
    finished.push(await waitFor(((await (await send()).json()) as Job).id));

  expect(finished.map(({ status, error }) => [status, error])).toEqual([
    ["completed", null],
    ["completed", null],
  ]);
  const sent = upstream.received.map(({ parts }) =>
    parts.flatMap(({ name, filename, content }) => (filename === undefined ? [] : [[name, content]])),
  );
  expect(sent).toEqual([
    [
      ["image[]", tinyPng],
      ["image[]", tinyPng],
      ["mask", mask],
    ],
    [
      ["image", tinyPng],
      ["mask", mask],
    ],
  ]);
  await expect.poll(() => storedInputs()).toEqual([]);
});

test("a queued edit that is cancelled leaves no images", async () => {
  const single = await startGateway(`
jobs: { concurrency: 1 }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: m }] } }`);
  upstream.follow({ always: { isHeld: true } });
  const headers = { prefer: "respond-async" };
  const image_url = `data:image/png;base64,${tinyPng.toString("base64")}`;
  const edit = { model: "m", prompt: "a fox", images: [{ image_url }] };
  await single.sendJson("/v1/images/generations", { model: "m", prompt: "a fox" }, { headers });
  await expect.poll(() => upstream.seen().inFlight).toBe(1);
  const { id } = (await (await single.sendJson("/v1/images/edits", edit, { headers })).json()) as Job;
  const before = await storedInputs(single);

  const cancelled = await single.send(`/v1/jobs/${id}/cancel`, { method: "POST" });

  expect(before).toHaveLength(1);
  expect(await cancelled.json()).toMatchObject({ status: "cancelled", started_at: null });
  expect(await storedInputs(single)).toEqual([]);
  upstream.follow({});
  await single.stop();
});

test("an edit without room for its images is a 429, and a bad one leaves nothing", async () => {
  const statuses = [(await sendEdit(2000)).status, (await sendEdit(0)).status];

  expect(statuses).toEqual([429, 202]);
  await expect.poll(() => storedInputs()).toEqual([]);
});

test("the images of a greedy key's jobs leave room for those of a modest one", async () => {
  upstream.follow({ always: { isHeld: true } });
  const { value: modest } = await admin.createKey({ name: "modest" });

  const greedy = [await sendEdit(200), await sendEdit(200), await sendEdit(200)];
  const other = await sendEdit(200, { authorization: `Bearer ${modest}` });

  expect(greedy.map(({ status }) => status)).toEqual([202, 202, 429]);
  expect(other.status).toBe(202);
});

test("a job keeps no prompt once it has ended", async () => {
  const { id } = await create({ prompt: "a secret fox" });
  await waitFor(id);

  const response = await admin.send(`/admin/v1/jobs/${id}`);

  expect(await response.text()).not.toContain("secret fox");
  expect(gateway.logLines.join("")).not.toContain("secret fox");
});

test("a stop ends the waits for a job", async () => {
  upstream.follow({ always: { isHeld: true } });
  const { id } = await create({ prompt: "a fox" });
  await expect.poll(() => upstream.seen().inFlight).toBe(1);

  const waiting = gateway.send(`/v1/jobs/${id}`, { headers: { prefer: "wait=60" } });
  await setTimeout(100);
  gateway.app.endStreams();

  expect(await (await waiting).json()).toMatchObject({ id, status: "in_progress" });
});

async function storedInputs({ dataDir }: Pick<InProcessGateway, "dataDir"> = gateway): Promise<string[]> {
  const names = await readdir(`${dataDir}/files`, { recursive: true }).catch(() => []);
  return names.filter((name) => name.includes("job-"));
}

function send(body: object, headers: Record<string, string> = {}): Promise<Response> {
  return gateway.sendJson(
    "/v1/images/generations",
    { model: "m", ...body },
    { headers: { prefer: "respond-async", ...headers } },
  );
}

/** An edit of an image that has so many bytes more than a small one. */
function sendEdit(bytes: number, headers: Record<string, string> = {}): Promise<Response> {
  const form = new FormData();
  form.append("model", "m");
  form.append("prompt", "a fox");
  form.append("image", new Blob([new Uint8Array(tinyPng), new Uint8Array(bytes)]), "a.png");
  return gateway.send("/v1/images/edits", {
    method: "POST",
    body: form,
    headers: { prefer: "respond-async", ...headers },
  });
}

async function create(
  body: object,
  headers: Record<string, string> = {},
  more: Record<string, string> = {},
): Promise<Job> {
  const response = await send(body, { ...headers, ...more });
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as Job;
}

async function waitFor(id: string, key?: string): Promise<Job> {
  const headers = { prefer: "wait=60", ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
  const response = await gateway.send(`/v1/jobs/${id}`, { headers });
  return (await response.json()) as Job;
}

async function cancel(id: string): Promise<Job> {
  const response = await gateway.send(`/v1/jobs/${id}/cancel`, { method: "POST" });
  return (await response.json()) as Job;
}

/** As an operator. */
async function look(id: string): Promise<Job> {
  return (await (await admin.send(`/admin/v1/jobs/${id}`)).json()) as Job;
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as Schemas["ErrorResponse"]).error.code;
}

async function list(): Promise<readonly Job[]> {
  const response = await gateway.send("/admin/v1/jobs", {
    headers: { authorization: `Bearer ${testAdminKey}` },
  });
  return ((await response.json()) as Schemas["JobList"]).data;
}
