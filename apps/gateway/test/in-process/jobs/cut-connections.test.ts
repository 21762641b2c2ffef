import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { senders } from "../../gateway/test-gateway.js";

/** A proxy that lets no connection live longer than this, and an image that takes four times as long. `CUT_MS=5000` for more. */
const cutMs = Number(process.env.CUT_MS ?? 1000);
const imageMs = 4 * cutMs;
const secret = Buffer.alloc(32, 7).toString("base64");

let upstream: FakeUpstream;
let gateway: InProcessGateway;
let proxy: Awaited<ReturnType<typeof startCuttingProxy>>;
let hooks: Awaited<ReturnType<typeof startReceiver>>;

beforeEach(async () => {
  upstream = await startFakeUpstream({ script: { always: { delayMs: imageMs } } });
  hooks = await startReceiver();
  gateway = await startGateway(`
webhooks: [{ url: "${hooks.url}", secret: "${secret}", events: [job] }]
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: m }] } }`);
  proxy = await startCuttingProxy(Number(new URL(gateway.url).port));
});
afterEach(async () => {
  proxy.close();
  await gateway.stop();
  await upstream.close();
  hooks.close();
});

test("an image that takes longer than a proxy allows arrives by a job, and is bought once", async () => {
  const { sendJson, send } = senders(proxy.url);
  const body = { model: "m", prompt: "a fox" };
  const headers = { "idempotency-key": "fox-1" };
  await expect(sendJson("/v1/images/generations", body)).rejects.toThrow();
  await expect.poll(() => upstream.seen().inFlight).toBe(0);
  const before = upstream.seen().requests;

  const created = await sendJson("/v1/images/generations", body, {
    headers: { ...headers, prefer: "respond-async" },
  });
  const { id } = (await created.json()) as Schemas["Job"];
  // By short looks.
  let job = await look(id);
  let looks = 1;
  while (job.status === "queued" || job.status === "in_progress") {
    await new Promise((resolve) => setTimeout(resolve, cutMs / 2));
    job = await look(id);
    looks += 1;
  }
  // By waits that the proxy cuts.
  const again = await sendJson(
    "/v1/images/generations",
    { ...body, prompt: "a hare" },
    {
      headers: { prefer: "respond-async" },
    },
  );
  const second = (await again.json()) as Schemas["Job"];
  let waited: Schemas["Job"] | undefined;
  let cuts = 0;
  while (waited?.status !== "completed")
    waited = await send(`/v1/jobs/${second.id}`, { headers: { prefer: "wait=30" } }).then(
      async (response) => (await response.json()) as Schemas["Job"],
      () => {
        cuts += 1;
        return undefined;
      },
    );

  expect(looks).toBeGreaterThan(2);
  expect(cuts).toBeGreaterThan(1);
  expect([job.response?.data.length, waited.response?.data.length]).toEqual([1, 1]);
  // The same request gets the same image, through the proxy, because it is there.
  const replayed = await sendJson("/v1/images/generations", body, { headers });
  expect(await replayed.json()).toEqual(job.response);
  expect(upstream.seen().requests - before).toBe(2);
  // By a webhook.
  await expect
    .poll(() => hooks.events)
    .toMatchObject([
      { type: "job.completed", data: { id, status: "completed", model: "m", error_code: null } },
      { type: "job.completed", data: { id: second.id } },
    ]);
  expect(hooks.areSigned).toBe(true);

  /** The proxy may cut a look as well. Then it is repeated. */
  async function look(job: string): Promise<Schemas["Job"]> {
    const response = await send(`/v1/jobs/${job}`).catch(() => undefined);
    return response === undefined ? look(job) : ((await response.json()) as Schemas["Job"]);
  }
}, 60_000);

test("a failed and a cancelled job reach the webhook", async () => {
  upstream.follow({ always: { faults: [{ kind: "reply", status: 500 }] } });
  const headers = { prefer: "respond-async" };
  const body = { model: "m", prompt: "a fox" };

  await gateway.sendJson("/v1/images/generations", body, { headers });
  await expect.poll(() => hooks.events).toHaveLength(1);
  upstream.follow({ always: { isHeld: true } });
  const response = await gateway.sendJson("/v1/images/generations", body, { headers });
  await expect.poll(() => upstream.seen().inFlight).toBe(1);
  await gateway.send(`/v1/jobs/${((await response.json()) as Schemas["Job"]).id}/cancel`, { method: "POST" });

  await expect
    .poll(() => hooks.events)
    .toMatchObject([
      { type: "job.failed", data: { status: "failed", error_code: "upstream_error" } },
      { type: "job.failed", data: { status: "cancelled", error_code: null } },
    ]);
  upstream.follow({});
});

/** Forwards connections, and destroys each after a while. */
async function startCuttingProxy(port: number) {
  const server = createServer((client) => {
    const target = connect(port, "127.0.0.1");
    const cut = () => {
      client.destroy();
      target.destroy();
    };
    const timer = setTimeout(cut, cutMs);
    for (const socket of [client, target])
      socket.on("error", cut).on("close", () => {
        clearTimeout(timer);
        cut();
      });
    client.pipe(target).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}

/** Receives events, and verifies their signatures. */
async function startReceiver() {
  const received = { events: [] as { type: string }[], areSigned: true };
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = request.headers;
    const digest = createHmac("sha256", Buffer.from(secret, "base64")).update(`${id}.${at}.${body}`);
    received.areSigned &&= signature === `v1,${digest.digest("base64")}`;
    received.events.push(JSON.parse(body));
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    get events() {
      return received.events;
    },
    get areSigned() {
      return received.areSigned;
    },
    close: () => server.close(),
  };
}
