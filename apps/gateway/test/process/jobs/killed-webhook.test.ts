import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../../../src/webhooks/test/receiver.js";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { GatewayFolder } from "../../gateway/built.js";
import { testKey } from "../../gateway/test-gateway.js";
import { describeStages, type OpenStage } from "../../servers/stages.js";

describeStages("the event of a gateway that is killed before it is delivered", (stage) => {
  let upstream: FakeUpstream;
  let receiver: Receiver;
  let servers: OpenStage;
  let home: GatewayFolder;

  beforeEach(async () => {
    upstream = await startFakeUpstream();
    receiver = await startReceiver();
    servers = await stage.open();
    home = new GatewayFolder(
      `
logLevel: warn
keys: [{ name: tester, key: ${testKey} }]
webhooks: [{ url: "${receiver.url}", secret: "${receiver.secret}", events: [job, budget, target], budgetShares: [0.3] }]
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  m: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: m }] }
  text: { type: embedding, price: { perMillionTokens: 1000 }, retries: { max: 0 }, targets: [{ upstream: fake, model: text }] }
`,
      servers.environment,
    );
  });
  afterEach(async () => {
    await home.remove();
    await servers.close();
    await receiver.close();
    await upstream.close();
  });

  test("reaches its receiver after the restart, whether it reports a budget or a target", async () => {
    receiver.manners.push(500, 500);
    const gateway = await home.start();
    const spender = { name: "spender", budget: { usd: 0.01, per: "month" } } as const;
    const { value } = await new AdminClient(gateway.url).createKey(spender);
    const embed = (key: string) =>
      gateway.sendJson(
        "/v1/embeddings",
        { model: "text", input: "aaaa" },
        { headers: { authorization: `Bearer ${key}` } },
      );
    await embed(value);
    upstream.follow({ always: { faults: [{ kind: "reply", status: 401 }] } });
    await embed(testKey);
    await expect.poll(() => receiver.events).toHaveLength(2);
    receiver.manners.push(...Array(20).fill(500));
    await gateway.kill();
    receiver.manners.splice(0);

    await home.start();

    const idsOf = (type: string) =>
      receiver.events.flatMap(({ id, body }) => (body.type === type ? [id] : []));
    for (const type of ["budget.share_reached", "target.state_changed"]) {
      await expect.poll(() => idsOf(type).length, { timeout: 60_000 }).toBeGreaterThan(1);
      expect(new Set(idsOf(type)).size).toBe(1);
    }
  }, 120_000);

  test("reaches its receiver after the restart, if it reports a job", async () => {
    receiver.manners.push("stall");
    const gateway = await home.start();
    const response = await gateway.sendJson(
      "/v1/images/generations",
      { model: "m", prompt: "a fox" },
      { headers: { prefer: "respond-async" } },
    );
    const { id } = (await response.json()) as Schemas["Job"];
    // The receiver has not replied, so the gateway does not know whether it has the event.
    await expect.poll(() => receiver.events).toHaveLength(1);
    await gateway.kill();

    await home.start();

    await expect.poll(() => receiver.events).toHaveLength(2);
    expect(receiver.events.map((event) => [event.id, event.isSigned, event.body.type])).toEqual([
      [`msg_${id}`, true, "job.completed"],
      [`msg_${id}`, true, "job.completed"],
    ]);
    expect(upstream.received).toHaveLength(1);
  });
});
