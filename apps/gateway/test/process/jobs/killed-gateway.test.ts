import { setTimeout } from "node:timers/promises";
import type { Schemas } from "@model-gateway/domain/operations";
import { createRandom } from "@model-gateway/test-suite/random";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { testKey } from "../../gateway/test-gateway.js";
import { describeStages, type OpenStage } from "../../servers/stages.js";

/** The number of kills. `KILLS=10` for the long test. */
const kills = Number(process.env.KILLS ?? 3);
const jobsPerKill = 12;
const imageMs = 400;

describeStages("jobs of a gateway that is killed again and again", (stage) => {
  let upstream: FakeUpstream;
  let servers: OpenStage;
  let home: GatewayFolder;

  beforeEach(async () => {
    upstream = await startFakeUpstream({ script: { always: { delayMs: [0, 2 * imageMs] } } });
    servers = await stage.open();
    home = new GatewayFolder(
      `
logLevel: warn
keys: [{ name: tester, key: ${testKey} }]
jobs: { concurrency: 4 }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: image, profile: gpt-image, price: { perImage: 1 }, targets: [{ upstream: fake, model: m }] } }
`,
      servers.environment,
    );
  });
  afterEach(async () => {
    await home.remove();
    await servers.close();
    await upstream.close();
  });

  test(
    "all end, none is bought twice, and what was bought and stored is there",
    async () => {
      const random = createRandom();
      const jobs = new Map<string, Schemas["Job"]>();
      let gateway = await home.start();
      for (let kill = 0; kill < kills; kill += 1) {
        for (let index = 0; index < jobsPerKill; index += 1) {
          const prompt = `fox ${kill} ${index}`;
          jobs.set(prompt, await create(gateway, prompt));
        }
        await setTimeout(random.below(2 * imageMs));
        await gateway.kill();
        gateway = await home.start();
      }

      const ended: Schemas["Job"][] = [];
      for (const { id } of jobs.values()) ended.push(await untilEnd(gateway, id));

      const unknown = ended.filter(({ error }) => error?.code === "idempotency_outcome_unknown");
      const completed = ended.filter(({ status }) => status === "completed");
      expect(unknown.length + completed.length).toBe(jobs.size);
      expect(completed.filter(({ response }) => response?.data.length !== 1)).toEqual([]);
      const prompts = upstream.received.map(({ body }) => body.prompt);
      expect(new Set(prompts).size, "a prompt was bought twice").toBe(prompts.length);
      expect(prompts.length).toBeLessThanOrEqual(jobs.size);
      expect(completed.length).toBeLessThanOrEqual(prompts.length);
      const admin = new AdminClient(gateway.url);
      await admin.untilShipped();
      const rows = await admin.rows();
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      // A job that had its response when the process died has its row from the next run, with its cost.
      const paid = new Set(rows.filter(({ cost_usd }) => cost_usd === 1).map(({ id }) => id));
      expect(completed.filter(({ request_id }) => !paid.has(request_id))).toEqual([]);
      console.info(
        `${stage.name}: ${kills} kills, ${jobs.size} jobs, ${completed.length} completed, ${unknown.length} unknown, ${prompts.length} bought.`,
      );
    },
    240_000 + kills * 60_000,
  );
});

async function create(gateway: BuiltGateway, prompt: string): Promise<Schemas["Job"]> {
  const response = await gateway.sendJson(
    "/v1/images/generations",
    { model: "m", prompt },
    { headers: { prefer: "respond-async" } },
  );
  expect(response.status).toBe(202);
  return (await response.json()) as Schemas["Job"];
}

/** A job of the killed gateway runs again when its lease is over. */
async function untilEnd(gateway: BuiltGateway, id: string): Promise<Schemas["Job"]> {
  for (;;) {
    const response = await gateway.send(`/v1/jobs/${id}`, { headers: { prefer: "wait=60" } });
    const job = (await response.json()) as Schemas["Job"];
    if (job.status !== "queued" && job.status !== "in_progress") return job;
  }
}
