import { expect, test } from "vitest";
import { startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { startBuiltGateway } from "../../gateway/built.js";

test("a minute ends although the clock was set back by two hours", async () => {
  const upstream = await startFakeUpstream();
  const gateway = await startBuiltGateway(
    `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  m: { type: embedding, dimensions: 8, limits: { requestsPerMinute: 2 }, targets: [{ upstream: fake, model: m }] }
`,
    { preload: new URL("shifted-clock.mjs", import.meta.url).pathname },
  );
  const statusOf = async () => {
    const response = await gateway.sendJson("/v1/embeddings", { model: "m", input: "a" });
    await response.arrayBuffer();
    return response.status;
  };
  try {
    expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([200, 200, 429]);

    await gateway.ask("shift");

    expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([200, 200, 429]);
  } finally {
    await gateway.kill();
    await upstream.close();
  }
});
