import fs, { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  atomicWriteBytes,
  createLog,
  createRequestLog,
  type FinishedLogEntry,
  type LoggedSummary,
  openLogDestination,
} from "./log.js";

const finished = (id: string): FinishedLogEntry => ({
  arrival: { id, clientRequestId: undefined },
  summary: { requestBytes: 1, responseBytes: 2 } as LoggedSummary,
  method: "POST",
  url: "/v1/embeddings",
  status: 200,
  ms: 1.26,
});

function openFile() {
  const folder = mkdtempSync(join(tmpdir(), "log-"));
  const file = join(folder, "log");
  const descriptor = openSync(file, "a");
  onTestFinished(() => {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });
  const lines = () => readFileSync(file, "utf8").split("\n").slice(0, -1);
  return { descriptor, lines };
}

test("a failure has its stack, unless the disk is full, which needs none", () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) }, new SecretFilter([]));
  const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
  const database = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });

  log.error({ err: new TypeError("a mistake") }, "one");
  log.error({ err: full }, "two");
  log.error({ err: new Error("It cannot be opened.", { cause: database }) }, "three");

  const failures = lines.map((line) => JSON.parse(line).err);
  expect(failures).toEqual([
    { type: "TypeError", message: "a mistake", stack: expect.stringContaining("log.test.ts") },
    { type: "Error", message: "no space left", code: "ENOSPC" },
    { type: "Error", message: "It cannot be opened.: database or disk is full" },
  ]);
});

test("a finished request is one line without its undefined fields", () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };

  createRequestLog(
    createLog("info", destination, new SecretFilter()),
    destination,
    new SecretFilter(),
  )(finished("first"));

  const [{ time, ...rest }] = lines.map((line) => JSON.parse(line));
  expect(Date.now() - Date.parse(time)).toBeLessThan(60_000);
  expect(rest).toEqual({
    level: "info",
    id: "first",
    requestBytes: 1,
    responseBytes: 2,
    method: "POST",
    status: 200,
    ms: 1.3,
    msg: "request",
  });
  expect(lines[0]).toMatch(/^\{"level":"info","time":"[^"]+","id":"first",.*\}\n$/);
});

test("a log above info gets no line", () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };

  createRequestLog(
    createLog("warn", destination, new SecretFilter()),
    destination,
    new SecretFilter(),
  )(finished("first"));

  expect(lines).toEqual([]);
});

test("the line of a bulk request says so", () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const { summary, ...rest } = finished("first");

  createRequestLog(
    createLog("info", destination, new SecretFilter()),
    destination,
    new SecretFilter(),
  )({
    summary: { ...summary, bulk: { place: 3 } },
    ...rest,
  });

  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ id: "first", priority: "bulk" });
});

test("lines are buffered for a moment and then written in order, without another line to push them", async () => {
  const { descriptor, lines } = openFile();
  const log = createLog(
    "info",
    openLogDestination({ dest: descriptor, writeBytesMax: atomicWriteBytes }),
    new SecretFilter(),
  );

  log.info("first");
  log.warn("second");
  expect(lines()).toEqual([]);

  await expect.poll(lines, { timeout: 90_000 }).toHaveLength(2);
  expect(lines().map((line) => JSON.parse(line).msg)).toEqual(["first", "second"]);
});

test("a burst is written in whole lines, no write longer than a pipe takes atomically", async () => {
  const { descriptor, lines } = openFile();
  const writes = vi.spyOn(fs, "write");
  onTestFinished(() => writes.mockRestore());
  const destination = openLogDestination({ dest: descriptor, writeBytesMax: atomicWriteBytes });
  const logRequest = createRequestLog(
    createLog("info", destination, new SecretFilter()),
    destination,
    new SecretFilter(),
  );

  const ids = Array.from({ length: 256 }, (_, number) => String(number));
  for (const id of ids) logRequest(finished(id));

  await expect.poll(lines, { timeout: 90_000 }).toHaveLength(256);
  expect(lines().map((line) => JSON.parse(line).id)).toEqual(ids);
  const texts = writes.mock.calls.flatMap(([target, text]) => (target === descriptor ? [String(text)] : []));
  expect(texts.length).toBeGreaterThan(1);
  expect(texts.filter((text) => text.length > atomicWriteBytes || !/^$|\n$/.test(text))).toEqual([]);
});

test("buffered lines are written at once when the process exits", () => {
  const { descriptor, lines } = openFile();
  const destination = openLogDestination({ dest: descriptor });
  const log = createLog("info", destination, new SecretFilter());

  log.info("last");
  destination.flushSync();

  expect(lines().map((line) => JSON.parse(line).msg)).toEqual(["last"]);
});

test("no line has a secret, from an error with its causes or from a failed request", () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const secrets = new SecretFilter(["sk-upstream-0123456789"]);
  const log = createLog("info", destination, secrets);
  const { summary, ...rest } = finished("first");

  const cause = new Error("cause with sk-upstream-0123456789");
  log.error({ err: new Error("wrong sk-upstream-0123456789", { cause }) }, "About sk-upstream-0123456789.");
  createRequestLog(
    log,
    destination,
    secrets,
  )({
    summary: { ...summary, errorCode: "model_not_found", model: "sk-upstream-0123456789" },
    ...rest,
  });

  expect(lines).toHaveLength(2);
  expect(lines.every((line) => line.endsWith("}\n"))).toBe(true);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ msg: "About (redacted)." });
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ model: "(redacted)" });
  expect(lines.join("")).not.toContain("sk-upstream");
});
