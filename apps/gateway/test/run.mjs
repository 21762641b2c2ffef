// Runs the tests. Where CI is true, files with a failed test are run once more, one after the other: a machine that is
// shared may stall one test among five thousand, and that is not worth a whole run. What passed only then is listed, and is
// to be mended.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** More than these are no stall. */
const repeatedMax = 8;

const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const folder = mkdtempSync(join(tmpdir(), "failed-tests-"));
const list = join(folder, "files.json");

const wanted = process.argv.slice(2);
let status = run(wanted);
const failed = status === 0 || process.env.CI !== "true" ? [] : read();
if (failed.length > 0 && failed.length <= repeatedMax) {
  status = run(["--no-file-parallelism", ...failed]);
  if (status === 0)
    console.warn(`Passed only when they were run again, and are to be mended:\n  ${failed.join("\n  ")}`);
}
rmSync(folder, { recursive: true });
process.exitCode = status;

/** @param {string[]} options */
function run(options) {
  const { status } = spawnSync(process.execPath, [vitest, "run", ...options], {
    stdio: "inherit",
    env: { ...process.env, FAILED_FILES: list },
  });
  return status ?? 1;
}

/** @returns {string[]} */
function read() {
  try {
    return JSON.parse(readFileSync(list, "utf8"));
  } catch {
    // The run did not get to its end.
    return [];
  }
}
