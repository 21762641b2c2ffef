import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { type BuiltGateway, GatewayFolder } from "../gateway/built.js";
import { testKey } from "../gateway/test-gateway.js";

/**
 * The gateway's disk is slow here: it takes two seconds to write a ledger row. The caller kills the gateway as soon as
 * it has read the last byte of the response. A row that was not on the disk by then never gets there.
 */
const preload = join(import.meta.dirname, "slow-ledger.mjs");
const inputs = Array.from({ length: 200 }, (_, index) => `text ${index}`);

let upstream: FakeUpstream;
let folder: GatewayFolder;
let gateway: BuiltGateway;

beforeAll(async () => {
  upstream = await startFakeUpstream({ script: { always: { width: 1536 } } });
});
afterAll(() => upstream.close());
beforeEach(async () => {
  folder = new GatewayFolder(`
logLevel: silent
keys: [{ name: tester, key: ${testKey} }]
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, dimensions: 1536, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }`);
  gateway = await folder.start({}, { preload });
});
afterEach(() => folder.remove());

test.each([
  ["a small embedding", "/v1/embeddings", { model: "text", input: "a" }, 200],
  ["a large embedding", "/v1/embeddings", { model: "text", input: inputs }, 200],
  ["an image", "/v1/images/generations", { model: "image", prompt: "a fox" }, 200],
  ["a stream of an image", "/v1/images/generations", { model: "image", prompt: "a fox", stream: true }, 200],
  ["an error", "/v1/embeddings", { model: "none", input: "a" }, 404],
])("the ledger's row is on disk before the last byte of the response: %s", async (_, path, body, status) => {
  const response = await readAndKill(path, body);

  await gateway.exit;
  expect(response.status).toBe(status);
  expect(response.id).toMatch(/^req_/);
  expect(contentOf(gateway.dataDir).includes(response.id)).toBe(true);
});

/** Reads a response over a separate connection, and kills the gateway at its last byte. */
function readAndKill(path: string, body: object): Promise<{ readonly status: number; readonly id: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${testKey}`, "content-type": "application/json" };
    const sent = request(`${gateway.url}${path}`, { method: "POST", agent: false, headers });
    sent.on("error", reject);
    sent.on("response", (response) => {
      response.on("error", reject).resume();
      response.on("end", () => {
        gateway.process.kill("SIGKILL");
        resolve({ status: response.statusCode ?? 0, id: String(response.headers["x-request-id"]) });
      });
    });
    sent.end(JSON.stringify(body));
  });
}

/** All files as text. The row is in the spool, or in the database if it was shipped already. */
function contentOf(dataDir: string): string {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}
