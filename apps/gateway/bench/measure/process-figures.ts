import { readFileSync, writeFileSync } from "node:fs";

/** What Linux tells of a process and its children. Elsewhere there is nothing to read, and nothing is said. */
export interface ProcessFigures {
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly peakBytes: number;
}

/** Clock ticks are hundredths of a second on every Linux that Node runs on. */
const tickMs = 10;

export function readProcess(pid: number): ProcessFigures | undefined {
  try {
    const all = [pid, ...childrenOf(pid)].map(readOne);
    return {
      cpuMs: sum(all.map(({ cpuMs }) => cpuMs)),
      rssBytes: sum(all.map(({ rssBytes }) => rssBytes)),
      peakBytes: sum(all.map(({ peakBytes }) => peakBytes)),
    };
  } catch {
    return undefined;
  }
}

/** Lets the highest mark of a process's memory begin anew. https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html */
export function forgetPeak(pid: number): void {
  try {
    for (const one of [pid, ...childrenOf(pid)]) writeFileSync(`/proc/${one}/clear_refs`, "5");
  } catch {
    // The mark then is that of the whole life of the process.
  }
}

/** How long all cores were busy since the machine started. */
export function readBusyMs(): number | undefined {
  try {
    const [, user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = (
      readFileSync("/proc/stat", "utf8").split("\n")[0] ?? ""
    )
      .split(/\s+/)
      .map(Number);
    return (user + nice + system + irq + softIrq + steal) * tickMs;
  } catch {
    return undefined;
  }
}

function readOne(pid: number): ProcessFigures {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of the program stands in brackets and may hold anything, so that fields count from behind it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs,
    rssBytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024,
    peakBytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024,
  };
}

function childrenOf(pid: number): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return listed === "" ? [] : listed.split(" ").map(Number);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
