import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { testKey } from "../../gateway/test-gateway.js";

const preload = new URL("kill-at-image.mjs", import.meta.url).pathname;
const attemptsMax = 8;

let upstream: FakeUpstream;
let home: GatewayFolder;
beforeEach(async () => {
  upstream = await startFakeUpstream({ script: { always: { isHeld: true } } });
  home = new GatewayFolder(`
logLevel: warn
keys: [{ name: tester, key: ${testKey} }]
jobs: { concurrency: 1 }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: m }] } }
`);
});
afterEach(async () => {
  await home.remove();
  await upstream.close();
});

test("a job that kills every process that begins it is given up, and its caller sees why", async () => {
  let gateway = await home.start();
  // It occupies the gateway, and its outcome is unknown after the first kill.
  await create(gateway, "/v1/images/generations", { prompt: "first" });
  await expect.poll(() => upstream.received.length).toBe(1);
  const image_url = `data:image/png;base64,${tinyPng.toString("base64")}`;
  const poisoned = await create(gateway, "/v1/images/edits", { prompt: "edit", images: [{ image_url }] });
  await gateway.kill();
  upstream.follow({});

  for (let attempt = 1; attempt <= attemptsMax; attempt += 1)
    expect(await home.launch({}, { preload }).exit, `attempt ${attempt}`).toBeNull();
  gateway = await home.start({}, { preload });
  const response = await gateway.send(`/v1/jobs/${poisoned.id}`, { headers: { prefer: "wait=60" } });
  const next = await create(gateway, "/v1/images/generations", { prompt: "next" });
  const served = await gateway.send(`/v1/jobs/${next.id}`, { headers: { prefer: "wait=60" } });

  expect(await response.json()).toMatchObject({
    status: "failed",
    error: {
      code: "internal_error",
      message: expect.stringContaining(`began this job ${attemptsMax} times`),
    },
  });
  expect(await served.json()).toMatchObject({ status: "completed" });
  expect(upstream.received.map(({ body }) => body.prompt)).toEqual(["first", "next"]);
}, 180_000);

async function create(gateway: BuiltGateway, path: string, body: object): Promise<Schemas["Job"]> {
  const request = { model: "m", ...body };
  const response = await gateway.sendJson(path, request, { headers: { prefer: "respond-async" } });
  expect(response.status, await response.clone().text()).toBe(202);
  return (await response.json()) as Schemas["Job"];
}
