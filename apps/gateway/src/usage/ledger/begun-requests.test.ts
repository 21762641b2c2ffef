import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rowOf } from "../test/ledger-rows.js";
import { BegunRequests } from "./begun-requests.js";

let root: string;
let folder: string;
let failures: unknown[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "begun-"));
  folder = join(root, "1");
  failures = [];
});
afterEach(() => rmSync(root, { recursive: true }));

const open = (changes: { readonly folder?: string; readonly orphans?: readonly string[] } = {}) =>
  BegunRequests.open({ folder, orphans: [], onFailure: (failure) => failures.push(failure), ...changes });
const files = (of = folder) => readdirSync(join(of, "begun"));
const rows = [rowOf(1), rowOf(2), rowOf(3)] as const;
const ids = (begun: BegunRequests) => begun.abandoned.map(({ id }) => id);

test("a request that has not ended is found at the next start, as it was last noted", async () => {
  const begun = await open();
  for (const row of rows) begun.begin(row);
  begun.begin({ ...rows[0], upstream: "other" });
  begun.end(rows[1].id);
  begun.forget(rows[2].id);

  expect((await open()).abandoned).toEqual([{ ...rows[0], upstream: "other" }]);
});

test("it is found until it has its row, and counts until the store has that", async () => {
  (await open()).begin(rows[0]);
  await open();
  const begun = await open();

  begun.end(rows[0].id);

  expect(begun.unended).toEqual([]);
  expect(ids(begun)).toEqual([rows[0].id]);
  begun.noteStored([rows[0]]);
  expect(ids(begun)).toEqual([]);
  expect(ids(await open())).toEqual([]);
});

test("a second run that needs no row does not end the first one, which may be billed", async () => {
  (await open()).begin(rows[0]);
  const begun = await open();

  begun.begin(rows[0]);
  begun.forget(rows[0].id);

  expect(ids(await open())).toEqual([rows[0].id]);
});

test("requests of a process that has ended are adopted with the next line, and its folder goes", async () => {
  const orphan = join(root, "2");
  (await open({ folder: orphan })).begin(rows[0]);
  const begun = await open({ orphans: [orphan] });

  begun.begin(rows[1]);

  expect(readdirSync(orphan)).toEqual([]);
  expect(ids(await open())).toEqual([rows[0].id, rows[1].id]);
});

test("a torn line is skipped", async () => {
  const begun = await open();
  begun.begin(rows[0]);
  begun.begin(rows[1]);
  const path = join(folder, "begun", files()[0]!);
  const { size } = statSync(path);
  truncateSync(path, size - 20);

  expect(ids(await open())).toEqual([rows[0].id]);
});

test("what a full disk has not taken is written as soon as there is room", async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "begun"), "no room");
  const begun = await open();
  begun.begin(rows[0]);
  expect(failures).toHaveLength(1);
  rmSync(join(folder, "begun"));

  begun.begin(rows[1]);

  expect(failures).toHaveLength(1);
  expect(ids(await open())).toEqual([rows[0].id, rows[1].id]);
});

test("the file stays small, and goes when everything has ended", async () => {
  const begun = await open();
  begun.begin(rows[0]);
  let largest = 0;
  for (let number = 10; number < 5000; number += 1) {
    const row = rowOf(number);
    begun.begin(row);
    begun.end(row.id);
    if (number % 50 === 0) largest = Math.max(largest, statSync(join(folder, "begun", files()[0]!)).size);
  }

  expect(largest).toBeLessThan(300 * 1024);
  expect(files()).toHaveLength(1);
  expect(ids(await open())).toEqual([rows[0].id]);
  begun.end(rows[0].id);
  begun.close();
  expect(readdirSync(folder)).toEqual([]);
});
