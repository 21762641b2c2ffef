import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type BuiltGateway, startBuiltGateway } from "../../gateway/built.js";

const mb = 1024 * 1024;
const bodiesBytesMax = 64 * mb;
/** The configuration guide's bound. */
const residentBytesMax = 384 * mb + 2 * bodiesBytesMax;
let upstream: FakeUpstream;
let gateway: BuiltGateway;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  gateway = await startBuiltGateway(`
limits: { bodiesBytesMax: ${bodiesBytesMax} }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  good: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: good }] }
`);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const input = Array.from({ length: 500 }, (_, index) => `${index} ${"text ".repeat(6000)}`);
const large = JSON.stringify({ model: "good", input });
const sendLarge = () =>
  gateway.send("/v1/embeddings", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: large,
  });

test("twenty large bodies at once are read one after the other or refused, and small ones pass", async () => {
  const sent = Promise.all(
    Array.from({ length: 20 }, async () => {
      const response = await sendLarge();
      const body = (await response.json()) as { data?: unknown[]; error?: { code: string } };
      return { response, body };
    }),
  );
  const small = await gateway.sendJson("/v1/embeddings", { model: "good", input: "a" });
  const responses = await sent;

  expect(small.status).toBe(200);
  const statuses = new Set(responses.map(({ response }) => response.status));
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses).toContain(200);
  for (const { response, body } of responses) {
    if (response.status === 200) expect(body.data).toHaveLength(input.length);
    else {
      expect(body.error).toMatchObject({ code: "gateway_overloaded" });
      expect(response.headers.get("retry-after")).toBe("2");
    }
  }
  const after = await sendLarge();
  expect(after.status).toBe(200);
  await after.arrayBuffer();
  expect(peakBytes(gateway.pid)).toBeLessThan(residentBytesMax);
});

/** Only Linux reports another process's peak. */
function peakBytes(pid: number): number {
  if (!existsSync("/proc/self/status")) return 0;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}
