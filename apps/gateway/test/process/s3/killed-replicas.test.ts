import { S3Server } from "@model-gateway/object-store/test/s3-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { Crowd } from "../../gateway/crowd.js";
import { testKey } from "../../gateway/test-gateway.js";
import { describeServed, type OpenStage, openServers } from "../../servers/stages.js";

/** The number of kills. `KILLS=24` for the long test. */
const kills = Number(process.env.KILLS ?? 4);
/** Number of responses before the next kill. */
const answersPerKill = 200;
const callers = 6;

describeServed("two replicas, of which one is killed again and again", () => {
  let servers: OpenStage;
  let upstream: FakeUpstream;
  let bucket: S3Server;
  let homes: readonly GatewayFolder[];
  let crowd: Crowd | undefined;

  beforeEach(async () => {
    servers = await openServers();
    upstream = await startFakeUpstream({ keptMax: 10 });
    bucket = await S3Server.start();
    homes = [createHome(), createHome()];
  });
  afterEach(async () => {
    await crowd?.stop();
    await Promise.all(homes.map((home) => home.remove()));
    await bucket.stop();
    await upstream.close();
    await servers.close();
  });

  function createHome(): GatewayFolder {
    const { endpoint, bucket: name, region, prefix, accessKeyId, secretAccessKey } = bucket.settings;
    return new GatewayFolder(
      `
logLevel: warn
keys: [{ name: tester, key: ${testKey} }]
images:
  store: s3
  endpoint: ${endpoint}
  bucket: ${name}
  region: ${region}
  prefix: ${prefix}
  accessKeyId: "\${S3_ACCESS_KEY_ID}"
  secretAccessKey: "\${S3_SECRET_ACCESS_KEY}"
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, price: { perMillionTokens: 1 }, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, price: { perImage: 1 }, targets: [{ upstream: fake, model: image }] }
`,
      { ...servers.environment, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey },
    );
  }

  test(
    "every response has one row in the ledger, and every link works on both",
    async () => {
      const replicas = homes.map((home) => home.start());
      const links: string[] = [];
      crowd = new Crowd({
        callers,
        restMs: 5,
        send: async (number) => {
          const replica = await replicas[number % replicas.length];
          if (replica === undefined) throw new Error("There is no such replica.");
          const response = await send(replica, number);
          if (response.status === 200 && number % linkEvery === 0) links.push(await linkOf(response.clone()));
          return response;
        },
      });
      const { answers, failures } = crowd;
      await Promise.all(replicas);
      for (let kill = 0; kill < kills; kill += 1) {
        const which = kill % replicas.length;
        const before = answers.length;
        await expect.poll(() => answers.length, { timeout: 60_000 }).toBeGreaterThan(before + answersPerKill);
        const killed = await replicas[which];
        replicas[which] = (async () => {
          await killed?.kill();
          return (homes[which] as GatewayFolder).start();
        })();
      }
      await expect.poll(() => links.length, { timeout: 60_000 }).toBeGreaterThan(kills);
      await crowd.stop();
      const [one, two] = (await Promise.all(replicas)) as [BuiltGateway, BuiltGateway];
      const admins = [one, two].map(({ url }) => new AdminClient(url));
      for (const admin of admins) await admin.untilShipped();

      const rows = (await admins[0]?.rows()) ?? [];
      const statusOf = new Map(rows.map(({ id, status }) => [id, status]));
      expect(rows.length).toBe(statusOf.size);
      expect(answers.filter(({ id, status }) => statusOf.get(id) !== status)).toEqual([]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const found = await Promise.all(
        links.flatMap((link) => [one, two].map(async ({ url }) => (await followLink(url, link)).status)),
      );
      expect(found.filter((status) => status !== 200)).toEqual([]);
      console.info(
        `${kills} kills, ${answers.length} responses, ${rows.length} rows, ${links.length} links, ${failures.length} requests cut off.`,
      );
    },
    240_000 + kills * 20_000,
  );
});

/** One in this many requests wants a link. */
const linkEvery = 5;

function send({ url }: BuiltGateway, number: number): Promise<Response> {
  const [path, body] =
    number % linkEvery === 0
      ? ["images/generations", { model: "image", prompt: `a fox, number ${number}`, response_format: "url" }]
      : ["embeddings", { model: "text", input: `number ${number}` }];
  return fetch(`${url}/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function linkOf(response: Response): Promise<string> {
  const { data } = (await response.json()) as { data: readonly { url: string }[] };
  return data[0]?.url ?? "";
}

async function followLink(origin: string, link: string): Promise<Response> {
  const { pathname, search } = new URL(link);
  const response = await fetch(`${origin}${pathname}${search}`);
  await response.arrayBuffer();
  return response;
}
