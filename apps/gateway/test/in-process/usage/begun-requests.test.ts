import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

let upstream: FakeUpstream;
let gateway: InProcessGateway;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, dimensions: 8, price: { perMillionTokens: 1 }, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, price: { perImage: 1 }, targets: [{ upstream: fake, model: image }] }
  unpriced: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
  free: { type: image, profile: gpt-image, price: { perImage: 0 }, targets: [{ upstream: fake, model: image }] }
`);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const embed = (input: string) => ["/v1/embeddings", { model: "text", input }] as const;
const image = (model: string) => ["/v1/images/generations", { model, prompt: "a fox" }] as const;

/** A token has about four letters, and costs a millionth of a dollar. */
test.each([
  ["an image", image("image"), true],
  ["an image without a known price", image("unpriced"), true],
  ["an image that is free", image("free"), false],
  ["embeddings of more than a hundredth of a cent", embed("word ".repeat(100)), true],
  ["embeddings of less", embed("word ".repeat(60)), false],
])("before its call, %s is noted on disk only if it may be costly", async (_name, [path, body], isNoted) => {
  upstream.follow({ always: { isHeld: true } });
  const before = upstream.received.length;
  const sent = gateway.sendJson(path, body);
  await expect.poll(() => upstream.received.length).toBe(before + 1);
  const during = noted();
  upstream.follow({});

  const response = await sent;
  await response.text();

  const id = response.headers.get("x-request-id") ?? "";
  expect(response.status).toBe(200);
  expect(during.filter((line) => line.includes(id)).length > 0).toBe(isNoted);
  expect(noted().at(-1) === id).toBe(isNoted);
});

/** The lines of all requests so far. */
function noted(): string[] {
  const folder = join(gateway.dataDir, "ledger-spool", "1", "begun");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1),
  );
}
