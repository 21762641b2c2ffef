import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type BuiltGateway, startBuiltGateway } from "../../gateway/built.js";

const bytesMax = 32 * 1024 * 1024;
let upstream: FakeUpstream;
let gateway: BuiltGateway;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  // Millions of objects do not fit into this heap.
  gateway = await startBuiltGateway(
    `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  good: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: good }] }
`,
    { environment: { NODE_OPTIONS: "--max-old-space-size=192" } },
  );
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** As long as a body may be. */
function fill(start: string, part: string, end: string): string {
  const bytes = bytesMax - Buffer.byteLength(start) - Buffer.byteLength(end);
  return `${start}${part.repeat(Math.floor(bytes / Buffer.byteLength(part)))}${end}`;
}

const start = '{"model":"good","input":[';
const keys = Array.from({ length: 1_500_000 }, (_, key) => `"k${key}":1`).join();
const cases: [name: string, body: string, expected: { code: string; param: string | null }][] = [
  ["empty objects", fill(start, "{},", "{}]}"), { code: "invalid_value", param: "input" }],
  ["lists of one token", fill(start, "[1],", "[1]]}"), { code: "invalid_value", param: "input" }],
  ["one list of tokens", fill(start, "1,", "1]}"), { code: "array_above_max_length", param: "input" }],
  [
    "one list within the list",
    fill(`${start}[`, "1,", "1]]}"),
    { code: "array_above_max_length", param: "input" },
  ],
  ["lists within lists", fill(start, "[", ""), { code: "invalid_value", param: "input" }],
  ["empty texts", fill(start, '"",', '""]}'), { code: "array_above_max_length", param: "input" }],
  ["unknown fields", `{"model":"good",${keys}}`, { code: "invalid_value", param: null }],
  [
    "one text",
    fill('{"model":"good","input":"', "語", '"}'),
    { code: "string_above_max_length", param: "input" },
  ],
  [
    "escapes",
    fill('{"model":"good","input":"', '\\"', '"}'),
    { code: "string_above_max_length", param: "input" },
  ],
  [
    "a text without an end",
    fill('{"model":"good","input":"', "a", ""),
    { code: "string_above_max_length", param: "input" },
  ],
  ["spaces", fill('{"model":"good"', " ", "}"), { code: "missing_required_parameter", param: "input" }],
];

test.each(cases)("32 MiB of %s are refused, and the gateway goes on", async (_name, body, expected) => {
  const response = await gateway.send("/v1/embeddings", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: expected });
  const next = await gateway.sendJson("/v1/embeddings", { model: "good", input: "a" });
  expect(next.status).toBe(200);
  await next.arrayBuffer();
});
