import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { StateFile } from "./state-file.js";

const folder = mkdtempSync(join(tmpdir(), "state-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

const file = new StateFile(join(folder, "a.state"), (value): value is object => typeof value === "object");

test("one process at a time has the lock", () => {
  const unlock = file.lock();

  expect(() => file.lock()).toThrow(`The same command runs already, as the process ${process.pid}.`);
  unlock();
  file.lock()();
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ["a process that has died", String(spawnSync(process.execPath, ["-e", ""]).pid)],
  ["a process that died before it had written its number", ""],
])("the lock of %s is taken over", (_name, holder) => {
  writeFileSync(join(folder, "a.state.lock"), holder);

  file.lock()();

  expect(readdirSync(folder)).toEqual([]);
});
