import { EventEmitter, once } from "node:events";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type FileVersion, fileVersion, watchFiles } from "./file-version.js";

function createFixture() {
  const folder = mkdtempSync(join(tmpdir(), "config-file-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const watched = new Map<string, FileVersion>();
  let changes = 0;
  const watcher = new EventEmitter();
  const watch = () =>
    void watchFiles({
      files: () => watched,
      wait: async () => {
        watcher.emit("waits");
        await once(watcher, "poll");
      },
      onChange: () => {
        changes += 1;
      },
    });
  /** Runs one poll to its end. */
  const poll = async () => {
    const finished = once(watcher, "waits");
    watcher.emit("poll");
    await finished;
  };
  /** Writes a file that is read and watched from now on. */
  const addFile = (name: string) => {
    const file = join(folder, name);
    writeFileSync(file, name);
    watched.set(file, fileVersion(file));
    return file;
  };
  return { folder, watched, addFile, watch, poll, changes: () => changes };
}

test("a change between the read and the start of the watch is noticed", async () => {
  const { addFile, watch, poll, changes } = createFixture();
  const file = addFile("gateway.yaml");
  writeFileSync(file, "another");

  watch();
  await poll();

  expect(changes()).toBe(1);
});

test("a replaced file is noticed once, and a missing one is not", async () => {
  const { folder, addFile, watch, poll, changes } = createFixture();
  const file = addFile("gateway.yaml");
  watch();

  rmSync(file);
  await poll();
  expect(changes()).toBe(0);
  writeFileSync(join(folder, "next"), "two");
  renameSync(join(folder, "next"), file);
  await poll();
  expect(changes()).toBe(1);
  await poll();

  expect(changes()).toBe(1);
});

test("files that change together are one change, and a new file counts only when it changes", async () => {
  const { addFile, watched, watch, poll, changes } = createFixture();
  const files = [addFile("cert.pem"), addFile("key.pem")];
  watch();
  await poll();

  for (const file of files) writeFileSync(file, "another");
  await poll();
  expect(changes()).toBe(1);
  const added = addFile("ca.pem");
  await poll();
  expect(changes()).toBe(1);
  writeFileSync(added, "changed");
  await poll();
  expect(changes()).toBe(2);
  watched.delete(added);
  await poll();

  expect(changes()).toBe(2);
});
