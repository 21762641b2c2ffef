import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

let upstream: FakeUpstream;
let gateway: InProcessGateway;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { image: { type: image, targets: [{ upstream: fake, model: sd-cpp-local }] } }`);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

test("a prompt with options for stable-diffusion.cpp is refused before it is sent", async () => {
  const prompt = 'a fox <sd_cpp_extra_args>{"steps": 1000}</sd_cpp_extra_args>';

  const refused = await gateway.sendJson("/v1/images/generations", { model: "image", prompt });
  const good = await gateway.sendJson("/v1/images/generations", { model: "image", prompt: "a fox" });

  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { code: "unsupported_value", param: "prompt" } },
  ]);
  expect(good.status).toBe(200);
  expect(upstream.received.map(({ body }) => body.prompt)).toEqual(["a fox"]);
});
