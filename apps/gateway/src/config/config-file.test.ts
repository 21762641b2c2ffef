import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stampOf, watchConfigFile } from "./config-file.js";

function createFixture() {
  const folder = mkdtempSync(join(tmpdir(), "config-file-"));
  const over = new AbortController();
  onTestFinished(() => {
    over.abort();
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, "gateway.yaml");
  let changes = 0;
  const onChange = () => {
    changes += 1;
  };
  const watch = (stamp = stampOf(file)) =>
    void watchConfigFile({ file, stamp, everyMs: 5, onChange, signal: over.signal });
  return { folder, file, watch, changes: () => changes };
}

test("what changed after the file was read is seen, though nobody was watching yet", async () => {
  const { file, watch, changes } = createFixture();
  writeFileSync(file, "one");
  const stamp = stampOf(file);
  writeFileSync(file, "another");

  watch(stamp);

  await expect.poll(changes).toBe(1);
});

test("a file that is replaced is seen once, and not while it is gone", async () => {
  const { folder, file, watch, changes } = createFixture();
  writeFileSync(file, "one");
  watch();

  rmSync(file);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(changes()).toBe(0);
  writeFileSync(join(folder, "next"), "two");
  renameSync(join(folder, "next"), file);

  await expect.poll(changes).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(changes()).toBe(1);
});
