import { afterEach, expect, test } from "vitest";
import { startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { GatewayFolder, startBuiltGateway } from "../gateway/built.js";

let cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
  cleanUps = [];
});

test("without a configuration the built gateway serves its models, the console and the docs", async () => {
  const home = new GatewayFolder();
  cleanUps.push(() => home.remove());
  const gateway = await home.start({ GATEWAY_KEY: "smoke-key-0123456789" });
  const post = (path: string, body: object) =>
    fetch(`${gateway.url}${path}`, {
      method: "POST",
      headers: { authorization: "Bearer smoke-key-0123456789", "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  const vectors = await post("/v1/embeddings", { model: "gte-small", input: "The cat sat on the mat." });
  const images = await post("/v1/images/generations", { model: "local-sketch", prompt: "a red fox" });
  const pages = await Promise.all(["/console/", "/docs/"].map((path) => fetch(`${gateway.url}${path}`)));

  expect(await vectors.json()).toMatchObject({ object: "list", data: [{ embedding: { length: 384 } }] });
  expect(await images.json()).toMatchObject({ data: [{ b64_json: expect.stringMatching(/^iVBORw0KGgo/) }] });
  expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  expect(await gateway.stop()).toBe(0);
});

test("after SIGTERM a request in flight finishes, and the exit code is 0", async () => {
  const upstream = await startFakeUpstream({ script: { always: { isHeld: true } } });
  cleanUps.push(upstream.close);
  const gateway = await startBuiltGateway(`
limits: { stopMs: 600000 }
upstreams: { slow: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { slow: { type: embedding, targets: [{ upstream: slow, model: slow }] } }
`);
  const response = gateway.sendJson("/v1/embeddings", { model: "slow", input: "a" });
  await expect.poll(() => upstream.seen().inFlight).toBe(1);

  const exit = gateway.stop();
  upstream.follow({});

  expect((await response).status).toBe(200);
  expect(await exit).toBe(0);
});
