import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { sendFresh } from "../../gateway/fresh-connection.js";
import { testConfig, testEnvironment, testKey } from "../../gateway/test-gateway.js";
import { type ModelServer, startModelServer, vectorOf, width } from "../../servers/model-server.js";
import { describeServed, openServers } from "../../servers/stages.js";

let now: ModelServer;
let later: ModelServer;
let home: GatewayFolder;

const configuration = () => `${testConfig}
cache: { disk: { bytesMax: 100000000 } }
upstreams:
  now: { provider: openai-compatible, baseUrl: "${now.baseUrl}" }
  later: { provider: openai-compatible, baseUrl: "${later.baseUrl}" }
models:
  text: { type: embedding, dimensions: ${width}, shadow: { model: text-next, percent: 100 }, targets: [{ upstream: now, model: old }] }
  text-next: { type: embedding, dimensions: ${width}, cache: { ttl: 1d }, price: { perMillionTokens: 10 }, retries: { max: 0 }, targets: [{ upstream: later, model: new, maxConcurrency: 4 }] }
`;

beforeEach(async () => {
  [now, later] = await Promise.all([startModelServer("v1"), startModelServer("v2")]);
  home = new GatewayFolder(configuration(), testEnvironment);
});
afterEach(async () => {
  await home.remove();
  await Promise.all([now.close(), later.close()]);
});

const texts = Array.from({ length: 48 }, (_, index) => `text ${index}`);

const embed = (gateway: BuiltGateway, model: string, input: unknown, headers: Record<string, string> = {}) =>
  gateway.sendJson("/v1/embeddings", { model, input }, { headers });

async function figuresOf(gateway: BuiltGateway): Promise<Schemas["ModelShadow"] | null> {
  const { data } = (await (
    await new AdminClient(gateway.url).send("/admin/v1/models")
  ).json()) as Schemas["AdminModelList"];
  return data.find(({ id }) => id === "text")?.shadow ?? null;
}

test("callers who switch to the next model find their texts in its cache, even after a restart", async () => {
  const first = await home.start();
  for (const text of texts) expect((await embed(first, "text", text)).status).toBe(200);
  await expect.poll(async () => (await figuresOf(first))?.embedded).toBe(48);
  expect(await figuresOf(first)).toMatchObject({
    model: "text-next",
    percent: 100,
    dropped: 0,
    failed: 0,
    compared: 48,
  });
  const admin = new AdminClient(first.url);
  const rows = await admin.rowsOnce(1, { key: "gateway:shadow" });
  expect(rows[0]).toMatchObject({ key_name: "shadow", model: "text-next", upstream: "later", status: 200 });
  expect(Number(rows[0]?.cost_usd)).toBeGreaterThan(0);
  expect(await admin.metric("gateway_shadow_inputs_total")).toMatchObject({
    '{model="text",shadow="text-next",result="embedded"}': 48,
  });
  await first.stop();

  const asked = later.texts.length;
  const second = await home.start();
  const switched = await embed(second, "text-next", texts);
  const { data } = (await switched.json()) as Schemas["CreateEmbeddingResponse"];

  expect(switched.headers.get("x-gateway-cache")).toBe("hit");
  expect(later.texts).toHaveLength(asked);
  expect(data.map(({ embedding }) => embedding)).toEqual(
    texts.map((text) => vectorOf(text, "v2").map((number) => expect.closeTo(number, 6))),
  );
  await second.stop();
});

test("a next model that stalls or fails delays and fails no request", async () => {
  const gateway = await home.start();
  let release = () => {};
  later.hold = new Promise((resolve) => {
    release = resolve;
  });
  later.failsWith = 500;

  for (const text of texts) expect((await embed(gateway, "text", text)).status).toBe(200);
  expect(await figuresOf(gateway)).toMatchObject({ embedded: 0, failed: 0 });
  release();

  await expect.poll(async () => (await figuresOf(gateway))?.failed).toBeGreaterThan(0);
  const [row] = await new AdminClient(gateway.url).rowsOnce(1, { key: "gateway:shadow" });
  expect(row).toMatchObject({ status: 502, error_code: "upstream_error", model: "text-next" });
  await gateway.stop();
});

test("a request with no-store is not sent to another model", async () => {
  const gateway = await home.start();

  await embed(gateway, "text", "secret", { "cache-control": "no-store" });
  await embed(gateway, "text", "public");
  await expect.poll(async () => (await figuresOf(gateway))?.embedded).toBe(1);

  expect(later.texts).toEqual(["public"]);
  await gateway.stop();
});

describeServed("two workers", () => {
  test("their figures are added up", async () => {
    const servers = await openServers();
    const folder = new GatewayFolder(configuration(), {
      ...testEnvironment,
      ...servers.environment,
      WORKERS: "2",
    });
    const gateway = await folder.start();
    for (const input of texts) {
      const body = { model: "text", input };
      const { status } = await sendFresh(`${gateway.url}/v1/embeddings`, { key: testKey, body });
      expect(status).toBe(200);
    }
    await expect
      .poll(async () => {
        const figures = await figuresOf(gateway);
        return (figures?.embedded ?? 0) + (figures?.cached ?? 0);
      })
      .toBe(48);
    await folder.remove();
    await servers.close();
  });
});
