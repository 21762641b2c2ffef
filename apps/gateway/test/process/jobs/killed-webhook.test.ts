import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../../../src/webhooks/test/receiver.js";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { GatewayFolder } from "../../gateway/built.js";
import { testKey } from "../../gateway/test-gateway.js";
import { describeStages, type OpenStage } from "../../servers/stages.js";

describeStages("the event of a job whose gateway is killed before it is delivered", (stage) => {
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
webhooks: [{ url: "${receiver.url}", secret: "${receiver.secret}", events: [job] }]
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: m }] } }
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

  test("reaches its receiver after the restart, with the same id", async () => {
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
