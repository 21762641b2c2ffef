import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readRunFile, writeRunFile } from "./run-file.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "run-file-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = {
  url: "http://127.0.0.1:8080",
  pid: 7,
  version: "1.0.0",
  startedAt: "2026-08-19T14:34:46.123Z",
  secret: "mg_local_x",
};

test("only the owner may read it, whatever was there before, and nothing is left after it", () => {
  for (const name of ["run.json", "run.json.new"]) {
    writeFileSync(join(folder, name), "old");
    chmodSync(join(folder, name), 0o644);
  }

  const written = writeRunFile(folder, run);

  expect(statSync(join(folder, "run.json")).mode & 0o777).toBe(0o600);
  expect(readRunFile(folder)).toEqual(run);
  written.remove();
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ["no file", undefined],
  ["half a file", '{"url":'],
  ["another document", "[1]"],
  ["a missing field", JSON.stringify({ ...run, secret: undefined })],
  ["a file that is too large", JSON.stringify({ ...run, url: "x".repeat(10_000) })],
])("%s counts as no running gateway", (_name, text) => {
  if (text !== undefined) writeFileSync(join(folder, "run.json"), text);

  expect(readRunFile(folder)).toBeUndefined();
});
