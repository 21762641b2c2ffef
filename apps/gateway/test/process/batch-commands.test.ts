import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "@model-gateway/test-suite/random";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { type BuiltGateway, GatewayFolder, startBuiltGateway } from "../gateway/built.js";
import { testKey } from "../gateway/test-gateway.js";
import { startFakeBatches } from "../servers/fake-batches.js";

/** The commands as separate processes, which are killed. */
let upstream: FakeUpstream;
let gateway: BuiltGateway;
/** Counts the requests of the commands. */
let proxy: Awaited<ReturnType<typeof startFakeBatches>>;
let folder: GatewayFolder;
beforeEach(async () => {
  upstream = await startFakeUpstream({ script: { always: { width: 8 } } });
  gateway = await startBuiltGateway(`
upstreams: { main: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { text: { type: embedding, dimensions: 8, targets: [{ upstream: main, model: m }] } }`);
  proxy = await startFakeBatches(() => gateway.url, { areReal: true });
  folder = new GatewayFolder();
});
afterEach(async () => {
  proxy.close();
  await folder.remove();
  await gateway.stop();
  await upstream.close();
});

const rows = Array.from({ length: 300 }, (_, id) => ({ id, text: `text ${id}` }));
const killsMax = 8;

/** Starts the command again and again. Each time it is killed after some more requests, until it may finish. */
async function runWithKills(flags: readonly string[]): Promise<number> {
  const random = createRandom();
  const environment = { GATEWAY_KEY: testKey, MODEL_GATEWAY_URL: proxy.url };
  for (let kills = 0; ; kills += 1) {
    const launched = folder.launch(environment, { flags });
    let hasEnded = false;
    void launched.exit.then(() => {
      hasEnded = true;
    });
    const wanted = proxy.received.length + 1 + random.below(6);
    if (kills < killsMax) {
      await vi.waitUntil(() => hasEnded || proxy.received.length >= wanted, {
        timeout: 120_000,
        interval: 1,
      });
      launched.process.kill("SIGKILL");
    }
    const code = await launched.exit;
    if (code !== null) {
      expect([code, launched.stderr()]).toEqual([0, ""]);
      return kills;
    }
  }
}

function readOutput(name: string): Record<string, unknown>[] {
  const lines = readFileSync(join(folder.folder, name), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** The texts that the upstream has embedded. */
function embedded(): unknown[] {
  return upstream.received
    .flatMap(({ body }) => body.input as string[])
    .filter((text) => /^text \d+/.test(text));
}

/** The batches of the key, newest first. */
async function listBatches(): Promise<readonly { readonly request_counts: object }[]> {
  const response = await gateway.send("/v1/batches");
  return ((await response.json()) as { data: { request_counts: object }[] }).data;
}

test("reembed that is killed again and again writes each row once, and no line runs twice", async () => {
  folder.write("texts.jsonl", rows.map((row) => `${JSON.stringify(row)}\n`).join(""));

  const kills = await runWithKills([
    ..."reembed --from texts.jsonl --out vectors.jsonl --model text --run".split(" "),
  ]);

  expect(kills).toBeGreaterThan(0);
  expect(readOutput("vectors.jsonl").map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  expect(embedded().sort()).toEqual(rows.map(({ text }) => text).sort());
  expect(readdirSync(folder.folder).filter((name) => name.startsWith("reembed-"))).toEqual([]);
});

test("batch run that is killed again and again runs one batch, and downloads all of it", async () => {
  const lines = rows.map(({ id, text }) => ({
    custom_id: `${id}`,
    method: "POST",
    url: "/v1/embeddings",
    body: { model: "text", input: text },
  }));
  folder.write("input.jsonl", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

  await runWithKills("batch run input.jsonl --out output.jsonl".split(" "));

  expect(readOutput("output.jsonl").map(({ custom_id }) => custom_id)).toEqual(
    lines.map(({ custom_id }) => custom_id),
  );
  expect(await listBatches()).toMatchObject([{ request_counts: { total: rows.length, failed: 0 } }]);
  expect(embedded()).toHaveLength(rows.length);
});
