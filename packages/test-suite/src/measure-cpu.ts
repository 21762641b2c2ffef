import { readFileSync } from "node:fs";
import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    cpuMs?: number;
  }
}

/** Linux counts CPU time in hundredths of a second, on every architecture. */
const tickMs = 10;

// This runs before each file, in the process of its tests. The first hook is the last to run.
const before = cpuMs();

// biome-ignore lint/correctness/noEmptyPattern: vitest takes only a destructured object as the first argument.
afterAll(({}, file) => {
  file.meta.cpuMs = cpuMs() - before;
});

/** The CPU time of this process and, on Linux, of its children that have ended. */
function cpuMs(): number {
  try {
    // Field 2 of /proc/self/stat is a name that may hold spaces. From field 14: utime, stime, cutime, cstime.
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * tickMs;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
