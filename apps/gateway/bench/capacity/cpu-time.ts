import { readdirSync, readFileSync } from "node:fs";

/** CPU time of a process with its threads, in microseconds. Undefined if it is gone, or if there is no /proc. */
export function cpuTimeUs(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + threadTimeNs(pid, thread), 0) / 1000;
  } catch {
    return undefined;
  }
}

/** Exact to the nanosecond, where /proc/PID/stat counts ticks of 10 ms. https://docs.kernel.org/scheduler/sched-stats.html */
function threadTimeNs(pid: number, thread: string): number {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
}

/** The sum over processes that come and go. A process that has ended counts with its time when it was last seen. */
export class CpuTimes {
  readonly #seen = new Map<number, number>();

  add(pids: readonly number[]): void {
    for (const pid of pids) {
      const timeUs = cpuTimeUs(pid);
      if (timeUs !== undefined) this.#seen.set(pid, timeUs);
    }
  }

  get totalUs(): number {
    let total = 0;
    for (const timeUs of this.#seen.values()) total += timeUs;
    return total;
  }
}
