import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { probeTexts } from "@model-gateway/vector-space";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultConfig } from "../../src/config/default-config.js";
import { operationsOf, readSpec } from "../../src/http/request/spec.js";
import type { OperationId, Schemas } from "../../src/operations.js";
import { openStorage, type Storage } from "../../src/storage/open-storage.js";
import type { LedgerRow } from "../../src/usage/ledger/ledger-store.js";
import { type InProcessGateway, startGateway } from "../gateway/in-process.js";
import { testAdminKey, testKey } from "../gateway/test-gateway.js";
import { curlIsMissing } from "./curl.js";
import { python, whyPythonCannotRun } from "./python.js";

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
  /** What the Python prints, where it differs from the JavaScript. */
  readonly python?: string;
  readonly written?: string;
}

const vector = expect.toSatisfy((value: unknown) => Array.isArray(value) && value.length === 384);
const image = { b64_json: expect.stringMatching(/^iVBORw0KGgo/) };

const results: Record<OperationId, SampleResult> = {
  checkHealth: {
    response: { status: "ok" },
    printed: "200 { status: 'ok' }\n",
    python: '200 {"status":"ok"}\n',
  },
  checkReadiness: {
    response: { status: "ready" },
    printed: expect.stringMatching(/^200 \{ status: 'ready'/),
    python: expect.stringMatching(/^200 \{"status":"ready"/),
  },
  createEmbedding: {
    response: { data: [{ embedding: vector }, { embedding: vector }], model: "gte-small" },
    printed: "[ 384, 384 ]\n",
    python: "[384, 384]\n",
  },
  createEmbeddingLegacy: {
    response: { data: [{ embedding: vector }], model: "gte-small" },
    printed: "384\n",
  },
  createImage: { response: { data: [image], size: "1024x1024" }, printed: "", written: "fox.png" },
  createImageEdit: { response: { data: [image] }, printed: "", written: "fox-with-rocket.png" },
  createAzureDeploymentEmbedding: {
    response: { data: [{ embedding: vector }], model: "gte-small" },
    printed: "384\n",
  },
  createAzureDeploymentImage: { response: { data: [image] }, printed: "", written: "fox.png" },
  createAzureDeploymentImageEdit: {
    response: { data: [image] },
    printed: "",
    written: "fox-with-rocket.png",
  },
  createAzureEmbedding: {
    response: { data: [{ embedding: vector }], model: "gte-small" },
    printed: "384\n",
  },
  createAzureImage: { response: { data: [image] }, printed: "", written: "fox.png" },
  createAzureImageEdit: { response: { data: [image] }, printed: "", written: "fox-with-rocket.png" },
  listAzureModels: { response: { object: "list" }, printed: "gte-small\nall-MiniLM-L6-v2\nlocal-sketch\n" },
  listAzureDeploymentModels: {
    response: { object: "list" },
    printed: "gte-small\nall-MiniLM-L6-v2\nlocal-sketch\n",
  },
  createOllamaEmbedding: {
    response: { embeddings: [vector, vector], model: "gte-small" },
    printed: "[ 384, 384 ]\n",
    python: "[384, 384]\n",
  },
  createOllamaEmbeddingLegacy: { response: { embedding: vector }, printed: "384\n" },
  listOllamaModels: {
    response: { models: [{ name: "gte-small" }, {}] },
    printed: "gte-small\nall-MiniLM-L6-v2\n",
  },
  listRunningOllamaModels: {
    response: { models: [{ name: "gte-small" }, {}] },
    printed: "gte-small\nall-MiniLM-L6-v2\n",
  },
  retrieveOllamaModel: { response: { capabilities: ["embedding"] }, printed: "embedding\n" },
  retrieveOllamaVersion: {
    response: { version: expect.any(String) },
    printed: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  },
  retrieveImageFile: { printed: "", written: "fox.png" },
  listModels: { response: { object: "list" }, printed: "gte-small\nall-MiniLM-L6-v2\nlocal-sketch\n" },
  retrieveModel: {
    response: { id: "gte-small" },
    printed: expect.stringContaining("id: 'gte-small'"),
    python: expect.stringContaining("id='gte-small'"),
  },
  listKeys: {
    response: { object: "list" },
    printed: expect.stringMatching(/^sample (active|revoked)\n/m),
    python: expect.stringMatching(/^\['sample'/),
  },
  createKey: {
    response: { name: "search-service", limits: { requests_per_minute: 600 } },
    printed: expect.stringMatching(/^mg_[0-9a-z]{38}\n$/),
  },
  retrieveKey: {
    response: { object: "key", name: "sample" },
    printed: "sample active\n",
    python: expect.stringContaining("'name': 'sample'"),
  },
  changeKey: {
    response: { limits: { requests_per_minute: 1200 }, models: null },
    printed: "1200 null\n",
    python: expect.stringContaining("'requests_per_minute': 1200"),
  },
  revokeKey: { response: { status: "revoked" }, printed: "sample revoked\n", python: "revoked\n" },
  retrieveUsage: {
    response: { object: "list", data: [{ key_id: "config:tester" }] },
    printed: expect.stringMatching(/^tester \d+ /),
    python: expect.stringContaining("'key_id': 'config:tester'"),
  },
  listRequests: {
    response: { data: [{ id: "req_sample", status: 429 }] },
    printed: "req_sample tester rate_limit_exceeded\n",
    python: expect.stringContaining("'id': 'req_sample'"),
  },
  retrieveRequest: {
    response: { object: "request", id: "req_sample" },
    printed: "gte-small 429 1\n",
    python: expect.stringContaining("'id': 'req_sample'"),
  },
  listAdminModels: {
    response: { object: "list", data: [{ id: "gte-small" }, {}, {}] },
    printed: "gte-small fastest 1\nall-MiniLM-L6-v2 fastest 1\nlocal-sketch fastest 1\n",
    python: "['gte-small', 'all-MiniLM-L6-v2', 'local-sketch']\n",
  },
  listUpstreams: {
    response: { object: "list", data: [{ name: "local" }] },
    printed: "local gte-small healthy\nlocal all-MiniLM-L6-v2 healthy\nlocal local-sketch healthy\n",
    python: expect.stringContaining("'name': 'local'"),
  },
  createSession: {
    response: { object: "session", kind: "operator", value: expect.stringMatching(/^mg_session_/) },
    printed: expect.stringMatching(/^operator mg_session_[0-9a-z]{38}\n$/),
  },
  retrieveSession: {
    response: {
      object: "session",
      kind: "operator",
      models: ["gte-small", "all-MiniLM-L6-v2", "local-sketch"],
    },
    printed: "operator 3\n",
  },
  endSession: { response: { object: "session", ended: true }, printed: "true\n", python: "True\n" },
  probeTarget: {
    response: { object: "probe", model: "gte-small", ok: true, error: null },
    printed: "true healthy\n",
    python: "True healthy\n",
  },
  retrieveConcerns: {
    response: { object: "concerns", targets: [], keys: [], configuration_refusal: null },
    printed: "0 0\n",
  },
  acceptSpace: {
    response: {
      object: "space.revision",
      models: ["gte-small"],
      space: { revision: expect.stringMatching(/^accepted-\d+$/) },
    },
    printed: "gte-small@384 [ 'gte-small' ]\n",
    python: "gte-small@384 ['gte-small']\n",
  },
  retrieveConfiguration: {
    response: { object: "configuration", format: "yaml", last_refusal: null },
    printed: expect.stringContaining("gte-small:"),
  },
  streamEvents: {
    text: expect.stringMatching(/^event: stream\.started\ndata: /),
    printed: "stream.started\n",
  },
  readMetrics: { text: expect.stringMatching(/^# /), printed: expect.stringMatching(/^# /) },
};

let gateway: InProcessGateway;
let folder: string;
let keyId: string;
let session: string;
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

/** A gateway that checks vectors. It is not the one above, whose usage the samples show. */
let checking: { readonly gateway: InProcessGateway; readonly storage: Storage; readonly space: string };
beforeAll(async () => {
  const opened: { storage?: Storage } = {};
  const started = await startGateway(`${defaultConfig}\ndrift: { every: 7d }\n`, {
    openStorage: async (config, log) => {
      opened.storage = await openStorage(config, log);
      return opened.storage;
    },
  });
  const headers = { authorization: `Bearer ${testAdminKey}` };
  const response = await started.send("/admin/v1/models", { headers });
  const { data } = (await response.json()) as Schemas["AdminModelList"];
  const space = data.find(({ id }) => id === "gte-small")?.space?.id ?? "";
  checking = { gateway: started, storage: opened.storage as Storage, space };
});
afterAll(() => checking.gateway.stop());

/** Other vectors than ever before, as if the upstream had changed its model. The first may become the reference. */
async function drift(): Promise<void> {
  const target = { space: checking.space, upstream: "local", model: "gte-small", inputType: "" };
  for (const _ of ["before", "after"]) {
    drifts += 1;
    const vectors = probeTexts.map((_, row) =>
      Float32Array.from({ length: 384 }, (_, column) => Math.sin(drifts * (row + column + 1))),
    );
    await checking.storage.spaces.record(target, vectors);
  }
}
let drifts = 0;

beforeEach(async () => {
  keyId = await createKey();
  session = await createSession();
  folder = await mkdtemp(join(tmpdir(), "samples-"));
  await symlink(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
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

test("the JavaScript and Python in the guide on clients are samples", async () => {
  const guide = await readFile(join(import.meta.dirname, "../../../docs/guides/clients.md"), "utf8");
  const blocks = [...guide.matchAll(/^```(?:js|python)\n(.*?)^```$/gms)].map(([, text]) => text);
  const files = await readdir(samplesFolder, { recursive: true });
  const samples = await Promise.all(
    files
      .filter((file) => /\.(mjs|py)$/.test(file))
      .map((file) => readFile(join(samplesFolder, file), "utf8")),
  );

  expect(blocks.length).toBeGreaterThan(2);
  expect(blocks.filter((block) => !samples.includes(block ?? ""))).toEqual([]);
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

  test("the Python sample runs, and prints or writes what it got", async (context) => {
    const cannotRun = whyPythonCannotRun(await readSample(id, "python.py"));
    context.skip(cannotRun !== undefined, cannotRun);
    if (result.written !== "fox.png") await writeImage("fox.png");

    const printed = await runSample(id, { file: "python.py", program: python ?? "" });

    expect(printed).toEqual(result.python ?? result.printed);
    if (result.written !== undefined) expect(await writtenFormat(result)).toBe("png");
  });

  test("the Python sample speaks of the same address and model as that in curl", async () => {
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

async function createSession(): Promise<string> {
  const headers = { authorization: `Bearer ${testAdminKey}` };
  const response = await gateway.send("/admin/v1/sessions", { method: "POST", headers });
  return ((await response.json()) as { value: string }).value;
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
  tokensEstimated: false,
  cachedInputs: 0,
  savedNanos: 0,
};

async function readSample(id: OperationId, file: string): Promise<string> {
  return readFile(join(samplesFolder, id, file), "utf8");
}

/** Runs a sample as a reader would, in a folder of its own, with nothing changed but the address. */
async function runSample(
  id: OperationId,
  { file, program }: { file: string; program: string },
): Promise<string> {
  if (id === "acceptSpace") await drift();
  const sample = (await readSample(id, file)).replaceAll(addressInSamples, urlFor(id));
  await writeFile(join(folder, file), sample);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GATEWAY_KEY: testKey,
    GATEWAY_ADMIN_KEY: testAdminKey,
    KEY_ID: keyId,
    REQUEST_ID: refusedRequest.id,
    GATEWAY_SESSION: session,
  };
  const { stdout } = await run(program, [file], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

function urlFor(id: OperationId): string {
  return id === "acceptSpace" ? checking.gateway.url : gateway.url;
}

async function writtenFormat({ written = "" }: SampleResult): Promise<string | undefined> {
  return (await sharp(join(folder, written)).metadata()).format;
}

async function writeImage(name: string): Promise<void> {
  const create = { width: 64, height: 64, channels: 3 as const, background: "orange" };
  await sharp({ create }).png().toFile(join(folder, name));
}
