import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Schemas } from "../../src/operations.js";
import { AdminClient } from "../admin-client.js";
import { Crowd } from "../crowd.js";
import { type FakeUpstream, startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { GatewayHome, type ServedGateway } from "../gateway-home.js";
import { postgresServer } from "../postgres/postgres-server.js";
import { type CutOffProxy, startCutOffProxy } from "../redis/cut-off-proxy.js";
import { redisServer } from "../redis/redis-server.js";
import { describeServed, type OpenStage, openServers } from "../stages.js";

/** How long a server is away; 30 for the whole claim. */
const outageSeconds = Number(process.env.OUTAGE_SECONDS ?? 3);

describeServed("a gateway whose servers go away", () => {
  let upstream: FakeUpstream;
  let servers: OpenStage;
  let proxies: Readonly<Record<"PostgreSQL" | "Redis", CutOffProxy>>;
  let home: GatewayHome;
  let gateway: ServedGateway;
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
    home = new GatewayHome(
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
    admin = new AdminClient(gateway.address);
    key = await admin.createKey({
      name: "tester",
      limits: { requests_per_minute: 1_000_000, tokens_per_day: 1_000_000_000, max_concurrency: 1000 },
      budget: { usd: 1_000_000, per: "day" },
    });
    crowd = new Crowd({ callers: 4, restMs: 10, send: (number) => send(gateway.address, key.value, number) });
  });
  afterEach(async () => {
    await crowd.stop();
    await home.remove();
    for (const proxy of Object.values(proxies)) await proxy.close();
    await servers.close([key.id]);
    await upstream.close();
  });

  test.each([
    { server: "PostgreSQL", way: "is killed", leave: "kill", comeBack: "revive" },
    { server: "PostgreSQL", way: "says nothing", leave: "freeze", comeBack: "thaw" },
    { server: "Redis", way: "is killed", leave: "kill", comeBack: "revive" },
    { server: "Redis", way: "says nothing", leave: "freeze", comeBack: "thaw" },
  ] as const)(
    "answers every request while $server $way, and has a row for each of them afterwards",
    async ({ server, way, leave, comeBack }) => {
      const { answers, failures } = crowd;
      const more = async (count: number) => {
        const before = answers.length;
        await expect.poll(() => answers.length, { timeout: 30_000 }).toBeGreaterThan(before + count);
      };
      await more(50);

      proxies[server][leave]();
      const before = answers.length;
      await setTimeout(outageSeconds * 1000);
      const during = answers.length - before;
      proxies[server][comeBack]();
      await more(50);
      await crowd.stop();
      await admin.untilShipped();

      const rows = await admin.rows();
      console.info(
        `${server} ${way} for ${outageSeconds} s: ${during} answers meanwhile, ${answers.length} in all, ${rows.length} rows; the slowest took ${Math.round(Math.max(...answers.map(({ ms }) => ms)))} ms.`,
      );
      expect(during).toBeGreaterThan(0);
      expect(failures).toEqual([]);
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(rows.map(({ id }) => id).sort()).toEqual(answers.map(({ id }) => id).sort());
    },
    120_000 + outageSeconds * 2000,
  );
});

/** Most are embeddings, of which some are cached; some are images that may be asked for only once. */
function send(address: string, key: string, number: number): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const post = (path: string, body: object, more = {}) =>
    fetch(`${address}${path}`, {
      method: "POST",
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    });
  if (number % 10 > 0) return post("/v1/embeddings", { model: "text", input: `number ${number % 100}` });
  const body = { model: "image", prompt: "a fox" };
  return post("/v1/images/generations", body, { "idempotency-key": `number ${number}` });
}
