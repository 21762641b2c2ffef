import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "@model-gateway/test-suite/random";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { BatchClient, embeddingLines, imageLines } from "../../gateway/batch-client.js";
import { GatewayFolder } from "../../gateway/built.js";
import { testKey } from "../../gateway/test-gateway.js";
import { checkOutput } from "./check-output.js";
import { answerSome, inputsOf, narrowModel, openInputs, untilKept } from "./kept-results.js";

/** The number of kills. `KILLS=24` for the long test. */
const kills = Number(process.env.KILLS ?? 5);
const embeddings = 5000;
const images = 20;

let upstream: FakeUpstream;
let home: GatewayFolder;

beforeEach(async () => {
  upstream = await startFakeUpstream({
    script: {
      always: { width: 8, images: "tiny" },
      models: { image: { delayMs: [300, 900] }, text: { delayMs: [50, 200] } },
    },
  });
  home = new GatewayFolder(`
logLevel: warn
keys: [{ name: tester, key: ${testKey} }]
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, dimensions: 8, price: { perMillionTokens: 1 }, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, price: { perImage: 1 }, targets: [{ upstream: fake, model: image }] }${narrowModel}
`);
});
afterEach(async () => {
  await home.remove();
  await upstream.close();
});

test(
  "no line is lost and no image is bought twice, however often the gateway is killed",
  async () => {
    const random = createRandom();
    let gateway = await home.start();
    const first = new BatchClient(gateway.url);
    const text = await first.create(embeddingLines(embeddings, "text"));
    const pictures = await first.create(imageLines(images, "image"), "/v1/images/generations");

    for (let kill = 0; kill < kills; kill += 1) {
      // A number of upstream calls, and then a moment between two of them.
      const until = upstream.seen().requests + 1 + random.below(8);
      const isOver = async () => (await new BatchClient(gateway.url).retrieve(text)).status === "completed";
      await expect.poll(async () => upstream.seen().requests >= until || (await isOver())).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, random.below(300)));
      await gateway.kill();
      gateway = await home.start();
    }

    const client = new BatchClient(gateway.url);
    const admin = new AdminClient(gateway.url);
    const ids = (count: number, prefix: string) =>
      Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
    const embedded = await checkOutput(client, [admin], { id: text, ids: ids(embeddings, "row") });
    expect(embedded.errors).toEqual([]);
    const created = await checkOutput(client, [admin], { id: pictures, ids: ids(images, "image") });

    const bought = upstream.received.flatMap(({ path, body }) =>
      path.endsWith("/generations") ? [String(body.prompt)] : [],
    );
    expect(bought.length).toBe(new Set(bought).size);
    // An image that was on its way when the gateway was killed is not known to be there.
    const codes = new Set(created.errors.map(({ response }) => response?.body.error.code));
    expect([...codes].filter((code) => code !== "idempotency_outcome_unknown")).toEqual([]);
    expect(created.output.every(({ custom_id }) => bought.includes(custom_id))).toBe(true);
    console.info(
      `${kills} kills: ${embedded.output.length} embeddings, ${created.output.length} images, ${created.errors.length} of unknown outcome, ${upstream.seen().requests} upstream calls.`,
    );
  },
  240_000 + kills * 30_000,
);

test("of the lines of running parts, only those in open calls are bought again", {
  timeout: 240_000,
}, async () => {
  const lines = 1500;
  upstream.follow(answerSome);
  const gateway = await home.start();
  const id = await new BatchClient(gateway.url).create(embeddingLines(lines, "narrow"));
  const journals = () => {
    const folder = join(gateway.dataDir, "files");
    const names = readdirSync(folder).filter((name) => name.includes("-journal-"));
    return names.map((name) => readFileSync(join(folder, name), "utf8"));
  };
  await untilKept(upstream, { lines: 1024, journals });
  await gateway.kill();
  const open = openInputs(upstream);
  upstream.follow({ always: { width: 8 } });

  const again = await home.start();

  const ids = Array.from({ length: lines }, (_, index) => `row-${index}`);
  const client = new BatchClient(again.url);
  const { output } = await checkOutput(client, [new AdminClient(again.url)], { id, ids });
  expect(output.map(({ custom_id }) => custom_id)).toEqual(ids);
  expect(inputsOf(upstream.received)).toBe(lines + open);
  expect(journals()).toEqual([]);
});
