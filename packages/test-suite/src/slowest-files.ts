// Prints the slowest files after a run of all packages. Fails if a file is too slow for the short tier: it belongs in the
// rest, or can be made faster. It counts CPU time, which depends less on other load than the clock does.
import { fileURLToPath } from "node:url";
import { type FileTime, readTimes } from "./file-times.js";
import { tier } from "./tier.js";

/** The most CPU time that a file of the short tier may take, */
const shortMaxMs = 20_000;
/** or, on a slower machine, this share of the CPU time of all files. */
const shortShareMax = 0.04;
const listed = 10;

/** The lines of the table. */
export function tableOf(times: readonly FileTime[]): string[] {
  const slowest = times.toSorted((left, right) => right.cpuMs - left.cpuMs).slice(0, listed);
  const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7);
  const tests = times.reduce((total, time) => total + time.tests, 0);
  return [
    `${tests} tests in ${times.length} files took ${Math.round(cpuMsOf(times) / 1000)} s of CPU. The slowest:`,
    "  CPU s  clock s  tests  file",
    ...slowest.map(
      ({ folder, file, cpuMs, clockMs, tests }) =>
        `${seconds(cpuMs)}  ${seconds(clockMs)}  ${String(tests).padStart(5)}  ${folder}/${file}`,
    ),
  ];
}

/** The files that are too slow for the short tier. */
export function tooSlow(times: readonly FileTime[]): string[] {
  const maxMs = Math.max(shortMaxMs, shortShareMax * cpuMsOf(times));
  return times.filter(({ cpuMs }) => cpuMs > maxMs).map(({ folder, file }) => `${folder}/${file}`);
}

function cpuMsOf(times: readonly FileTime[]): number {
  return times.reduce((total, { cpuMs }) => total + cpuMs, 0);
}

function main(): void {
  const times = readTimes();
  console.log(`\n${tableOf(times).join("\n")}`);
  const slow = tier === "short" ? tooSlow(times) : [];
  if (slow.length === 0) return;
  console.error(
    `Over ${shortMaxMs / 1000} s of CPU and ${100 * shortShareMax} % of all, too slow for npm test:\n  ${slow.join("\n  ")}`,
  );
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
