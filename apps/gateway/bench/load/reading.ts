import { cpus } from "node:os";
import { performance } from "node:perf_hooks";
import { type ProcessFigures, readBusyMs, readProcess } from "../measure/process-figures.js";
import type { LoadReport } from "./load.js";

/** The state of the machine at one end of a window. */
export interface Reading {
  readonly at: number;
  readonly measured: ProcessFigures | undefined;
  readonly busyMs: number | undefined;
  /** What the benchmark itself took: this process, the upstream, and what stands between. */
  readonly ownMs: number;
}

export function takeReading({ pid, upstreamPid }: { pid?: number; upstreamPid: number }): Reading {
  const measured = pid === undefined ? undefined : readProcess(pid);
  const { user, system } = process.cpuUsage();
  const ownMs = (user + system) / 1000 + (readProcess(upstreamPid)?.cpuMs ?? 0) + (measured?.cpuMs ?? 0);
  return { at: performance.now(), measured, busyMs: readBusyMs(), ownMs };
}

/** What happened between two readings. */
export function between(
  begun: Reading,
  ended: Reading,
): Pick<LoadReport, "elapsedMs" | "cpuMs" | "peakBytes" | "noise"> {
  const elapsedMs = ended.at - begun.at;
  return {
    elapsedMs,
    ...(begun.measured === undefined || ended.measured === undefined
      ? {}
      : { cpuMs: ended.measured.cpuMs - begun.measured.cpuMs, peakBytes: ended.measured.peakBytes }),
    ...(begun.busyMs === undefined || ended.busyMs === undefined
      ? {}
      : { noise: shareOfOthers(ended.busyMs - begun.busyMs, ended.ownMs - begun.ownMs, elapsedMs) }),
  };
}

function shareOfOthers(busyMs: number, ownMs: number, elapsedMs: number): number {
  return Math.max(0, (busyMs - ownMs) / elapsedMs / cpus().length);
}
