import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultConfig } from "../src/config/default-config.js";
import { operationsOf, readSpec } from "../src/http/request/spec.js";
import type { OperationId } from "../src/operations.js";
import { openStorage, type Storage } from "../src/storage/open-storage.js";
import type { LedgerRow } from "../src/usage/ledger/ledger-store.js";
import { curlIsMissing } from "./curl.js";
import { type InProcessGateway, startGateway } from "./gateway/in-process.js";
import { testAdminKey, testKey } from "./gateway/test-gateway.js";

const run = promisify(execFile);
const addressInSamples = "http://127.0.0.1:8080";
const samplesFolder = join(
  dirname(fileURLToPath(import.meta.resolve("@model-gateway/spec/openapi.json"))),
  "../samples",
);

/**
 * What the samples of an operation give: curl prints the response, the JavaScript prints text or writes an image. Where
 * there is no response to print, curl writes the image too.
 */
interface SampleResult {
  readonly response?: object;
  /** What curl prints, where it is no JSON. */
  readonly text?: string;
  readonly printed: string;
  readonly written?: string;
}

const vector = expect.toSatisfy((value: unknown) => Array.isArray(value) && value.length === 384);
const image = { b64_json: expect.stringMatching(/^iVBORw0KGgo/) };

const results: Record<OperationId, SampleResult> = {
  checkHealth: { response: { status: "ok" }, printed: "200 { status: 'ok' }\n" },
  checkReadiness: {
    response: { status: "ready" },
    printed: expect.stringMatching(/^200 \{ status: 'ready'/),
  },
  createEmbedding: {
    response: { data: [{ embedding: vector }, { embedding: vector }], model: "gte-small" },
    printed: "[ 384, 384 ]\n",
  },
  createEmbeddingLegacy: {
    response: { data: [{ embedding: vector }], model: "gte-small" },
    printed: "384\n",
  },
  createImage: { response: { data: [image], size: "1024x1024" }, printed: "", written: "fox.png" },
  createImageEdit: { response: { data: [image] }, printed: "", written: "fox-with-rocket.png" },
  retrieveImageFile: { printed: "", written: "fox.png" },
  listModels: { response: { object: "list" }, printed: "gte-small\nall-MiniLM-L6-v2\nlocal-sketch\n" },
  retrieveModel: { response: { id: "gte-small" }, printed: expect.stringContaining("id: 'gte-small'") },
  listKeys: { response: { object: "list" }, printed: expect.stringMatching(/^sample (active|revoked)\n/m) },
  createKey: {
    response: { name: "search-service", limits: { requests_per_minute: 600 } },
    printed: expect.stringMatching(/^mg_[0-9a-z]{38}\n$/),
  },
  retrieveKey: { response: { object: "key", name: "sample" }, printed: "sample active\n" },
  changeKey: { response: { limits: { requests_per_minute: 1200 }, models: null }, printed: "1200 null\n" },
  revokeKey: { response: { status: "revoked" }, printed: "sample revoked\n" },
  retrieveUsage: {
    response: { object: "list", data: [{ key_id: "config:tester" }] },
    printed: expect.stringMatching(/^tester \d+ /),
  },
  listRequests: {
    response: { data: [{ id: "req_sample", status: 429 }] },
    printed: "req_sample tester rate_limit_exceeded\n",
  },
  listAdminModels: {
    response: { object: "list", data: [{ id: "gte-small" }, {}, {}] },
    printed: "gte-small fastest 1\nall-MiniLM-L6-v2 fastest 1\nlocal-sketch fastest 1\n",
  },
  listUpstreams: {
    response: { object: "list", data: [{ name: "local" }] },
    printed: "local gte-small healthy\nlocal all-MiniLM-L6-v2 healthy\nlocal local-sketch healthy\n",
  },
  readMetrics: { text: expect.stringMatching(/^# /), printed: expect.stringMatching(/^# /) },
};

let gateway: InProcessGateway;
let folder: string;
let keyId: string;
beforeAll(async () => {
  const storage: { opened?: Storage } = {};
  gateway = await startGateway(defaultConfig, {
    openStorage: async (config, log) => {
      storage.opened = await openStorage(config, log);
      return storage.opened;
    },
  });
  await storage.opened?.ledger.add([refusedRequest]);
});
afterAll(() => gateway.stop());

beforeEach(async () => {
  keyId = await createKey();
  folder = await mkdtemp(join(tmpdir(), "samples-"));
  await symlink(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
  // Without it, curl exits with 0 after an error response.
  await writeFile(join(folder, ".curlrc"), "silent\nshow-error\nfail-with-body\n");
  return () => rm(folder, { recursive: true, force: true });
});

test("every operation of the spec has samples in curl, JavaScript and Python, and there are no others", async () => {
  const operationIds = operationsOf(readSpec()).map(({ id }) => id);

  const files = await readdir(samplesFolder, { recursive: true });

  const languages = ["curl.sh", "javascript.mjs", "python.py"];
  const want = operationIds.flatMap((id) => [id, ...languages.map((file) => join(id, file))]);
  expect(files.sort()).toEqual(want.sort());
});

describe.each(Object.entries(results) as [OperationId, SampleResult][])("%s", (id, result) => {
  test.skipIf(curlIsMissing)("the curl sample gets its response", async () => {
    if (result.response !== undefined) await writeImage("fox.png");

    const printed = await runSample(id, { file: "curl.sh", program: "sh" });

    if (result.text !== undefined) expect(printed).toEqual(result.text);
    else if (result.response !== undefined) expect(JSON.parse(printed)).toMatchObject(result.response);
    else expect(await writtenFormat(result)).toBe("png");
  });

  test("the JavaScript sample runs, and prints or writes what it got", async () => {
    if (result.written !== "fox.png") await writeImage("fox.png");

    const printed = await runSample(id, { file: "javascript.mjs", program: process.execPath });

    expect(printed).toEqual(result.printed);
    if (result.written !== undefined) {
      expect(await writtenFormat(result)).toBe("png");
    }
  });

  test("the Python sample, which is not run here, speaks of the same address and model", async () => {
    const [curl, python] = await Promise.all(["curl.sh", "python.py"].map((file) => readSample(id, file)));

    expect(python).toContain(addressInSamples);
    for (const model of ["gte-small", "local-sketch"])
      expect(python!.includes(model)).toBe(curl!.includes(model));
  });
});

async function createKey(): Promise<string> {
  const headers = { authorization: `Bearer ${testAdminKey}` };
  const response = await gateway.sendJson("/admin/v1/keys", { name: "sample" }, { headers });
  return ((await response.json()) as { id: string }).id;
}

/** What the samples of usage and requests find. */
const refusedRequest: LedgerRow = {
  id: "req_sample",
  at: Date.now(),
  keyId: "config:tester",
  keyName: "tester",
  operation: "createEmbedding",
  model: "gte-small",
  upstream: null,
  attempts: 0,
  status: 429,
  inputTokens: 0,
  outputTokens: 0,
  images: 0,
  costNanos: null,
  ms: 1,
  requestBytes: 1,
  responseBytes: 1,
  cache: null,
  errorCode: "rate_limit_exceeded",
};

async function readSample(id: OperationId, file: string): Promise<string> {
  return readFile(join(samplesFolder, id, file), "utf8");
}

/** Runs a sample as a reader would, in a folder of its own, with nothing changed but the address. */
async function runSample(
  id: OperationId,
  { file, program }: { file: string; program: string },
): Promise<string> {
  const sample = (await readSample(id, file)).replaceAll(addressInSamples, gateway.url);
  await writeFile(join(folder, file), sample);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GATEWAY_KEY: testKey,
    GATEWAY_ADMIN_KEY: testAdminKey,
    KEY_ID: keyId,
  };
  const { stdout } = await run(program, [file], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

async function writtenFormat({ written = "" }: SampleResult): Promise<string | undefined> {
  return (await sharp(join(folder, written)).metadata()).format;
}

async function writeImage(name: string): Promise<void> {
  const create = { width: 64, height: 64, channels: 3 as const, background: "orange" };
  await sharp({ create }).png().toFile(join(folder, name));
}
