import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, GatewayFolder, patientTimers } from "../../gateway/built.js";
import { sendFresh } from "../../gateway/fresh-connection.js";
import { testAdminKey, testConfig, testEnvironment, testKey } from "../../gateway/test-gateway.js";
import { type ModelServer, startModelServer, vectorOf, width } from "../../servers/model-server.js";
import { describeServed, openServers } from "../../servers/stages.js";

let one: ModelServer;
let two: ModelServer;
let home: GatewayFolder;

const configuration = (drift = "{ action: exclude }") => `${testConfig}
drift: ${drift}
upstreams:
  one: { provider: openai-compatible, baseUrl: "${one.baseUrl}" }
  two: { provider: openai-compatible, baseUrl: "${two.baseUrl}" }
models:
  m: { type: embedding, dimensions: ${width}, cache: { ttl: 1d }, price: { perMillionTokens: 10 }, retries: { max: 0 }, targets: [{ upstream: one, model: m }, { upstream: two, model: m }] }
  alone: { type: embedding, dimensions: ${width}, targets: [{ upstream: two, model: other }] }
`;

beforeEach(async () => {
  [one, two] = await Promise.all([startModelServer("v1"), startModelServer("v1")]);
  home = new GatewayFolder(configuration(), testEnvironment);
});
afterEach(async () => {
  await home.remove();
  await Promise.all([one.close(), two.close()]);
});

const headers = { authorization: `Bearer ${testAdminKey}` };
let texts = 0;
const fresh = () => {
  texts += 1;
  return `text ${texts}`;
};

const embed = (gateway: BuiltGateway, input = fresh(), more: Record<string, string> = {}) =>
  gateway.sendJson("/v1/embeddings", { model: "m", input }, { headers: more });

async function targetsOf(
  gateway: BuiltGateway,
  model = "m",
): Promise<Record<string, Schemas["TargetState"]>> {
  const { data } = (await (
    await gateway.send("/admin/v1/upstreams", { headers })
  ).json()) as Schemas["UpstreamList"];
  const targets = data.flatMap((upstream) => upstream.targets).filter((target) => target.model === model);
  return Object.fromEntries(targets.map((target) => [target.upstream, target]));
}

async function statesOf(gateway: BuiltGateway): Promise<Record<string, string | undefined>> {
  const { one: first, two: second } = await targetsOf(gateway);
  return { one: first?.state, two: second?.state };
}

const isChecked = async (gateway: BuiltGateway) =>
  Object.values(await targetsOf(gateway)).every(({ space_check }) => space_check !== null);

/** Which upstreams serve many requests, and the space that they name. */
async function served(gateway: BuiltGateway, count = 20) {
  const responses = await Promise.all(Array.from({ length: count }, () => embed(gateway)));
  const seen = (name: string) => [...new Set(responses.map((response) => response.headers.get(name)))].sort();
  return { upstreams: seen("x-gateway-upstream"), spaces: seen("x-gateway-space") };
}

/** Sends requests until both upstreams have served some. A busy machine makes one of them look slow for a while. */
function servedByBoth(gateway: BuiltGateway, spaces: readonly (string | null)[]) {
  const all = { upstreams: new Set<string | null>(), spaces: new Set<string | null>() };
  const more = async () => {
    const now = await served(gateway);
    for (const name of now.upstreams) all.upstreams.add(name);
    for (const space of now.spaces) all.spaces.add(space);
    return { upstreams: [...all.upstreams].sort(), spaces: [...all.spaces] };
  };
  return expect.poll(more, { timeout: 90_000 }).toEqual({ upstreams: ["one", "two"], spaces });
}

const accept = (gateway: BuiltGateway, upstream: string, model = "m") =>
  gateway.sendJson("/admin/v1/space-revisions", { model, upstream }, { headers });

/** Opens the stream of events, and returns it with the first event read. */
async function openEvents(gateway: BuiltGateway) {
  const response = await gateway.send("/admin/v1/events", { headers });
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = "";
  const until = async (found: (text: string) => boolean): Promise<string> => {
    while (!found(text)) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
    }
    return text;
  };
  await until((all) => all.includes("stream.started"));
  return { until, close: () => reader.cancel() };
}

const stateChanges = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("data: ") && line.includes("target.state_changed"))
    .map((line) => (JSON.parse(line.slice(6)) as Schemas["TargetStateChangedEvent"]).data);

test("a model that is replaced under its name raises the alarm, leaves the rotation, and returns as a new revision", async () => {
  // Two targets agree.
  const first = await home.start();
  await expect.poll(() => isChecked(first)).toBe(true);
  expect(await statesOf(first)).toEqual({ one: "healthy", two: "healthy" });
  const cached = await embed(first, "the cat");
  const before = { spaces: [cached.headers.get("x-gateway-space")] };
  await servedByBoth(first, before.spaces);
  const rows = await new AdminClient(first.url).rowsOnce(3, { key: "gateway:drift" });
  expect(rows.filter(({ model }) => model === "m")).toEqual(
    ["one", "two"].map((upstream) =>
      expect.objectContaining({
        upstream,
        key_name: "drift",
        status: 200,
        input_tokens: 300,
        cost_usd: 0.003,
      }),
    ),
  );
  await first.stop();

  // One of them changes while the gateway is down. Its reply is held until a reader of events is there.
  two.weights = "v2";
  let release = () => {};
  two.hold = new Promise((resolve) => {
    release = resolve;
  });
  const second = await home.start();
  const events = await openEvents(second);
  release();
  const published = await events.until((text) => stateChanges(text).some(({ model }) => model === "m"));
  await events.close();
  expect(stateChanges(published)).toContainEqual(
    expect.objectContaining({
      upstream: "two",
      model: "m",
      state: "drifted",
      previous_state: "healthy",
      error_code: "space_drifted",
    }),
  );
  await expect.poll(() => statesOf(second)).toEqual({ one: "healthy", two: "drifted" });
  const { two: drifted } = await targetsOf(second);
  expect(drifted?.space_check).toMatchObject({ drifted: true, excluded: true });
  expect(drifted?.space_check?.cosine_min).toBeLessThan(0.9);
  const admin = new AdminClient(second.url);
  expect((await admin.metric("gateway_target_state"))['{upstream="two",model="m",state="drifted"}']).toBe(1);
  expect((await admin.metric("gateway_target_space_cosine"))['{upstream="two",model="m"}']).toBeLessThan(0.9);
  await expect
    .poll(() => second.logLines.map((line) => JSON.parse(line)))
    .toContainEqual(
      expect.objectContaining({ level: "warn", upstream: "two", model: "m", cosineMin: expect.any(Number) }),
    );
  expect(await served(second)).toEqual({ upstreams: ["one"], spaces: before.spaces });
  await second.stop();

  // It is known after a restart, even while the upstream cannot be asked: that neither begins nor ends a drift.
  two.failsWith = 500;
  const third = await home.start();
  expect(await statesOf(third)).toEqual({ one: "healthy", two: "drifted" });
  expect(await served(third)).toEqual({ upstreams: ["one"], spaces: before.spaces });
  await expect
    .poll(
      async () =>
        (await new AdminClient(third.url).metric("gateway_space_checks_total"))['{outcome="failed"}'],
    )
    .toBeGreaterThan(0);
  expect(await statesOf(third)).toEqual({ one: "healthy", two: "drifted" });

  // Its vectors are accepted: the space has another id, and the target that still gives the old ones leaves.
  two.failsWith = undefined;
  const changes = await openEvents(third);
  const accepted = await accept(third, "two");
  expect(accepted.status).toBe(200);
  const revision = (await accepted.json()) as Schemas["SpaceRevision"];
  expect(stateChanges(await changes.until(() => false))).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ upstream: "one", state: "drifted" }),
      // Its last check has failed, so that it is not known to work.
      expect.objectContaining({ upstream: "two", previous_state: "drifted" }),
    ]),
  );
  const after = await served(third);
  expect(after).toEqual({ upstreams: ["two"], spaces: [`${revision.space.id}:${width}`] });
  expect(revision).toMatchObject({ models: ["m"], space: { revision: "accepted-1" } });
  expect(`${revision.previous_id}:${width}`).toBe(before.spaces[0]);

  // The cache has the old vector under the old id alone.
  const again = await embed(third, "the cat");
  expect(again.headers.get("x-gateway-cache")).toBe("miss");
  const { data } = (await again.json()) as { data: { embedding: number[] }[] };
  expect(data[0]?.embedding).toEqual(vectorOf("the cat", "v2"));
  const refused = await embed(third, "the cat", { "x-gateway-space": String(before.spaces[0]) });
  expect([refused.status, await refused.json()]).toMatchObject([409, { error: { code: "space_mismatch" } }]);

  // The other one follows, and is found by the check after a reload.
  one.weights = "v2";
  third.process.kill("SIGHUP");
  await expect.poll(() => statesOf(third)).toEqual({ one: "healthy", two: "healthy" });
  await servedByBoth(third, after.spaces);
  await third.stop();
  const fourth = await home.start();
  expect(await served(fourth)).toMatchObject({ spaces: after.spaces });
  await fourth.stop();
}, 480_000);

test("a drift of the only target is a 503 that says so, until the vectors are accepted or the gateway only reports", async () => {
  const gateway = await home.start();
  const alone = () => gateway.sendJson("/v1/embeddings", { model: "alone", input: "a" });
  const state = async () => (await targetsOf(gateway, "other")).two?.state;
  await expect.poll(async () => (await targetsOf(gateway, "other")).two?.space_check).not.toBeNull();

  two.weights = "v2";
  gateway.process.kill("SIGHUP");
  await expect.poll(state).toBe("drifted");
  const refused = await alone();
  expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: "space_drifted" } }]);

  home.configure(configuration("{ action: report }"));
  gateway.process.kill("SIGHUP");
  await expect.poll(async () => (await alone()).status).toBe(200);
  expect(await state()).toBe("drifted");

  home.configure(configuration().replace(/^drift: .*$/m, ""));
  gateway.process.kill("SIGHUP");
  await expect.poll(state).toBe("healthy");
  expect((await targetsOf(gateway, "other")).two?.space_check).toBeNull();
  await gateway.stop();
});

describeServed("a gateway of two workers and its replica", () => {
  test("share one check, its result, and the accepted revision", async () => {
    const servers = await openServers();
    const environment = { ...servers.environment, WORKERS: "2" };
    const gateway = await home.start(environment, { preload: patientTimers });
    await expect.poll(() => isChecked(gateway)).toBe(true);
    two.weights = "v2";
    gateway.process.kill("SIGHUP");
    const drifted = async () =>
      (await new AdminClient(gateway.url).metric("gateway_target_state"))[
        '{upstream="two",model="m",state="drifted"}'
      ];
    await expect.poll(drifted).toBe(2);

    const { space } = (await (await accept(gateway, "two")).json()) as Schemas["SpaceRevision"];

    const spaces = new Set<unknown>();
    for (let count = 0; count < 12; count += 1) {
      const body = { model: "m", input: fresh() };
      const response = await sendFresh(`${gateway.url}/v1/embeddings`, { key: testKey, body });
      spaces.add(response.headers["x-gateway-space"]);
    }
    expect([...spaces]).toEqual([`${space.id}:${width}`]);

    const replicaHome = new GatewayFolder(configuration(), { ...testEnvironment, ...environment });
    const replica = await replicaHome.start({ WORKERS: "1" });
    expect((await served(replica)).spaces).toEqual([`${space.id}:${width}`]);
    const back = (await (await accept(replica, "one")).json()) as Schemas["SpaceRevision"];
    // The other replica reads it by itself.
    await expect
      .poll(async () => (await embed(gateway)).headers.get("x-gateway-space"), { timeout: 120_000 })
      .toBe(`${back.space.id}:${width}`);

    await replicaHome.remove();
    await gateway.stop();
    await servers.close();
  }, 480_000);
});
