import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeWhole, writeWholeSync } from "./write-whole.js";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "write-whole-"));
  path = join(folder, "file");
});
afterEach(() => rm(folder, { recursive: true }));

test.each([false, true])("a file is replaced by the whole new one (synced: %s)", async (isSynced) => {
  await writeFile(path, "old");

  await writeWhole(path, "new", { isSynced });

  expect([await readFile(path, "utf8"), await readdir(folder)]).toEqual(["new", ["file"]]);
});

test("the content may come in pieces", async () => {
  await writeWhole(path, Readable.from([Buffer.from("ne"), Buffer.from("w")]));

  expect(await readFile(path, "utf8")).toBe("new");
});

test("a reader sees the old content until the new one is whole", async () => {
  await writeFile(path, "old");
  let seen = "";

  await writeWhole(path, async (draft) => {
    await draft.writeFile("ne");
    seen = await readFile(path, "utf8");
    await draft.writeFile("w");
  });

  expect([seen, await readFile(path, "utf8")]).toEqual(["old", "new"]);
});

test.each([
  ["a write", { write: () => Promise.reject(new Error("full")) }],
  ["a check", { check: () => Promise.reject(new Error("full")) }],
])("%s that fails leaves the old file, and no draft", async (_what, { write, check }: Failing) => {
  await writeFile(path, "old");

  await expect(writeWhole(path, write ?? "new", { ...(check && { check }) })).rejects.toThrow("full");

  expect([await readFile(path, "utf8"), await readdir(folder)]).toEqual(["old", ["file"]]);
});

interface Failing {
  readonly write?: () => Promise<void>;
  readonly check?: () => Promise<void>;
}

test("a draft that a crash has left is removed, with its mode", async () => {
  await writeFile(`${path}.new`, "half", { mode: 0o644 });

  writeWholeSync(path, "new");

  const { mode } = await stat(path);
  expect([await readFile(path, "utf8"), mode & 0o777, await readdir(folder)]).toEqual([
    "new",
    0o600,
    ["file"],
  ]);
});

test("a folder that is not there leaves nothing", async () => {
  const missing = join(folder, "missing", "file");

  expect(() => writeWholeSync(missing, "new")).toThrow("ENOENT");
  await expect(writeWhole(missing, "new")).rejects.toThrow("ENOENT");
});
