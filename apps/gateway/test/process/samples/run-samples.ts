import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { defaultConfig } from "@model-gateway/config/default-config";
import type { OperationId, Schemas } from "@model-gateway/domain/operations";
import { newId } from "@model-gateway/runtime/new-id";
import { probeTexts } from "@model-gateway/vector-check/probes";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Storage } from "../../../src/storage/open-storage.js";
import { emptyRow } from "../../../src/usage/ledger/ledger-columns.js";
import type { LedgerRow } from "../../../src/usage/ledger/ledger-store.js";
import { type InProcessGateway, openTestStorage, startGateway } from "../../gateway/in-process.js";
import { testAdminKey, testKey } from "../../gateway/test-gateway.js";
import { curlIsMissing } from "../curl.js";
import { python, whyPythonCannotRun } from "../python.js";
import { Interpreter } from "./interpreter.js";
import { results, type SampleResult } from "./sample-results.js";

export type SampleFile = "curl.sh" | "javascript.mjs" | "python.py";

const run = promisify(execFile);
export const addressInSamples = "http://127.0.0.1:8080";
const documentPath = fileURLToPath(import.meta.resolve("@model-gateway/spec/openapi.json"));
export const samplesFolder = join(dirname(documentPath), "../samples");

interface SampledOperation {
  readonly operationId?: string;
  readonly "x-codeSamples"?: readonly { readonly lang: string; readonly source: string }[];
}

const document: { readonly paths: Readonly<Record<string, Readonly<Record<string, SampledOperation>>>> } =
  JSON.parse(readFileSync(documentPath, "utf8"));
export const languages: Readonly<Record<SampleFile, string>> = {
  "curl.sh": "Shell",
  "javascript.mjs": "JavaScript",
  "python.py": "Python",
};

const besideThis = (file: string) => join(import.meta.dirname, file);
let javascript: Interpreter;
let pythonProcess: Interpreter | undefined;
beforeAll(() => {
  javascript = new Interpreter([process.execPath, besideThis("run-javascript.mjs")]);
});
afterAll(async () => {
  await javascript.close();
  await pythonProcess?.close();
});

let gateway: InProcessGateway;
let folder: string;
let keyId: string;
let jobId: string;
let session: string;
let fileId: string;
let batchId: string;
const sampled: { storage?: Storage } = {};
beforeAll(async () => {
  gateway = await startGateway(defaultConfig, {
    openStorage: async (config, log) => {
      sampled.storage = await openTestStorage(config, log);
      return sampled.storage;
    },
  });
  await sampled.storage?.ledger.add([refusedRequest]);
  jobId = await createJob();
});
afterAll(() => gateway.stop());

/** A gateway that checks vectors. It is not the one above, whose usage the samples show. */
let checking: { readonly gateway: InProcessGateway; readonly storage: Storage; readonly space: string };
beforeAll(async () => {
  const opened: { storage?: Storage } = {};
  const started = await startGateway(`${withSecondTarget(defaultConfig)}\ndrift: { every: 7d }\n`, {
    openStorage: async (config, log) => {
      opened.storage = await openTestStorage(config, log);
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

/** Two targets to compare. */
function withSecondTarget(yaml: string): string {
  const target = "      - { upstream: local, model: gte-small }\n";
  return yaml
    .replace("upstreams:\n", "upstreams:\n  second: { provider: local }\n")
    .replace(target, `${target}${target.replace("local", "second")}`);
}

/** Other vectors than ever before, as if the upstream had changed its model. The first may become the reference. */
async function drift(): Promise<void> {
  const target = { space: checking.space, upstream: "local", model: "gte-small", inputType: "" };
  for (const _ of ["before", "after"]) {
    drifts += 1;
    const texts = probeTexts.map((_, row) =>
      Float32Array.from({ length: 384 }, (_, column) => Math.sin(drifts * (row + column + 1))),
    );
    await checking.storage.spaces.record(target, { texts, images: undefined });
  }
}
let drifts = 0;

beforeEach(async ({ task }) => {
  const operation = task.suite?.name ?? "";
  keyId = await createKey();
  session = await createSession();
  folder = await mkdtemp(join(tmpdir(), "samples-"));
  await writeFile(join(folder, "requests.jsonl"), requests);
  // A key may have so many files and batches, and no more.
  fileId = /File|Batch/.test(operation) ? await uploadFile() : "";
  batchId = /Batch/.test(operation) ? await createBatch() : "";
  await symlink(join(import.meta.dirname, "../../../node_modules"), join(folder, "node_modules"));
  // Without it, curl exits with 0 after an error response.
  await writeFile(join(folder, ".curlrc"), "silent\nshow-error\nfail-with-body\n");
  return async () => {
    await rm(folder, { recursive: true, force: true });
    if (fileId !== "") await deleteFile();
  };
});

/** Runs the samples of an operation in every language. */
export function testSamples(id: OperationId): void {
  const result = results[id];

  test.skipIf(curlIsMissing)("the curl sample gets its response", async () => {
    if (result.response !== undefined) await writeImage("fox.png");

    const printed = await runSample(id, "curl.sh");

    if (result.text !== undefined) expect(printed).toEqual(result.text);
    else if (result.response !== undefined) expect(JSON.parse(printed)).toMatchObject(result.response);
    else expect(await writtenFormat(result)).toBe("png");
  });

  test("the JavaScript sample runs, and prints or writes its result", async () => {
    if (result.written !== "fox.png") await writeImage("fox.png");

    const printed = await runSample(id, "javascript.mjs");

    expect(printed).toEqual(result.printed);
    if (result.written !== undefined) {
      expect(await writtenFormat(result)).toBe("png");
    }
  });

  test("the Python sample runs, and prints or writes its result", async (context) => {
    const cannotRun = whyPythonCannotRun(readSample(id, "python.py"));
    context.skip(cannotRun !== undefined, cannotRun);
    if (result.written !== "fox.png") await writeImage("fox.png");

    const printed = await runSample(id, "python.py");

    if (existsSync(join(samplesFolder, id, "python.py")))
      expect(printed).toEqual(result.python ?? result.printed);
    else expect(JSON.parse(printed)).toMatchObject(result.response ?? {});
    if (result.written !== undefined) expect(await writtenFormat(result)).toBe("png");
  });
}

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

/** The input of a batch. */
const requests = `${JSON.stringify({
  custom_id: "one",
  method: "POST",
  url: "/v1/embeddings",
  body: { model: "gte-small", input: "a" },
})}\n`;

/** A batch that no gateway runs, so that it can be cancelled. */
async function createBatch(): Promise<string> {
  const createdAt = Date.now();
  const id = newId("batch_");
  const batch = {
    id,
    keyId: "config:tester",
    keyName: "tester",
    endpoint: "/v1/embeddings",
    inputFileId: fileId,
    site: "elsewhere",
    origin: gateway.url,
    metadata: null,
    outputTtlMs: null,
    createdAt,
    expiresAt: createdAt + 86_400_000,
    reservedBytes: 0,
  } as const;
  const quotas = { keyBytesMax: 1e9, keyFilesMax: 1000, storeBytesMax: 1e9 };
  await sampled.storage?.batches.create(batch, { quotas, activeMax: 1000 });
  return id;
}

async function uploadFile(): Promise<string> {
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("file", new Blob([requests]), "requests.jsonl");
  const headers = { authorization: `Bearer ${testKey}` };
  const response = await gateway.send("/v1/files", { method: "POST", body: form, headers });
  return ((await response.json()) as { id: string }).id;
}

/** A sample may have deleted it. */
async function deleteFile(): Promise<void> {
  await gateway.send(`/v1/files/${fileId}`, { method: "DELETE" });
}

/** A job that is complete. */
async function createJob(): Promise<string> {
  const body = { model: "local-sketch", prompt: "a red fox in the snow" };
  const headers = { prefer: "respond-async" };
  const response = await gateway.sendJson("/v1/images/generations", body, { headers });
  const { id } = (await response.json()) as Schemas["Job"];
  await gateway.send(`/v1/jobs/${id}`, { headers: { prefer: "wait=60" } });
  return id;
}

/** Rows for the usage and request samples. */
const refusedRequest: LedgerRow = {
  ...emptyRow,
  id: "req_sample",
  at: Date.now(),
  keyId: "config:tester",
  keyName: "tester",
  operation: "createEmbedding",
  model: "gte-small",
  status: 429,
  costNanos: null,
  ms: 1,
  requestBytes: 1,
  responseBytes: 1,
  errorCode: "rate_limit_exceeded",
};

/** A sample as the document shows it. It is in the folder, or follows from the operation. */
export function readSample(id: OperationId, file: SampleFile): string {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const { "x-codeSamples": samples = [] } = operations.find(({ operationId }) => operationId === id) ?? {};
  return samples.find(({ lang }) => lang === languages[file])?.source ?? "";
}

/** Runs a sample as a reader would, in a new folder, with nothing changed but the address. */
async function runSample(id: OperationId, file: SampleFile): Promise<string> {
  if (id === "acceptSpace") await drift();
  return runText(file, readSample(id, file).replaceAll(addressInSamples, urlFor(id)));
}

/** Runs JavaScript of a guide. */
export function runGuideBlock(text: string): Promise<string> {
  return runText("javascript.mjs", text.replaceAll(addressInSamples, gateway.url));
}

async function runText(file: SampleFile, text: string): Promise<string> {
  await writeFile(join(folder, file), text);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GATEWAY_KEY: testKey,
    GATEWAY_ADMIN_KEY: testAdminKey,
    KEY_ID: keyId,
    JOB_ID: jobId,
    REQUEST_ID: refusedRequest.id,
    FILE_ID: fileId,
    BATCH_ID: batchId,
    GATEWAY_SESSION: session,
  };
  if (file === "javascript.mjs") return javascript.run({ folder, file, env });
  if (file === "python.py") {
    pythonProcess ??= new Interpreter([python ?? "", besideThis("run-python.py")]);
    return pythonProcess.run({ folder, file, env });
  }
  const { stdout } = await run("sh", [file], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

function urlFor(id: OperationId): string {
  return id === "acceptSpace" || id === "compareTargets" ? checking.gateway.url : gateway.url;
}

async function writtenFormat({ written = "" }: SampleResult): Promise<string | undefined> {
  return (await sharp(join(folder, written)).metadata()).format;
}

async function writeImage(name: string): Promise<void> {
  const create = { width: 64, height: 64, channels: 3 as const, background: "orange" };
  await sharp({ create }).png().toFile(join(folder, name));
}
