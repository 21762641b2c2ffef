import { expect, test } from "vitest";
import { startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { startGateway } from "../../gateway/in-process.js";

async function startPair() {
  const [failing, healthy] = await Promise.all([
    startFakeUpstream({ script: { always: { faults: [{ kind: "reply", status: 500 }] } } }),
    startFakeUpstream({ script: { always: { width: 8 } } }),
  ]);
  const gateway = await startGateway(`
upstreams:
  failing: { provider: openai-compatible, baseUrl: "${failing.baseUrl}" }
  healthy: { provider: openai-compatible, baseUrl: "${healthy.baseUrl}" }
models:
  both:
    type: embedding
    dimensions: 8
    strategy: ordered
    targets: [{ upstream: failing, model: m }, { upstream: healthy, model: m }]
  one: { type: embedding, dimensions: 8, targets: [{ upstream: healthy, model: m }] }
  other: { type: embedding, dimensions: 8, targets: [{ upstream: healthy, model: other }] }
  revised: { type: embedding, dimensions: 8, revision: "2", targets: [{ upstream: healthy, model: m }] }
  undeclared: { type: embedding, targets: [{ upstream: healthy, model: m, space: "m@8" }] }`);
  const embed = (model: string, space?: string) =>
    gateway.sendJson(
      "/v1/embeddings",
      { model, input: "a" },
      { headers: space === undefined ? {} : { "x-gateway-space": space } },
    );
  const close = () => Promise.all([gateway.stop(), failing.close(), healthy.close()]);
  return { gateway, healthy, embed, close };
}

test("a failover keeps the space, and models share it only where their vectors can be compared", async () => {
  const { embed, close } = await startPair();

  const names = ["both", "one", "other", "revised", "undeclared"];
  const responses = await Promise.all(names.map((name) => embed(name)));
  const spaces = responses.map(({ headers }) => headers.get("x-gateway-space"));

  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(responses[0]?.headers.get("x-gateway-upstream")).toBe("healthy");
  expect(spaces[1]).toBe(spaces[0]);
  expect(spaces[4]).toBe(spaces[0]);
  expect(new Set(spaces).size).toBe(3);
  await close();
});

test("a request for a space gets its vectors or none, and no upstream is called in vain", async () => {
  const { embed, healthy, close } = await startPair();
  const space = (await embed("one")).headers.get("x-gateway-space") ?? "";
  const before = healthy.received.length;

  const refused = await Promise.all(["other", "revised"].map((name) => embed(name, space)));
  const calledInVain = healthy.received.length - before;
  const served = await Promise.all(["both", "one", "undeclared"].map((name) => embed(name, space)));
  const late = await embed("undeclared", space.replace(":8", ":9"));

  expect(refused.map(({ status }) => status)).toEqual([409, 409]);
  expect(calledInVain).toBe(0);
  expect(served.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(late.status).toBe(409);
  expect(late.headers.get("x-should-retry")).toBe("false");
  const { error } = (await late.json()) as { error: { message: string } };
  expect(error.message).toContain("the vectors have 8 values instead of 9");
  await close();
});

test("the model list has the first part of the id", async () => {
  const { gateway, embed, close } = await startPair();

  const space = (await embed("revised")).headers.get("x-gateway-space") ?? "";
  const listed = await gateway.send("/v1/models/revised");

  const { embedding } = (await listed.json()) as { embedding: object };
  expect(embedding).toMatchObject({ space: space.split(":")[0], revision: "2", default_input_type: null });
  await close();
});
