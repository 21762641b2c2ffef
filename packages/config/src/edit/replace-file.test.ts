import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileChanged, reasonOf, replaceFile, whyNotEditable } from "./replace-file.js";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "replace-file-"));
  path = join(folder, "gateway.yaml");
  writeFileSync(path, "old\n");
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

const open = { allowsChanges: true };

test("the new file has the mode of the old one, which is kept", async () => {
  chmodSync(path, 0o640);

  await replaceFile({ path, before: "old\n", after: "new\n", previous: `${path}.previous` });

  expect(readFileSync(path, "utf8")).toBe("new\n");
  expect(readFileSync(`${path}.previous`, "utf8")).toBe("old\n");
  expect([path, `${path}.previous`].map((file) => statSync(file).mode & 0o777)).toEqual([0o640, 0o640]);
  expect(readdirSync(folder).sort()).toEqual(["gateway.yaml", "gateway.yaml.previous"]);
});

test("a file that has another text by now stays", async () => {
  await expect(replaceFile({ path, before: "older\n", after: "new\n" })).rejects.toThrow(FileChanged);

  expect(readFileSync(path, "utf8")).toBe("old\n");
  expect(readdirSync(folder)).toEqual(["gateway.yaml"]);
});

test("a file is created where there must be none", async () => {
  rmSync(path);

  await replaceFile({ path, before: undefined, after: "new\n", previous: `${path}.previous` });

  expect(readdirSync(folder)).toEqual(["gateway.yaml"]);
  await expect(replaceFile({ path, before: undefined, after: "newer\n" })).rejects.toThrow(FileChanged);
});

test("what a crash has left is replaced", async () => {
  writeFileSync(`${path}.next`, "half");

  await replaceFile({ path, before: "old\n", after: "new\n" });

  expect(readFileSync(path, "utf8")).toBe("new\n");
  expect(readdirSync(folder)).toEqual(["gateway.yaml"]);
});

test("a file can be changed, or created, in a folder that can be written", () => {
  expect(whyNotEditable(open, path)).toBeUndefined();
  expect(whyNotEditable(open, join(folder, "missing.yaml"))).toBeUndefined();
});

test("the reasons against a change", () => {
  symlinkSync(path, join(folder, "link.yaml"));

  expect(whyNotEditable({ allowsChanges: false }, path)).toBe("disabled");
  expect(whyNotEditable({ ...open, redisUrl: "redis://r" }, path)).toBe("shared_deployment");
  expect(whyNotEditable({ ...open, databaseUrl: "postgres://d" }, path)).toBe("shared_deployment");
  expect(whyNotEditable(open, join(folder, "link.yaml"))).toBe("linked_file");
  chmodSync(path, 0o444);
  expect(whyNotEditable(open, path)).toBe("read_only_file");
  chmodSync(path, 0o644);
  chmodSync(folder, 0o555);
  expect(whyNotEditable(open, path)).toBe("read_only_file");
});

test.each([
  ["EBUSY", "linked_file"],
  ["EXDEV", "linked_file"],
  ["EROFS", "read_only_file"],
  ["EACCES", "read_only_file"],
  ["ENOSPC", undefined],
])("a rename that fails with %s is the reason %s", (code, reason) => {
  expect(reasonOf(Object.assign(new Error("x"), { code }))).toBe(reason);
});
