import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { diskFull, GatewayError } from "@model-gateway/domain/errors";
import { beforeEach, expect, test } from "vitest";
import type { DetachedRequest, DetachedResponse } from "../execution/detached-request.js";
import { operationsOf, readSpec } from "../execution/validation/spec.js";
import type { FileStore } from "../files/file-store.js";
import { openDiskFileStore } from "../storage/files/disk-file-store.js";
import type { Batch, BatchPart } from "./batch.js";
import type { SavedPart } from "./batch-store.js";
import { requestIdOf } from "./line-results.js";
import { NoRoomError, type PartRunnerOptions, runPart } from "./run-part.js";
import { validateFile } from "./validate-file.js";

const { jsonShape: shape } = operationsOf(readSpec()).find(({ id }) => id === "createEmbedding") ?? {};
const lineCount = 256;
const batch = {
  id: "batch_0",
  keyId: "key",
  endpoint: "/v1/embeddings",
  origin: "http://gateway",
  inputFileId: "file-in",
} as Batch;
const input = Array.from(
  { length: lineCount },
  (_, at) =>
    `${JSON.stringify({ custom_id: `row-${at}`, method: "POST", url: "/v1/embeddings", body: { model: "m", input: "a" } })}\n`,
).join("");
const part: BatchPart = {
  id: "batch_0:0",
  batchId: "batch_0",
  number: 0,
  start: 0,
  end: input.length,
  firstLine: 1,
  lines: lineCount,
  pending: null,
  segments: [],
  attempts: 1,
};

let dataDir: string;
let store: FileStore;
let disk: { isFull: boolean };
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "parts-"));
  disk = { isFull: false };
  const checkRoom = () => {
    if (disk.isFull) throw diskFull();
  };
  store = await openDiskFileStore({ dataDir, disk: { checkRoom }, self: { id: 1, isAlive: () => true } });
  const writer = await store.create("file-in");
  await writer.write(Buffer.from(input));
  await writer.commit();
  return () => rmSync(dataDir, { recursive: true });
});

test("results are stored, and their size replaces what was reserved for them", async () => {
  const { ran, saved, options } = prepare();

  await runPart(batch, part, options);

  const [fileId = ""] = readdirSync(join(dataDir, "files")).filter((name) => name.startsWith("part-"));
  const bytes = readFileSync(join(dataDir, "files", fileId)).length;
  expect(saved).toMatchObject([{ completed: lineCount, pending: [], storedBytes: bytes, linkedBytes: 0 }]);
  expect(saved[0]?.estimatedBytes).toBeGreaterThan(bytes);
  expect(ran).toHaveLength(lineCount);
});

test("what is released is what was reserved when the file was checked", async () => {
  const { saved, options } = prepare();
  const verdict = await validateFile(Readable.from([Buffer.from(input)]), {
    endpoint: "/v1/embeddings",
    shape: options.shapeOf("/v1/embeddings"),
    widthOf: options.widthOf,
    limits: { linesMax: 1000, fileBytesMax: 1e6, inputsMax: 1000, lineBytesMax: 10_000 },
    checkModel: () => undefined,
  });

  await runPart(batch, part, options);

  expect(verdict).toMatchObject({ resultBytes: saved[0]?.estimatedBytes });
});

test.each([
  ["the lines of a part need room for their results and for the journal", lineCount, 2],
  ["a single line needs room for its result alone", 1, 1],
])("%s", async (_name, lines, copies) => {
  const { saved, options } = prepare();
  const checked: number[] = [];
  const end = input.split("\n", lines).join("\n").length;
  const checkWritable = async (bytes: number) => void checked.push(bytes);

  await runPart(batch, { ...part, lines, end }, { ...options, files: { ...bound(), checkWritable } });

  expect(checked).toEqual([copies * (saved[0]?.estimatedBytes ?? 0)]);
});

test("the lines that are left run alone, and blank ones never", async () => {
  const lines = input.split("\n").slice(0, 3);
  const text = Buffer.from(`${lines[0]}\n\n  \r\n${lines[1]}\n${lines[2]}\n`);
  const writer = await store.create("file-blank");
  await writer.write(text);
  await writer.commit();
  const blank = { ...batch, inputFileId: "file-blank" };
  const whole = { ...part, lines: 5, end: text.length };
  const all = prepare();
  const left = prepare();

  await runPart(blank, whole, all.options);
  await runPart(blank, { ...whole, pending: [{ line: 4, failures: 0 }] }, left.options);

  expect(all.ran).toEqual([1, 4, 5].map((line) => requestIdOf(batch.id, line)));
  expect(left.ran).toEqual([requestIdOf(batch.id, 4)]);
  expect([all.saved[0]?.completed, left.saved[0]?.completed]).toEqual([3, 1]);
});

test("lines that failed for now are left, with their failures, until the longest of their pauses has passed", async () => {
  const { saved, options } = prepare();
  const busy = new GatewayError("rate_limit_exceeded", "Later.", { retryAfterMs: 2500 });
  const down = new GatewayError("upstream_unavailable", "Down.", { upstream: "u", upstreamStatus: 503 });
  const failures = new Map([
    [requestIdOf(batch.id, 1), down],
    [requestIdOf(batch.id, 2), down],
    [requestIdOf(batch.id, 3), busy],
  ]);
  const run: PartRunnerOptions["run"] = async (request) => {
    const error = failures.get(request.requestId);
    if (error === undefined) return options.run(request);
    expect(request.runsAgain?.(error)).toBe(true);
    return { status: error.status, headers: {}, body: Buffer.from("{}"), error };
  };
  const pending = [
    { line: 1, failures: 3 },
    { line: 2, failures: 0 },
    { line: 3, failures: 5 },
    { line: 4, failures: 2 },
  ];

  const { keyRefused } = await runPart(batch, { ...part, pending }, { ...options, run, now: () => 500 });

  expect(keyRefused).toBeUndefined();
  expect(saved).toMatchObject([{ completed: 1, failed: 0, resumeAt: 500 + 8000 }]);
  expect(saved[0]?.pending).toEqual([
    { line: 1, failures: 4 },
    { line: 2, failures: 1 },
    { line: 3, failures: 5 },
  ]);
});

test("no pause is longer than a minute, and an upstream's own is kept where it is longer than the backoff", async () => {
  const pauseAfter = async (failures: number, retryAfterMs: number) => {
    const { saved, options } = prepare();
    const error = new GatewayError("upstream_unavailable", "Down.", {
      upstream: "u",
      upstreamStatus: 503,
      retryAfterMs,
    });
    const run: PartRunnerOptions["run"] = async (request) => {
      request.runsAgain?.(error);
      return { status: 503, headers: {}, body: Buffer.from("{}"), error };
    };
    await runPart(batch, { ...part, pending: [{ line: 1, failures }] }, { ...options, run });
    return saved[0]?.resumeAt;
  };

  expect(await pauseAfter(0, 0)).toBe(1000);
  expect(await pauseAfter(0, 5000)).toBe(5000);
  expect(await pauseAfter(6, 5000)).toBe(60_000);
});

test("a part of which nothing has ended stores no file, and does not say that its lines ran", async () => {
  const { saved, options } = prepare();
  const error = new GatewayError("rate_limit_exceeded", "Later.", { retryAfterMs: 2500 });
  const run: PartRunnerOptions["run"] = async (request) => {
    request.runsAgain?.(error);
    return { status: 429, headers: {}, body: Buffer.from("{}"), error };
  };
  const pending = [
    { line: 1, failures: 0 },
    { line: 2, failures: 0, hasRun: true as const },
  ];

  await runPart(batch, { ...part, pending }, { ...options, run });

  expect(saved).toMatchObject([{ completed: 0, storedBytes: 0, estimatedBytes: 0, resumeAt: 2500 }]);
  expect(saved[0]?.pending).toEqual(pending);
  expect(saved[0]).not.toHaveProperty("segment");
  expect(readdirSync(join(dataDir, "files"))).toEqual(["file-in"]);
});

test("a key that works no longer is told with its reason", async () => {
  const { saved, options } = prepare();
  const error = new GatewayError("invalid_api_key", "The key was revoked.");
  const second = requestIdOf(batch.id, 2);
  const run: PartRunnerOptions["run"] = async (request) => {
    if (request.requestId !== second) return options.run(request);
    request.runsAgain?.(error);
    return { status: 401, headers: {}, body: Buffer.from("{}"), error };
  };

  const end = await runPart(batch, part, { ...options, run });

  expect(end).toEqual({ keyRefused: "The key was revoked." });
  expect(saved[0]?.pending).toEqual([{ line: 2, failures: 0 }]);
});

test("results in the output and in the error file count in what is stored", async () => {
  const { saved, options } = prepare();
  const third = requestIdOf(batch.id, 3);
  const error = new GatewayError("invalid_value", "Too wide.");
  const run: PartRunnerOptions["run"] = async (request) => {
    if (request.requestId !== third) return options.run(request);
    request.runsAgain?.(error);
    return { status: 400, headers: {}, body: Buffer.from('{"error":{}}'), error };
  };

  await runPart(batch, part, { ...options, run });

  expect(saved).toMatchObject([
    { completed: lineCount - 1, failed: 1, storedBytes: Buffer.byteLength(textsOf("part-")) },
  ]);
});

test.each([
  ["of another kind", new TypeError("a fault")],
  ["of the gateway itself", new GatewayError("internal_error", "a fault")],
])("a failure %s while results are stored is an error, and leaves no draft", async (_name, failure) => {
  const { saved, options } = prepare();
  const create: FileStore["create"] = async (...named) => {
    const writer = await store.create(...named);
    return {
      write: () => Promise.reject(failure),
      commit: () => writer.commit(),
      abort: () => writer.abort(),
    };
  };

  const running = runPart(batch, part, { ...options, files: { ...bound(), create } });

  await expect(running).rejects.toThrow("a fault");

  expect(saved).toEqual([]);
  expect(readdirSync(join(dataDir, "files"))).toEqual(["file-in"]);
});

test("results are in the order of the file, although a limit let a line in the middle pass last", async () => {
  const { ran, saved, options } = prepare();
  const late = requestIdOf(batch.id, 128);
  const limited: PartRunnerOptions["run"] = async (request) => {
    if (request.requestId !== late || ran.includes(late)) return options.run(request);
    ran.push(late);
    const error = new GatewayError("rate_limit_exceeded", "Later.", { retryAfterMs: 1000 });
    expect(request.runsAgain?.(error)).toBe(true);
    return { status: 429, headers: {}, body: Buffer.from("{}"), error };
  };

  await runPart(batch, part, { ...options, run: limited });

  const [fileId = ""] = readdirSync(join(dataDir, "files")).filter((name) => name.startsWith("part-"));
  const results = readFileSync(join(dataDir, "files", fileId), "utf8")
    .trim()
    .split("\n");
  expect(ran).toHaveLength(lineCount + 1);
  expect(saved).toMatchObject([{ completed: lineCount, pending: [] }]);
  expect(results.map((text) => JSON.parse(text).custom_id)).toEqual(
    Array.from({ length: lineCount }, (_, at) => `row-${at}`),
  );
});

test("a part that was cut off runs again without the lines that had ended", async () => {
  const endedLines = 100;
  const refused = requestIdOf(batch.id, 7);
  const endedIds = Array.from({ length: endedLines }, (_, at) => requestIdOf(batch.id, at + 1));
  const cut = prepare({ writesJournal: true });
  const run: PartRunnerOptions["run"] = async (request) => {
    if (!endedIds.includes(request.requestId)) return new Promise(() => undefined);
    if (request.requestId !== refused) return cut.options.run(request);
    const error = new GatewayError("invalid_value", "Too wide.");
    expect(request.runsAgain?.(error)).toBe(false);
    return { status: 400, headers: {}, body: Buffer.from('{\n  "error": {}\n}'), error };
  };
  void runPart(batch, part, { ...cut.options, run });
  await expect.poll(() => textsOf("part-").split("\n").length - 1).toBe(endedLines);

  const again = prepare();
  await runPart(batch, { ...part, attempts: 2 }, again.options);

  expect(again.ran).toHaveLength(lineCount - endedLines);
  expect(again.ran.filter((id) => endedIds.includes(id))).toEqual([]);
  expect(again.saved).toMatchObject([
    { completed: lineCount - 1, failed: 1, pending: [], tokens: { input: 2 * (lineCount - 1), output: 0 } },
  ]);
  const results = textsOf("part-").trim().split("\n");
  const others = Array.from({ length: lineCount }, (_, at) => `row-${at}`).filter((id) => id !== "row-6");
  expect(results.map((text) => JSON.parse(text).custom_id)).toEqual([...others, "row-6"]);
  expect(JSON.parse(results.at(-1) ?? "")).toMatchObject({
    response: { status_code: 400, body: { error: {} } },
  });
});

test("responses outlast a disk that is full until the part runs again", async () => {
  const last = requestIdOf(batch.id, lineCount);
  const { saved, options } = prepare({ writesJournal: true });
  const run: PartRunnerOptions["run"] = async (request) => {
    const response = await options.run(request);
    // The last line ends when the others are in the journal.
    if (request.requestId !== last) return response;
    await expect.poll(() => textsOf("part-").split("\n").length).toBe(lineCount);
    disk.isFull = true;
    return response;
  };
  await runPart(batch, part, { ...options, run });
  expect(saved[0]?.pending).toHaveLength(lineCount);
  disk.isFull = false;

  const again = prepare();
  await runPart(batch, { ...part, attempts: 2, pending: saved[0]?.pending ?? null }, again.options);

  expect(again.ran).toEqual([last]);
  expect(again.saved).toMatchObject([{ completed: lineCount, pending: [] }]);
});

test("no line runs while its result would have no room", async () => {
  const { ran, saved, options } = prepare();
  disk.isFull = true;

  await expect(runPart(batch, part, options)).rejects.toThrow(NoRoomError);

  expect([ran, saved]).toEqual([[], []]);
});

test("results wait for room on a disk that becomes full while their lines run", async () => {
  const { ran, saved, options, waits } = prepare({ onRun: () => (disk.isFull = true) });
  waits.push(
    () => undefined,
    () => (disk.isFull = false),
  );

  await runPart(batch, part, options);

  expect(ran).toHaveLength(lineCount);
  expect(saved).toMatchObject([{ completed: lineCount, failed: 0, pending: [] }]);
});

test("lines whose results have no room to the end are not done, and are known to have run", async () => {
  const { ran, saved, options } = prepare({ onRun: () => (disk.isFull = true) });

  await runPart(batch, part, options);

  expect(ran).toHaveLength(lineCount);
  expect(saved).toMatchObject([{ completed: 0, failed: 0, storedBytes: 0, estimatedBytes: 0 }]);
  expect(saved[0]?.pending).toEqual(
    Array.from({ length: lineCount }, (_, at) => ({ line: at + 1, failures: 0, hasRun: true })),
  );
  disk.isFull = false;
  const again = prepare();
  await runPart(batch, { ...part, pending: saved[0]?.pending ?? null }, again.options);
  expect(again.saved).toMatchObject([{ completed: lineCount, pending: [] }]);
});

test("a gateway that stops does not wait for room", async () => {
  const closing = new AbortController();
  const { saved, options, waits } = prepare({
    onRun: () => (disk.isFull = true),
    signal: closing.signal,
  });
  waits.push(() => closing.abort());

  await runPart(batch, part, options);

  expect(waits).toEqual([]);
  expect(saved[0]?.pending).toHaveLength(lineCount);
});

test("results are recorded once the database is back", async () => {
  const { saved, options, waits } = prepare();
  let isDown = true;
  waits.push(() => (isDown = false));
  const savePart: PartRunnerOptions["store"]["savePart"] = async (...saving) => {
    if (isDown) throw diskFull();
    return options.store.savePart(...saving);
  };

  await runPart(batch, part, { ...options, store: { savePart } });

  expect(saved).toMatchObject([{ completed: lineCount }]);
});

test("images behind links count beside the results", async () => {
  const image = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(1000)]);
  const usage = { input_tokens: 5, output_tokens: 7 };
  const reply = JSON.stringify({ created: 1, usage, data: [{ b64_json: image.toString("base64") }] });
  const url = "/v1/images/generations";
  const body = { model: "m", prompt: "a", response_format: "url" };
  const text = Buffer.from(JSON.stringify({ custom_id: "a", method: "POST", url, body }));
  const writer = await store.create("file-images");
  await writer.write(text);
  await writer.commit();
  const { saved, options } = prepare({ reply });
  const images = {
    ...batch,
    id: `batch_${"0".repeat(32)}`,
    endpoint: url,
    inputFileId: "file-images",
  } as Batch;

  await runPart(images, { ...part, lines: 1, end: text.length }, options);

  expect(saved).toMatchObject([{ completed: 1, linkedBytes: image.length, tokens: { input: 5, output: 7 } }]);
  expect(saved[0]?.storedBytes).toBeGreaterThan(image.length + 200);
  expect(readdirSync(join(dataDir, "files"))).toContain(`image-${images.id}-1-0-${image.length}`);
});

/** The store, for a test that replaces one of its methods. */
function bound(): PartRunnerOptions["files"] {
  return {
    checkWritable: (bytes) => store.checkWritable(bytes),
    create: (...named) => store.create(...named),
    read: (...named) => store.read(...named),
    delete: (id) => store.delete(id),
  };
}

/** The texts of all files whose names begin so. */
function textsOf(start: string): string {
  const names = readdirSync(join(dataDir, "files")).filter((name) => name.startsWith(start));
  return names.map((name) => readFileSync(join(dataDir, "files", name), "utf8")).join("");
}

const noVectors = '{"object":"list","data":[],"usage":{"prompt_tokens":2,"total_tokens":2}}';

/** A runner whose lines succeed. Each wait for room takes a minute, and does the next of `waits`. */
function prepare({
  onRun = () => {},
  signal = neverAborts,
  reply = noVectors,
  writesJournal = false,
}: Hooks = {}) {
  const ran: string[] = [];
  const saved: SavedPart[] = [];
  const waits: (() => unknown)[] = [];
  let now = 0;
  const options: PartRunnerOptions = {
    store: {
      savePart: async (_part, _holder, one) => {
        saved.push(one);
        return true;
      },
    },
    files: store,
    run: async ({ requestId }: DetachedRequest): Promise<DetachedResponse> => {
      ran.push(requestId);
      onRun();
      return { status: 200, headers: {}, body: Buffer.from(reply) };
    },
    links: { files: store, signed: { sign: () => ({ path: "/", expires: 0 }) as never }, ttlMs: 1 },
    lineBytesMax: 10_000,
    shapeOf: () => shape as NonNullable<typeof shape>,
    widthOf: () => 8,
    holder: "me",
    now: () => now,
    clock: {
      now: () => now,
      wait: async (ms, closing) => {
        // The journal gathers lines until the test lets it write, or until the part ends.
        if (ms < 1000 && !writesJournal) return untilAborted(closing);
        now += 60_000;
        waits.shift()?.();
      },
    },
    log: { warn: () => undefined },
    signal,
  };
  return { ran, saved, options, waits };
}

const neverAborts = new AbortController().signal;

interface Hooks {
  readonly reply?: string;
  readonly onRun?: () => unknown;
  readonly signal?: AbortSignal;
  readonly writesJournal?: boolean;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}
