import { expect, onTestFinished, test } from "vitest";
import { startGateway } from "../../gateway/in-process.js";
import { startSteppingUpstream } from "./stepping-upstream.js";

test("a model that stalls leaves connections for its upstream's other models", async () => {
  const upstream = await startSteppingUpstream(8);
  const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  slow: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: slow }] }
  quick: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: quick }] }`);
  onTestFinished(async () => {
    upstream.releaseAll();
    await gateway.stop();
    await upstream.close();
  });
  const embed = (model: string, input: string) => gateway.sendJson("/v1/embeddings", { model, input });

  const stalled = Array.from({ length: 300 }, (_, index) => embed("slow", `slow ${index}`));
  await upstream.untilArrived(256);
  const quick = embed("quick", "quick");
  await upstream.untilArrived(257);
  upstream.held.find(({ inputs }) => inputs[0] === "quick")?.release();

  expect((await quick).status).toBe(200);
  expect(upstream.arrivals.length).toBe(257);
  upstream.releaseAll();
  expect(new Set((await Promise.all(stalled)).map(({ status }) => status))).toEqual(new Set([200]));
});
