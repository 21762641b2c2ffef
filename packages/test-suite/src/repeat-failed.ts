// Runs the files that failed in the last run once more, one after the other, and lists them. For CI alone: a machine that is
// shared may stall one test among thousands, and a whole run costs more than a second look. A file that fails again, or more
// than a few that fail once, are a fault.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { absolute, type FileTime, readTimes, unfinishedPackages } from "./file-times.js";

/** More than these is not a stall. */
const repeatedMax = 4;

/** The files to run again, by package, or the reason why that would hide a fault. */
export function planRepeat(
  times: readonly FileTime[],
  unfinished: readonly string[],
): ReadonlyMap<string, string[]> | string {
  if (unfinished.length > 0) return `The tests broke off in ${unfinished.join(", ")}.`;
  const failed = times.filter(({ isPassed }) => !isPassed);
  if (failed.length === 0) return "No test failed; something else did.";
  if (failed.some(({ file }) => file === "")) return "An error happened outside of the tests.";
  if (failed.length > repeatedMax) return `${failed.length} files failed.`;
  const plan = new Map<string, string[]>();
  for (const { folder, file } of failed) plan.set(folder, [...(plan.get(folder) ?? []), file]);
  return plan;
}

function main(): void {
  const plan = planRepeat(readTimes(), unfinishedPackages());
  if (typeof plan === "string") {
    console.error(plan);
    process.exitCode = 1;
    return;
  }
  const names = [...plan].flatMap(([folder, files]) => files.map((file) => `${folder}/${file}`));
  console.warn(`Failed, and are run once more:\n  ${names.join("\n  ")}`);
  for (const [folder, files] of plan) if (!isPassing(absolute(folder), files)) process.exitCode = 1;
  if (process.exitCode !== 1) console.warn(`Passed only when run again; mend them:\n  ${names.join("\n  ")}`);
}

function isPassing(cwd: string, files: readonly string[]): boolean {
  const require = createRequire(join(cwd, "package.json"));
  const vitest = join(dirname(require.resolve("vitest/package.json")), "vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", "--no-file-parallelism", ...files], {
    cwd,
    stdio: "inherit",
    // As a script of the package has it: some tests build with its commands.
    env: { ...process.env, PATH: `${join(cwd, "node_modules/.bin")}${delimiter}${process.env.PATH}` },
  });
  return status === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
