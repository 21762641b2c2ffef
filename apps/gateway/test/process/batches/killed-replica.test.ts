import { S3Server } from "@model-gateway/object-store/test/s3-server";
import { createRandom } from "@model-gateway/test-suite/random";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { BatchClient, embeddingLines, imageLines } from "../../gateway/batch-client.js";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { testKey } from "../../gateway/test-gateway.js";
import { describeServed, type OpenStage, openServers } from "../../servers/stages.js";
import { checkOutput } from "./check-output.js";
import { answerSome, inputsOf, narrowModel, openInputs, untilKept } from "./kept-results.js";

/** The number of kills. `KILLS=24` for the long test. */
const kills = Number(process.env.KILLS ?? 2);
/** Each kill needs some calls before it. */
const embeddings = 1000 * Math.max(5, kills);
const images = 20;

const script = {
  always: { width: 8, images: "tiny" },
  models: { image: { delayMs: [200, 600] }, text: { delayMs: [100, 300] } },
} as const;

describeServed("two replicas that share batches, of which one is killed again and again", () => {
  let servers: OpenStage;
  let upstream: FakeUpstream;
  let bucket: S3Server;
  let homes: readonly [GatewayFolder, GatewayFolder];

  beforeEach(async () => {
    servers = await openServers();
    upstream = await startFakeUpstream({ script });
    bucket = await S3Server.start();
    homes = [createHome("one"), createHome("two")];
  });
  afterEach(async () => {
    await Promise.all(homes.map((home) => home.remove()));
    await bucket.stop();
    await upstream.close();
    await servers.close();
  });

  /** Each replica has its own name for the upstream's models, so that its calls can be counted. */
  function createHome(name: string): GatewayFolder {
    const { endpoint, bucket: of, region, prefix, accessKeyId, secretAccessKey } = bucket.settings;
    return new GatewayFolder(
      `
logLevel: warn
keys: [{ name: tester, key: ${testKey} }]
batches: { concurrency: 2 }
images:
  store: s3
  endpoint: ${endpoint}
  bucket: ${of}
  region: ${region}
  prefix: ${prefix}
  accessKeyId: "\${S3_ACCESS_KEY_ID}"
  secretAccessKey: "\${S3_SECRET_ACCESS_KEY}"
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}", headers: { x-replica: ${name} } } }
models:
  text: { type: embedding, dimensions: 8, price: { perMillionTokens: 1 }, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, price: { perImage: 1 }, targets: [{ upstream: fake, model: image }] }${narrowModel}
`,
      { ...servers.environment, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey },
    );
  }

  test(
    "both work on a batch, no line is lost, and no image is bought twice",
    async () => {
      const random = createRandom();
      const replicas: [BuiltGateway, BuiltGateway] = await Promise.all([homes[0].start(), homes[1].start()]);
      const client = new BatchClient(replicas[0].url);
      const text = await client.create(embeddingLines(embeddings, "text"));
      const pictures = await client.create(imageLines(images, "image"), "/v1/images/generations");

      for (let kill = 0; kill < kills; kill += 1) {
        const until = upstream.seen().requests + 4 + random.below(6);
        await expect.poll(() => upstream.seen().requests, { timeout: 90_000 }).toBeGreaterThanOrEqual(until);
        await replicas[1].kill();
        // The other replica would end the batch meanwhile.
        upstream.follow({ ...script, always: { ...script.always, isHeld: true } });
        replicas[1] = await homes[1].start();
        upstream.follow(script);
      }

      const admins = [new AdminClient(replicas[0].url), new AdminClient(replicas[1].url)] as const;
      const ids = (count: number, prefix: string) =>
        Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
      const embedded = await checkOutput(client, admins, { id: text, ids: ids(embeddings, "row") });
      expect(embedded.errors).toEqual([]);
      const created = await checkOutput(client, admins, { id: pictures, ids: ids(images, "image") });

      const bought = upstream.received.flatMap(({ path, body }) =>
        path.endsWith("/generations") ? [String(body.prompt)] : [],
      );
      expect(bought.length).toBe(new Set(bought).size);
      const callers = new Set(upstream.received.map(({ headers }) => headers["x-replica"]));
      expect(callers).toEqual(new Set(["one", "two"]));
      console.info(
        `${kills} kills: ${created.output.length} images, ${created.errors.length} of unknown outcome, ${upstream.seen().requests} upstream calls.`,
      );
    },
    300_000 + kills * 60_000,
  );

  test("a replica goes on with the parts of one that was killed, and buys only open calls again", {
    timeout: 300_000,
  }, async () => {
    const lines = 600;
    upstream.follow(answerSome);
    const killed = await homes[1].start();
    const id = await new BatchClient(killed.url).create(embeddingLines(lines, "narrow"));
    const journals = () =>
      [...bucket.objects].flatMap(([key, { content }]) =>
        key.includes("-journal-") ? [String(content)] : [],
      );
    await untilKept(upstream, { lines: 512, journals });
    await killed.kill();
    const open = openInputs(upstream);
    upstream.follow({ always: { width: 8 } });

    const other = await homes[0].start();

    const client = new BatchClient(other.url);
    await client.untilEnded(id, 180_000);
    // The rows of the lines that it ran are on its disk.
    const again = await homes[1].start();
    const ids = Array.from({ length: lines }, (_, index) => `row-${index}`);
    const admins = [new AdminClient(other.url), new AdminClient(again.url)] as const;
    const { output } = await checkOutput(client, admins, { id, ids });
    expect(output.map(({ custom_id }) => custom_id)).toEqual(ids);
    expect(inputsOf(upstream.received)).toBe(lines + open);
    expect(journals()).toEqual([]);
  });
});
