import { expect, test } from "vitest";
import { startGateway } from "./running-gateway.js";

test("what is asked of a model is work, and what a probe asks is not", async () => {
  const config = `
upstreams: { nobody: { provider: openai-compatible, baseUrl: "http://127.0.0.1:9/v1" } }
models: { m: { type: embedding, dimensions: 4, targets: [{ upstream: nobody, model: m }] } }`;
  const seen: string[] = [];
  let path = "";
  const gateway = await startGateway(config, { onWork: () => seen.push(path) });
  try {
    for (path of ["/healthz", "/readyz", "/v1/models"]) await (await gateway.send(path)).text();
    path = "/v1/embeddings";
    await (await gateway.sendJson(path, { model: "no-such-model", input: "a" })).text();
  } finally {
    await gateway.stop();
  }

  expect(seen).toEqual(["/v1/embeddings"]);
});
