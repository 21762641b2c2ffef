import { hostileStores } from "@model-gateway/content-credentials/test/hostile-stores";
import { embed } from "@model-gateway/content-credentials/test/sign-image";
import { longestTurnMs } from "@model-gateway/test-suite/longest-turn";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

/** Sending and parsing a form of megabytes is in it, on both sides. Before there was a budget, some took 10 seconds. */
const turnMsMax = 60;

let gateway: InProcessGateway;
beforeAll(async () => {
  gateway = await startGateway(`
upstreams: { local: { provider: local } }
models: { sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] } }`);
});
afterAll(() => gateway.stop());

async function check(content: Buffer): Promise<unknown> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(content)]), "image.png");
  const response = await gateway.send("/v1/content_provenance_checks", { method: "POST", body: form });
  return response.json();
}

test.each(hostileStores())("%s takes no whole turn to refuse", async (_name, make, reason) => {
  const { file } = embed(tinyPng, make(), "png");
  let body: unknown;

  const longest = await longestTurnMs(async () => {
    body = await check(file);
  });

  expect(body).toMatchObject({ results: [], not_checked: [{ type: "c2pa", reason }, { type: "synthid" }] });
  expect(longest).toBeLessThan(turnMsMax);
});
