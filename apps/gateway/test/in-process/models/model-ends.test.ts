import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

const dayMs = 86_400_000;
const dayIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

let upstream: FakeUpstream;
let gateway: InProcessGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  const embedding = (days: number) =>
    `{ type: embedding, dimensions: 8, shutdownDate: ${dayIn(days)}, targets: [{ upstream: fake, model: text }] }`;
  gateway = await startGateway(`
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" }
  openai: { provider: openai, baseUrl: "${upstream.baseUrl}", apiKey: k }
models:
  soon: ${embedding(30)}
  later: ${embedding(90)}
  endless: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: text }] }
  ended: { type: image, targets: [{ upstream: openai, model: gpt-image-1 }] }
  half: { type: image, targets: [{ upstream: openai, model: gpt-image-1 }, { upstream: openai, model: gpt-image-2 }] }
`);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

async function headersOf(path: string, body: object) {
  const { status, headers } = await gateway.sendJson(path, body);
  expect(status).toBe(200);
  return { deprecation: headers.get("deprecation"), sunset: headers.get("sunset") };
}

test("responses announce the end of a model from 60 days before it", async () => {
  const embed = (model: string) => headersOf("/v1/embeddings", { model, input: "a" });

  expect(await embed("soon")).toEqual({
    deprecation: `@${Date.parse(dayIn(-30)) / 1000}`,
    sunset: new Date(dayIn(30)).toUTCString(),
  });
  expect(await embed("later")).toEqual({ deprecation: null, sunset: null });
  expect(await embed("endless")).toEqual({ deprecation: null, sunset: null });
});

test("the legacy path keeps its own deprecation, and has the end of the model", async () => {
  expect(await headersOf("/v1/engines/soon/embeddings", { input: "a" })).toEqual({
    deprecation: "@1654041600",
    sunset: new Date(dayIn(30)).toUTCString(),
  });
});

test("the vendor's end is announced, and a model ends with its last target", async () => {
  const draw = (model: string) => headersOf("/v1/images/generations", { model, prompt: "a" });

  expect((await draw("ended")).sunset).toBe("Fri, 23 Oct 2026 00:00:00 GMT");
  expect((await draw("half")).sunset).toBeNull();
});
