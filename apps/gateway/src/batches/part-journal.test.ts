import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskFull } from "@model-gateway/domain/errors";
import { ManualClock } from "@model-gateway/runtime/test/clocks";
import { beforeEach, expect, test } from "vitest";
import type { FileStore } from "../files/file-store.js";
import { openDiskFileStore } from "../storage/files/disk-file-store.js";
import type { BatchPart } from "./batch.js";
import { PartJournal } from "./part-journal.js";

const part: BatchPart = {
  id: "batch_0:3",
  batchId: "batch_0",
  number: 3,
  start: 0,
  end: 1000,
  firstLine: 1,
  lines: 256,
  pending: null,
  segments: [],
  attempts: 1,
};
const again = { ...part, attempts: 2 };

let dataDir: string;
let files: FileStore;
let clock: ManualClock;
let isFull: boolean;
let warnings: string[];
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "journal-"));
  clock = new ManualClock();
  isFull = false;
  warnings = [];
  const checkRoom = () => {
    if (isFull) throw diskFull();
  };
  files = await openDiskFileStore({ dataDir, disk: { checkRoom }, self: { id: 1, isAlive: () => true } });
  return () => rmSync(dataDir, { recursive: true });
});
const names = () => readdirSync(join(dataDir, "files")).filter((name) => !name.endsWith(".part"));
const pathOf = (name: string) => join(dataDir, "files", name);
const open = (of: BatchPart, changes: Partial<FileStore> = {}) => {
  const { create, read, delete: remove } = files;
  const bound = { create: create.bind(files), read: read.bind(files), delete: remove.bind(files) };
  const log = { warn: (...said: unknown[]) => void warnings.push(String(said.at(-1))) };
  return new PartJournal(of, { files: { ...bound, ...changes }, clock, log: log as never });
};
const entryOf = (line: number, status = 200) => ({
  line,
  response: { status, headers: {}, body: Buffer.from(`{"line":\n${line},"text":"é"}`) },
});

/** Lines that end together, in one file. */
async function keep(journal: PartJournal, ...lines: number[]): Promise<void> {
  const before = names().length;
  for (const line of lines) journal.add(entryOf(line, line === 2 ? 400 : 200));
  await clock.runUntil(() => names().length > before);
}

async function found(of = again): Promise<string[]> {
  const responses = await open(of).read();
  return [...responses].map(([line, { status, body }]) => `${line} ${status} ${body}`);
}
const one = '1 200 {"line": 1,"text":"é"}';
const two = '2 400 {"line": 2,"text":"é"}';
const three = '3 200 {"line": 3,"text":"é"}';

test("responses are found by the next run, and by the one after it", async () => {
  await keep(open(part), 1, 2);
  expect(await found()).toEqual([one, two]);

  const second = open(again);
  await second.read();
  await keep(second, 3);

  expect(await found({ ...part, attempts: 3 })).toEqual([one, two, three]);
  expect(warnings).toEqual([]);
});

test("a first run finds nothing, and neither does a run after stored results", async () => {
  await keep(open(part), 1);

  expect(await found(part)).toEqual([]);
  expect(await found({ ...again, segments: [{ fileId: "part-1", outputBytes: 1, errorBytes: 0 }] })).toEqual(
    [],
  );
});

test("a part that ends at once writes no file", async () => {
  const journal = open(part);
  journal.add(entryOf(1));
  await journal.close();

  journal.add(entryOf(2));
  await journal.close();

  expect(names()).toEqual([]);
});

test("the files of all runs are deleted", async () => {
  await keep(open(part), 1);
  const journal = open(again);
  await journal.read();
  await keep(journal, 2);
  expect(names()).toHaveLength(2);
  await journal.close();

  await journal.delete();

  expect(names()).toEqual([]);
});

test("wherever a file was cut, only the response that was cut is lost", async () => {
  await keep(open(part), 1, 2);
  const [name = ""] = names();
  const whole = readFileSync(pathOf(name));
  const first = whole.indexOf("\n");

  for (let length = 0; length < whole.length; length += 1) {
    writeFileSync(pathOf(name), whole.subarray(0, length));
    warnings = [];

    expect(await found()).toEqual(length < first ? [] : length < whole.length - 1 ? [one] : [one, two]);
    // A cut between two lines shows nowhere.
    const isBetween = length === 0 || length === first || length === first + 1 || length === whole.length - 1;
    expect(warnings).toHaveLength(isBetween ? 0 : 1);
  }
});

test("a damaged response is left out with a warning, whichever byte is wrong", async () => {
  await keep(open(part), 1, 2);
  const [name = ""] = names();
  const whole = readFileSync(pathOf(name));
  const first = whole.indexOf("\n");

  for (let at = 0; at < first; at += 1) {
    const damaged = Buffer.from(whole);
    damaged[at] = 0;
    writeFileSync(pathOf(name), damaged);
    warnings = [];

    expect(await found()).toEqual([two]);
    expect(warnings).toEqual(["Results of a batch are damaged. Their lines run again."]);
  }
});

test("a file that is something else, or cannot be read, is left out with a warning", async () => {
  await keep(open(part), 1);
  const [name = ""] = names();
  writeFileSync(pathOf(name), Buffer.alloc(10_000));
  expect(await found()).toEqual([]);

  rmSync(pathOf(name));
  const read = () => Promise.reject(new Error("EIO"));
  expect(await open(again, { read }).read()).toEqual(new Map());

  expect(warnings).toEqual([
    "Results of a batch are damaged. Their lines run again.",
    "Results of a batch cannot be read. Their lines run again.",
  ]);
});

test("a run does not begin while the store is down", async () => {
  const read = () => Promise.reject(diskFull());

  await expect(open(again, { read }).read()).rejects.toMatchObject({ status: 503 });
});

test("responses wait for room on a full disk", async () => {
  const journal = open(part);
  isFull = true;
  journal.add(entryOf(1));
  const before = clock.now();
  await clock.runUntil(() => clock.now() > before + 20_000);
  expect(names()).toEqual([]);

  isFull = false;
  await keep(journal, 2);

  expect(await found()).toEqual([one, two]);
  expect(warnings).toEqual([]);
});

test("a disk that fails otherwise is tried once, with one warning", async () => {
  let attempts = 0;
  const create = () => {
    attempts += 1;
    return Promise.reject(new Error("EIO"));
  };
  const journal = open(part, { create });
  journal.add(entryOf(1));
  await clock.runUntil(() => warnings.length > 0);

  journal.add(entryOf(2));
  await journal.close();

  expect(attempts).toBe(1);
  expect(warnings).toEqual(["Results of a running batch cannot be kept: a crash repeats its lines."]);
});
