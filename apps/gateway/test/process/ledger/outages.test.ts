import type { Schemas } from "@model-gateway/domain/operations";
import { postgresServer } from "@model-gateway/test-suite/postgres-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { Crowd } from "../../gateway/crowd.js";
import { type CutOffProxy, startCutOffProxy } from "../../servers/cut-off-proxy.js";
import { redisServer } from "../../servers/redis-server.js";
import { describeServed, type OpenStage, openServers } from "../../servers/stages.js";

/** Number of requests served while a server is down. */
const duringOutage = 200;

describeServed("a gateway during an outage of its servers", () => {
  let upstream: FakeUpstream;
  let servers: OpenStage;
  let proxies: Readonly<Record<"PostgreSQL" | "Redis", CutOffProxy>>;
  let home: GatewayFolder;
  let gateway: BuiltGateway;
  let admin: AdminClient;
  let key: Schemas["CreatedKey"];
  let crowd: Crowd;

  beforeEach(async () => {
    upstream = await startFakeUpstream({ keptMax: 10 });
    servers = await openServers();
    proxies = {
      PostgreSQL: await startCutOffProxy(postgresServer),
      Redis: await startCutOffProxy(redisServer),
    };
    const database = new URL(servers.environment.DATABASE_URL ?? "");
    database.port = new URL(proxies.PostgreSQL.url).port;
    home = new GatewayFolder(
      `
logLevel: warn
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text:
    type: embedding
    dimensions: 8
    cache: { ttl: 90s }
    price: { perMillionTokens: 1 }
    targets: [{ upstream: fake, model: text }]
  image: { type: image, profile: gpt-image, price: { perImage: 0.01 }, targets: [{ upstream: fake, model: image }] }
`,
      { DATABASE_URL: database.href, REDIS_URL: proxies.Redis.url },
    );
    gateway = await home.start();
    admin = new AdminClient(gateway.url);
    key = await admin.createKey({
      name: "tester",
      limits: { requests_per_minute: 1_000_000, tokens_per_day: 1_000_000_000, max_concurrency: 1000 },
      budget: { usd: 1_000_000, per: "day" },
    });
    crowd = new Crowd({ callers: 4, restMs: 10, send: (number) => send(gateway.url, key.value, number) });
  });
  afterEach(async () => {
    await crowd.stop();
    await home.remove();
    for (const proxy of Object.values(proxies)) await proxy.close();
    await servers.close([key.id]);
    await upstream.close();
  });

  test.each([
    { server: "PostgreSQL", fault: "is killed", begin: "kill", end: "revive" },
    { server: "PostgreSQL", fault: "hangs", begin: "freeze", end: "thaw" },
    { server: "Redis", fault: "is killed", begin: "kill", end: "revive" },
    { server: "Redis", fault: "hangs", begin: "freeze", end: "thaw" },
  ] as const)(
    "serves every request while $server $fault, and has a row for each of them afterwards",
    async ({ server, fault, begin, end }) => {
      const { answers, failures } = crowd;
      const more = async (count: number) => {
        const before = answers.length;
        await expect.poll(() => answers.length, { timeout: 90_000 }).toBeGreaterThan(before + count);
      };
      await more(50);

      proxies[server][begin]();
      const before = answers.length;
      await more(duringOutage);
      const during = answers.length - before;
      proxies[server][end]();
      await more(50);
      await crowd.stop();
      await admin.untilShipped();

      const rows = await admin.rows();
      console.info(
        `${server} ${fault}: ${during} responses meanwhile, ${answers.length} in all, ${rows.length} rows; the slowest took ${Math.round(Math.max(...answers.map(({ ms }) => ms)))} ms.`,
      );
      expect(failures).toEqual([]);
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(rows.map(({ id }) => id).sort()).toEqual(answers.map(({ id }) => id).sort());
    },
    240_000,
  );
});

/** Mostly embeddings, some of them cached; some images. Those with an Idempotency-Key need the database. */
function send(address: string, key: string, number: number): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const post = (path: string, body: object) =>
    fetch(`${address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (number % 10 > 0) return post("/v1/embeddings", { model: "text", input: `number ${number % 100}` });
  return post("/v1/images/generations", { model: "image", prompt: "a fox" });
}
