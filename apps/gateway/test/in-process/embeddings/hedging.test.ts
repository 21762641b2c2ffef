import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

let slow: FakeUpstream;
let swift: FakeUpstream;
let gateway: InProcessGateway;

beforeEach(async () => {
  slow = await startFakeUpstream({ script: { always: { isHeld: true, width: 8 } } });
  swift = await startFakeUpstream({ script: { always: { width: 8 } } });
  gateway = await startGateway(`
upstreams:
  slow: { provider: openai-compatible, baseUrl: "${slow.baseUrl}" }
  swift: { provider: openai-compatible, baseUrl: "${swift.baseUrl}" }
models:
  hedged:
    type: embedding
    dimensions: 8
    strategy: ordered
    hedge: { afterMs: 50, maxPercent: 100 }
    targets: [{ upstream: slow, model: m }, { upstream: swift, model: m }]
`);
});
afterEach(async () => {
  await gateway.stop();
  await slow.close();
  await swift.close();
});

test("a slow upstream is overtaken by a second one, and its call is cancelled", async () => {
  const response = await gateway.sendJson("/v1/embeddings", { model: "hedged", input: "hurry" });

  const { data } = (await response.json()) as { data: { embedding: number[] }[] };
  expect(data[0]?.embedding).toEqual([...vectorOf("hurry", 8)]);
  expect(response.headers.get("x-gateway-upstream")).toBe("swift");
  expect(response.headers.get("x-gateway-attempts")).toBe("2");
  await expect.poll(() => slow.seen()).toMatchObject({ requests: 1, inFlight: 0, abandoned: 1 });
  expect(swift.seen()).toMatchObject({ requests: 1, abandoned: 0 });
});
