import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { type ModelServer, startModelServer, width } from "../../servers/model-server.js";
import { runCommand } from "../commands/run-command.js";

let first: ModelServer;
let standby: ModelServer;
let gateway: InProcessGateway | undefined;
beforeEach(async () => {
  [first, standby] = await Promise.all([startModelServer("v1"), startModelServer("v1")]);
});
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
  await Promise.all([first.close(), standby.close()]);
});

const upstreams = () => `upstreams:
  first: { provider: openai-compatible, baseUrl: "${first.baseUrl}" }
  standby: { provider: openai-compatible, baseUrl: "${standby.baseUrl}" }`;
const alone = (drift = "") => `
${drift}
${upstreams()}
models:
  m: { type: embedding, dimensions: ${width}, retries: { max: 0 }, targets: [{ upstream: first, model: m }] }
`;
const pair = (drift: string) => `
${drift}
${upstreams()}
models:
  m: { type: embedding, dimensions: ${width}, strategy: ordered, targets: [{ upstream: first, model: m }, { upstream: standby, model: m, tier: 2 }] }
`;

const admin = { headers: { authorization: `Bearer ${testAdminKey}` } };

async function read<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await gateway!.send(path, init)).json()) as T;
}

async function targetAt(name: string): Promise<Schemas["TargetState"] | undefined> {
  const { data } = await read<Schemas["UpstreamList"]>("/admin/v1/upstreams", admin);
  return data.find((upstream) => upstream.name === name)?.targets[0];
}

/** The status of the only model in each view. */
async function views() {
  const [readiness, listed, retrieved, administered] = await Promise.all([
    fetch(`${gateway?.url}/readyz`),
    read<Schemas["ModelList"]>("/v1/models"),
    read<Schemas["Model"]>("/v1/models/m"),
    read<Schemas["AdminModelList"]>("/admin/v1/models", admin),
  ]);
  const status = await runCommand(String(gateway?.url), ["status"]);
  const models = await runCommand(String(gateway?.url), ["models"]);
  return {
    readiness: [readiness.status, await readiness.json()],
    models: [listed.data[0]?.status, retrieved.status, administered.data[0]?.status],
    statusCommand: [status.exitCode, /^ +(\S+) +m /m.exec(status.stdout)?.[1]],
    modelsCommand: /^ *m +embedding +16 wide +(\S+)/m.exec(models.stdout)?.[1],
  };
}

const embed = () => gateway?.sendJson("/v1/embeddings", { model: "m", input: "a" });

test("a standby that fails the checks of the gateway is failing, while the first target serves", async () => {
  standby.failsWith = 503;

  gateway = await startGateway(pair("drift: { action: report }"));

  await expect
    .poll(() => targetAt("standby"))
    .toMatchObject({
      state: "failing",
      proven_at: null,
      failures: expect.any(Number),
      paused_until: null,
      last_error: { status: 503 },
    });
  expect((await targetAt("standby"))?.failures).toBeGreaterThan(0);
  const { data } = await read<Schemas["AdminModelList"]>("/admin/v1/models", admin);
  expect(data[0]?.targets.map(({ serving }) => serving)).toEqual([true, false]);
  const { targets } = await read<Schemas["Alerts"]>("/admin/v1/alerts", admin);
  expect(targets.map(({ upstream, state }) => [upstream, state])).toEqual([["standby", "failing"]]);
});

test("a model whose only target is misconfigured is failing in every view, and the gateway is not ready", async () => {
  first.failsWith = 401;
  gateway = await startGateway(alone());

  await embed();

  expect(await views()).toEqual({
    readiness: [503, { status: "unavailable", models: { total: 1, ready: 0, failing: 1 } }],
    models: ["failing", "failing", "failing"],
    statusCommand: [1, "failing"],
    modelsCommand: "failing",
  });
});

test("a model whose only target has drifted is failing in every view, and the gateway is not ready", async () => {
  const config = alone("drift: { action: exclude }");
  gateway = await startGateway(config);
  await expect.poll(async () => (await targetAt("first"))?.space_check).not.toBeNull();

  first.weights = "v2";
  await gateway.reload(config);
  await expect.poll(async () => (await targetAt("first"))?.state).toBe("drifted");

  expect(await views()).toEqual({
    readiness: [503, { status: "unavailable", models: { total: 1, ready: 0, failing: 1 } }],
    models: ["failing", "failing", "failing"],
    statusCommand: [1, "failing"],
    modelsCommand: "failing",
  });
});

test("while requests may show that an upstream works again, the gateway takes them, and says that it is failing", async () => {
  first.failsWith = 500;
  gateway = await startGateway(alone());

  await embed();

  expect(await views()).toEqual({
    readiness: [200, { status: "failing", models: { total: 1, ready: 0, failing: 1 } }],
    models: ["failing", "failing", "failing"],
    statusCommand: [1, "failing"],
    modelsCommand: "failing",
  });
});

test("a target is unknown until a call, and its last success is named after that", async () => {
  gateway = await startGateway(alone());
  const before = await targetAt("first");
  const seen = await views();

  await embed();

  expect(before).toMatchObject({ state: "unknown", proven_at: null, failing_since: null });
  expect(seen).toMatchObject({ readiness: [200, { status: "ready" }], models: ["ready", "ready", "ready"] });
  expect(await targetAt("first")).toMatchObject({ state: "healthy", proven_at: expect.any(Number) });
});

test("the trial of an upstream as it is configured belongs to the state of its target, that of another does not", async () => {
  gateway = await startGateway(alone());
  const trial = (baseUrl: string) =>
    gateway?.sendJson(
      "/admin/v1/upstream-trials",
      {
        upstream: { provider: "openai-compatible", baseUrl },
        model: { type: "embedding", name: "m" },
      },
      admin,
    );
  first.failsWith = 503;

  await trial(standby.baseUrl);
  const afterOther = await targetAt("first");
  await trial(first.baseUrl);

  expect(afterOther).toMatchObject({ state: "unknown", proven_at: null });
  expect(await targetAt("first")).toMatchObject({ state: "failing", failures: 1 });
});
