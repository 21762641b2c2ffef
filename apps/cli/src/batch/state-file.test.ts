import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { StateFile } from "./state-file.js";

const folder = mkdtempSync(join(tmpdir(), "state-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

const file = new StateFile(join(folder, "a.state"), (value): value is object => typeof value === "object");

test("one run at a time has the lock, and leaves nothing", async () => {
  const unlock = await file.lock();

  await expect(file.lock()).rejects.toThrow("The same command runs already");
  unlock();
  (await file.lock())();
  expect(readdirSync(folder)).toEqual([]);
});

test("the file of a process that has died does not block the next run", async () => {
  writeFileSync(join(folder, "a.state.lock"), "");

  (await file.lock())();

  expect(readdirSync(folder)).toEqual([]);
});
