import { expect, test } from "vitest";
import type { FileTime } from "./file-times.js";
import { planRepeat } from "./repeat-failed.js";
import { tableOf, tooSlow } from "./slowest-files.js";

const time = (file: string, fields: Partial<FileTime> = {}): FileTime => ({
  folder: "apps/one",
  file,
  isPassed: true,
  cpuMs: 0,
  clockMs: 0,
  tests: 3,
  ...fields,
});

test("the table has the slowest files first, and the sums of all", () => {
  const times = Array.from({ length: 12 }, (_, index) => time(`${index}.test.ts`, { cpuMs: 100 * index }));

  expect(tableOf(times).slice(0, 4)).toEqual([
    "36 tests in 12 files took 7 s of CPU. The slowest:",
    "  CPU s  clock s  tests  file",
    "    1.1      0.0      3  apps/one/11.test.ts",
    "    1.0      0.0      3  apps/one/10.test.ts",
  ]);
  expect(tableOf(times)).toHaveLength(12);
});

test("a file with more than 20 s of CPU is too slow", () => {
  const times = [time("slow.test.ts", { cpuMs: 20_001 }), time("fast.test.ts", { cpuMs: 20_000 })];

  expect(tooSlow(times)).toEqual(["apps/one/slow.test.ts"]);
});

test("on a slower machine, a file may take 4 % of the CPU of all", () => {
  const rest = Array.from({ length: 27 }, (_, index) => time(`${index}.test.ts`, { cpuMs: 20_000 }));
  const times = [...rest, time("slow.test.ts", { cpuMs: 30_000 }), time("fair.test.ts", { cpuMs: 22_000 })];

  expect(tooSlow(times)).toEqual(["apps/one/slow.test.ts"]);
});

test("failed files are run again by package", () => {
  const times = [time("a"), time("b", { isPassed: false }), time("c", { folder: "spec", isPassed: false })];

  expect(planRepeat(times, [])).toEqual(
    new Map([
      ["apps/one", ["b"]],
      ["spec", ["c"]],
    ]),
  );
});

test.each([
  ["nothing that failed", [time("a")], "No test failed; something else did."],
  [
    "an error outside of the tests",
    [time("", { isPassed: false })],
    "An error happened outside of the tests.",
  ],
  [
    "many files that failed",
    ["a", "b", "c", "d", "e"].map((name) => time(name, { isPassed: false })),
    "5 files failed.",
  ],
])("%s is not repeated", (_, times, reason) => {
  expect(planRepeat(times, [])).toBe(reason);
});

test("a package without results is not hidden by another that failed", () => {
  expect(planRepeat([time("a", { isPassed: false })], ["spec"])).toBe("The tests broke off in spec.");
});
