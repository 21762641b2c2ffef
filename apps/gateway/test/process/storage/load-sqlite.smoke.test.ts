import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const cwd = join(import.meta.dirname, "../../../../../packages/data-folder/src");

function evaluate(script: string): { readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, ["--eval", script], { cwd, encoding: "utf8" });
}

test("no warning about SQLite is written to the terminal, and others are", () => {
  const { stdout, stderr } = evaluate(
    "require('./sqlite-file.cjs'); process.emitWarning('another', 'ExperimentalWarning'); console.log('loaded')",
  );

  expect(stdout).toBe("loaded\n");
  expect(stderr.match(/Warning: .*/g)).toEqual(["Warning: another"]);
});

test("a Node whose SQLite is not recent uses that of the package", () => {
  const { stdout } = evaluate(`
    Object.defineProperty(process, "versions", { value: { ...process.versions, sqlite: "3.51.2" } });
    const { SqliteFile } = require("./sqlite-file.cjs");
    const builtIn = process.moduleLoadList.includes("NativeModule sqlite");
    console.log(JSON.stringify([builtIn, new SqliteFile(":memory:").prepare("select sqlite_version()").returnArrays().all()]));`);

  expect(JSON.parse(stdout)).toEqual([false, [["3.53.0"]]]);
});
