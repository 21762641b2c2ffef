import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { performance } from "node:perf_hooks";
import type { LoadReport } from "./load-job.js";

/** CPU time and memory of a process. Only Linux provides them. */
export interface ProcessUsage {
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly peakBytes: number;
}

/** The machine at the start or the end of a window. */
export interface UsageSnapshot {
  readonly at: number;
  readonly measured: ProcessUsage | undefined;
  readonly busyMs: number | undefined;
  /** CPU time of the benchmark itself: the generator, the upstream and the measured process. */
  readonly ownMs: number;
}

/** A clock tick is 10 ms on every Linux that Node supports. */
const tickMs = 10;

export function takeSnapshot({ pid, upstreamPid }: { pid?: number; upstreamPid: number }): UsageSnapshot {
  const measured = pid === undefined ? undefined : readProcessUsage(pid);
  const { user, system } = process.cpuUsage();
  const ownMs = (user + system) / 1000 + (readProcessUsage(upstreamPid)?.cpuMs ?? 0) + (measured?.cpuMs ?? 0);
  return { at: performance.now(), measured, busyMs: readBusyMs(), ownMs };
}

export function usageBetween(
  start: UsageSnapshot,
  end: UsageSnapshot,
): Pick<LoadReport, "elapsedMs" | "cpuMs" | "peakBytes" | "backgroundLoad"> {
  const elapsedMs = end.at - start.at;
  return {
    elapsedMs,
    cpuMs: end.measured && start.measured && end.measured.cpuMs - start.measured.cpuMs,
    peakBytes: end.measured?.peakBytes,
    backgroundLoad:
      start.busyMs === undefined || end.busyMs === undefined
        ? undefined
        : shareOfOthers(end.busyMs - start.busyMs, end.ownMs - start.ownMs, elapsedMs),
  };
}

export function readProcessUsage(pid: number): ProcessUsage | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return {
      cpuMs: readCpuMs(`/proc/${pid}/stat`),
      rssBytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024,
      peakBytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024,
    };
  } catch {
    return undefined;
  }
}

/** The CPU time of each thread, by its id. Empty where the system does not provide it. */
export function readThreadTimes(pid: number): ReadonlyMap<number, number> {
  try {
    const folder = `/proc/${pid}/task`;
    return new Map(readdirSync(folder).map((id) => [Number(id), readCpuMs(`${folder}/${id}/stat`)]));
  } catch {
    return new Map();
  }
}

function readCpuMs(statFile: string): number {
  const stat = readFileSync(statFile, "utf8");
  // The program's name is in parentheses and may contain spaces, so fields are counted from the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Resets the peak memory of a process. https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html */
export function resetPeakMemory(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // Without permission, the peak covers the whole process lifetime.
  }
}

/** The time that all cores were busy since the machine started. */
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

/** The share of all cores that other processes used, or a hypervisor gave to other machines, 0 to 1. */
export function shareOfOthers(busyMs: number, ownMs: number, elapsedMs: number): number {
  return Math.max(0, (busyMs - ownMs) / elapsedMs / cpus().length);
}
