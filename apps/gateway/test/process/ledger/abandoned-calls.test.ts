import { randomUUID } from "node:crypto";
import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { testKey } from "../../gateway/test-gateway.js";
import { describeStages, type OpenStage } from "../../servers/stages.js";
import { childrenOf } from "../workers/child-processes.js";

const path = "/v1/images/generations";

/** The upstream holds every call, so all of them are open when the process dies. */
describeStages("calls that a killed gateway left open", (stage) => {
  let key: string;
  let upstream: FakeUpstream;
  let servers: OpenStage;
  let home: GatewayFolder;

  beforeEach(async () => {
    upstream = await startFakeUpstream({ script: { always: { isHeld: true } } });
    servers = await stage.open();
    // Budgets in Redis are kept by the name.
    key = `tester-${randomUUID()}`;
    home = new GatewayFolder(
      `
logLevel: warn
keys: [{ name: ${key}, key: ${testKey}, budget: { usd: 4, per: month } }]
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: image, profile: gpt-image, price: { perImage: 1 }, targets: [{ upstream: fake, model: m }] } }
`,
      servers.environment,
    );
  });
  afterEach(async () => {
    await home.remove();
    await servers.close([`config:${key}`]);
    await upstream.close();
  });

  const create = (gateway: BuiltGateway, headers: Record<string, string> = {}) =>
    gateway.sendJson(path, { model: "m", prompt: "a fox" }, { headers });

  /** Sends images, and resolves when the upstream has them all. */
  async function hold(
    gateway: BuiltGateway,
    count: number,
  ): Promise<() => Promise<(Response | undefined)[]>> {
    const sent = Array.from({ length: count }, () => create(gateway).catch(() => undefined));
    await expect.poll(() => upstream.received.length).toBe(count);
    return () => Promise.all(sent);
  }

  async function codeOf(response: Response): Promise<string | undefined> {
    return ((await response.json()) as Partial<Schemas["ErrorResponse"]>).error?.code;
  }

  const abandoned = {
    status: 500,
    error_code: "gateway_stopped",
    model: "m",
    upstream: "fake",
    attempts: 1,
    images: 0,
    cost_usd: null,
  };

  test("have rows of unknown cost, and count in the budget by their estimates", {
    timeout: 240_000,
  }, async () => {
    const gateway = await home.start();
    await hold(gateway, 4);
    await gateway.kill();
    upstream.follow({});

    // The second time nothing is left to find, and nothing is forgotten.
    for (const _ of [1, 2]) {
      const again = await home.start();
      const admin = new AdminClient(again.url);

      expect(await codeOf(await create(again))).toBe("insufficient_quota");

      await admin.untilShipped();
      const rows = await admin.rows({ error_code: "gateway_stopped" });
      expect(rows).toMatchObject(Array.from({ length: 4 }, () => abandoned));
      const [group] = await admin.usage({ group_by: "model", model: "m" });
      expect(group).toMatchObject({ cost_usd: 0, unpriced_requests: 4 });
      expect((await admin.csv("/admin/v1/requests")).match(/gateway_stopped/g)).toHaveLength(4);
      await again.kill();
    }
    expect(upstream.received).toHaveLength(4);
  });

  test("of jobs count once, by the row of the run that finds them", { timeout: 240_000 }, async () => {
    const gateway = await home.start();
    const jobs: Schemas["Job"][] = [];
    for (let index = 0; index < 4; index += 1) {
      const response = await create(gateway, { prefer: "respond-async" });
      expect(response.status).toBe(202);
      jobs.push((await response.json()) as Schemas["Job"]);
    }
    await expect.poll(() => upstream.received.length).toBe(4);
    await gateway.kill();
    upstream.follow({});

    const again = await home.start();

    expect(await codeOf(await create(again))).toBe("insufficient_quota");
    const admin = new AdminClient(again.url);
    for (const { id } of jobs) {
      const waited = await again.send(`/v1/jobs/${id}`, { headers: { prefer: "wait=60" } });
      expect(await waited.json()).toMatchObject({
        status: "failed",
        error: { code: "idempotency_outcome_unknown" },
      });
    }
    await admin.untilShipped();
    const ids = new Set(jobs.map(({ request_id }) => request_id));
    const rows = (await admin.rows()).filter(({ id }) => ids.has(id));
    expect(rows).toMatchObject(
      Array.from({ length: 4 }, () => ({ error_code: "idempotency_outcome_unknown", cost_usd: null })),
    );
    await again.kill();
    const third = await home.start();
    expect(await codeOf(await create(third))).toBe("insufficient_quota");
    expect(upstream.received).toHaveLength(4);
  });

  // Several workers need both servers.
  if (stage.isShared) {
    test("of one worker are told from those of a living one", { timeout: 240_000 }, async () => {
      const gateway = await home.start({ WORKERS: "2" });
      const responsesOf = await hold(gateway, 4);
      const [worker] = childrenOf(gateway.pid);

      process.kill(worker!, "SIGKILL");

      const admin = new AdminClient(gateway.url);
      const lost = await admin.rowsOnce(1, { error_code: "gateway_stopped" });
      upstream.follow({});
      const responses = await responsesOf();
      await admin.rowsOnce(4);
      const rows = await admin.rows();
      const answered = responses.filter((response) => response?.status === 200).length;
      expect(rows.filter(({ status, cost_usd }) => status === 200 && cost_usd === 1)).toHaveLength(answered);
      expect(rows.filter(({ error_code }) => error_code === "gateway_stopped")).toHaveLength(4 - answered);
      expect(lost.length).toBeGreaterThan(0);
      expect(answered).toBeGreaterThan(0);
    });
  }
});
