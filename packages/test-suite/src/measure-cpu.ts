import { readdirSync, readFileSync } from "node:fs";
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

/** The CPU time of this process and, on Linux, of the processes that it has started. */
function cpuMs(): number {
  try {
    return descendants().reduce((sum, { ticks }) => sum + ticks, 0) * tickMs;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

interface Process {
  readonly id: number;
  readonly parent: number;
  /** Its own time and its ended children's. */
  readonly ticks: number;
}

/** This process, and all that run below it. */
function descendants(): Process[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const running = all.flatMap((name) => readProcess(Number(name)));
  const found = running.filter(({ id }) => id === process.pid);
  for (const { id } of found) found.push(...running.filter(({ parent }) => parent === id));
  return found;
}

/** Empty for a process that has ended meanwhile. */
function readProcess(id: number): Process[] {
  try {
    // Field 2 of stat is a name that may hold spaces. Field 4 is the parent; from 14 on: utime, stime, cutime, cstime.
    const fields = readFileSync(`/proc/${id}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number);
    return [{ id, parent: fields[1] ?? 0, ticks: fields.slice(11, 15).reduce((sum, one) => sum + one, 0) }];
  } catch {
    return [];
  }
}
