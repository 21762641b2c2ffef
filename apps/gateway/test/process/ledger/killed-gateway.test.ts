import { createRandom } from "@model-gateway/test-suite/random";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { Crowd } from "../../gateway/crowd.js";
import { testKey } from "../../gateway/test-gateway.js";
import { describeStages, type OpenStage } from "../../servers/stages.js";

/** `KILLS=20` for the long test. */
const kills = Number(process.env.KILLS ?? 4);
const callers = 6;

/** Callers send requests meanwhile. The ledger is compared with their responses. */
describeStages("a gateway that is killed again and again", (stage) => {
  let upstream: FakeUpstream;
  let servers: OpenStage;
  let home: GatewayFolder;
  let crowd: Crowd | undefined;

  beforeEach(async () => {
    upstream = await startFakeUpstream({ keptMax: 10 });
    servers = await stage.open();
    home = new GatewayFolder(
      `
logLevel: warn
keys: [{ name: tester, key: ${testKey} }]
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, price: { perMillionTokens: 1 }, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, price: { perImage: 1 }, targets: [{ upstream: fake, model: image }] }
`,
      servers.environment,
    );
  });
  afterEach(async () => {
    await crowd?.stop();
    await home.remove();
    await servers.close();
    await upstream.close();
  });

  test(
    "has exactly one row for every request whose response was received",
    async () => {
      const random = createRandom();
      let serving = home.start();
      crowd = new Crowd({ callers, restMs: 5, send: async (number) => send(await serving, number) });
      const { answers, failures } = crowd;
      for (let kill = 1; kill <= kills; kill += 1) {
        const gateway = await serving;
        const before = answers.length;
        const heard = before + callers + random.below(200);
        await expect.poll(() => answers.length, { interval: 1 }).toBeGreaterThan(heard);
        serving = gateway.kill().then(() => home.start());
      }
      await expect.poll(() => answers.length, { timeout: 90_000 }).toBeGreaterThan(kills);
      await crowd.stop();
      const admin = new AdminClient((await serving).url);
      await admin.untilShipped();

      const rows = await admin.rows();
      const statusOf = new Map(rows.map(({ id, status }) => [id, status]));
      expect(rows.length).toBe(statusOf.size);
      expect(answers.filter(({ id, status }) => statusOf.get(id) !== status)).toEqual([]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
      // A killed gateway may have written rows for responses that were never received, at most one per caller.
      expect(rows.length - answers.length).toBeLessThanOrEqual(kills * callers);
      // The hourly sums count each row once.
      const sum = {
        requests: rows.length,
        input_tokens: total(rows, "input_tokens"),
        images: total(rows, "images"),
      };
      expect(await admin.usage()).toEqual([expect.objectContaining(sum)]);
      console.info(
        `${stage.name}: ${kills} kills, ${answers.length} responses, ${rows.length} rows, ${failures.length} requests cut off.`,
      );
    },
    240_000 + kills * 20_000,
  );
});

/** Mostly embeddings, some images as JSON or as a stream, and some unknown models. */
function send(gateway: BuiltGateway, number: number): Promise<Response> {
  const [path, body] = bodies[number % bodies.length]!(number);
  return fetch(`${gateway.url}/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const embeddings = (number: number) => ["embeddings", { model: "text", input: `number ${number}` }] as const;
const bodies: readonly ((number: number) => readonly [path: string, body: object])[] = [
  ...Array.from({ length: 7 }, () => embeddings),
  (number) => ["embeddings", { model: "nothing", input: `number ${number}` }],
  () => ["images/generations", { model: "image", prompt: "a fox", n: 2 }],
  () => ["images/generations", { model: "image", prompt: "a fox", stream: true }],
];

function total<K extends string>(rows: readonly Record<K, number>[], field: K): number {
  return rows.reduce((sum, row) => sum + row[field], 0);
}
