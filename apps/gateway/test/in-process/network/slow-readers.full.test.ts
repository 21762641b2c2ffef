import { connect, type Socket } from "node:net";
import { ManualClock } from "@model-gateway/runtime/test/clocks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testAdminKey, testKey } from "../../gateway/test-gateway.js";

/** Callers that do not read: each reply holds memory that others need. */
const mb = 1024 * 1024;
/** More than the system takes of a connection that nobody reads. */
const imageBytes = 9 * mb;
const generations = "/v1/images/generations";

let clock: ManualClock;
let upstream: FakeUpstream;
let gateway: InProcessGateway;
let greedy: string;
let sockets: Socket[];

beforeEach(async () => {
  clock = new ManualClock();
  sockets = [];
  upstream = await startFakeUpstream({
    script: {
      always: { images: imageBytes, width: 3072 },
      models: {
        stalled: { faults: [{ kind: "stall", afterBytes: 0 }] },
        tenth: { images: imageBytes / 9 },
      },
    },
  });
  gateway = await startGateway(
    `
limits: { bodiesBytesMax: ${64 * mb} }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
  stalled: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: stalled }] }
  tenth: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: tenth }] }
  text: { type: embedding, dimensions: 3072, targets: [{ upstream: fake, model: text }] }
`,
    { transferClock: clock },
  );
  ({ value: greedy } = await new AdminClient(gateway.url).createKey({ name: "greedy" }));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await gateway.stop();
  await upstream.close();
});

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly body?: object;
  readonly key?: string;
  readonly headers?: string;
}

interface Unread {
  /** Whether the response has begun. */
  readonly hasBegun: () => boolean;
}

/** Sends a request, and reads only the first bytes of its response. */
function ask({ method = "POST", path = generations, body = {}, key = greedy, headers = "" }: Asked): Unread {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let begun = false;
  socket
    .on("error", () => undefined)
    .once("data", () => {
      begun = true;
      socket.pause();
    });
  const content = method === "GET" ? "" : JSON.stringify(body);
  socket.write(
    `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${headers}content-type: application/json\r\ncontent-length: ${content.length}\r\n\r\n${content}`,
  );
  return { hasBegun: () => begun };
}

async function readMetrics(): Promise<string> {
  const headers = { authorization: `Bearer ${testAdminKey}` };
  return (await gateway.send("/metrics", { headers })).text();
}

const images = (n: number, fields: object = {}) => ({ model: "image", prompt: "a fox", n, ...fields });
const begun = (unread: readonly Unread[]) =>
  expect.poll(() => unread.every(({ hasBegun }) => hasBegun()), { timeout: 60_000 }).toBe(true);

test("replies that stall take the memory of their key, and those of other keys do not wait", async () => {
  const stalled = Array.from({ length: 4 }, () => ask({ body: { ...images(2), model: "stalled" } }));
  await expect.poll(() => upstream.seen().requests).toBe(4);

  const response = await gateway.sendJson(generations, images(1));

  expect(response.status).toBe(200);
  await response.arrayBuffer();
  expect(stalled.some(({ hasBegun }) => hasBegun())).toBe(false);
});

test("a reply that nobody reads holds what has arrived, and no more", async () => {
  await begun([ask({ body: images(1) }), ask({ body: images(1) })]);

  const response = await gateway.sendJson(generations, images(2));

  expect(response.status).toBe(200);
  await response.arrayBuffer();
});

test.each([
  ["an image", images(1)],
  ["ten images", images(10, { model: "tenth" })],
])(
  "a caller that does not read %s loses its connection within a minute, and its result stays",
  async (_name, body) => {
    const unread = ask({ body, headers: "idempotency-key: order\r\n" });
    await begun([unread]);
    const startedAt = clock.now();

    await clock.runUntil(() => gateway.inFlight() === 0);
    const tookMs = clock.now() - startedAt;
    const replayed = await gateway.sendJson(generations, body, {
      headers: { authorization: `Bearer ${greedy}`, "idempotency-key": "order" },
    });

    expect(tookMs).toBeLessThanOrEqual(60_000);
    expect([replayed.status, replayed.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect((await replayed.text()).length).toBeGreaterThan(imageBytes);
    expect(upstream.seen().requests).toBe(1);
    expect(await readMetrics()).toContain("\ngateway_slow_readers_total 1\n");
    expect(gateway.logLines.join("")).toContain("its caller read less than 10000 bytes a second");
  },
);

test("every sort of response is bound to the rate", async () => {
  const link = await gateway.sendJson(generations, images(1, { response_format: "url" }));
  const { data } = (await link.json()) as { data: [{ url: string }] };
  const upload = new FormData();
  upload.append("purpose", "batch");
  upload.append("file", new Blob([Buffer.alloc(imageBytes, "{}\n")]), "input.jsonl");
  const uploaded = await gateway.send("/v1/files", { method: "POST", body: upload });
  const file = (await uploaded.json()) as { id: string };
  const input = Array.from({ length: 700 }, (_, index) => `text ${index}`);
  const unread = [
    ask({ body: images(1) }),
    ask({ body: images(1, { stream: true }) }),
    ask({ path: "/v1/embeddings", body: { model: "text", input }, key: testKey }),
    ask({ method: "GET", path: new URL(data[0].url).pathname + new URL(data[0].url).search }),
    ask({ method: "GET", path: `/v1/files/${file.id}/content`, key: testKey }),
  ];
  await begun(unread);

  expect(gateway.inFlight()).toBe(unread.length);
  await clock.runUntil(() => gateway.inFlight() === 0);

  expect(await readMetrics()).toContain(`\ngateway_slow_readers_total ${unread.length}\n`);
});
