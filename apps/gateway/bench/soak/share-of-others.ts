import { performance } from "node:perf_hooks";
import { readBusyMs, readProcessUsage, shareOfOthers } from "../load/resource-usage.js";

/** If others use more of the machine than this in the quiet run, it is repeated, and the quietest one is kept. */
export const othersShareMax = 0.05;
const quietRunsMax = 4;

interface Shared<T> {
  readonly value: T;
  /** The share of all cores that others used meanwhile. */
  readonly share: number;
}

export async function withShareOfOthers<T>(
  work: () => Promise<T>,
  own: readonly number[],
): Promise<Shared<T>> {
  const cpuMs = () => own.reduce((sum, pid) => sum + (readProcessUsage(pid)?.cpuMs ?? 0), 0);
  const start = { at: performance.now(), busyMs: readBusyMs() ?? 0, ownMs: cpuMs() };
  const value = await work();
  const elapsedMs = performance.now() - start.at;
  return {
    value,
    share: shareOfOthers((readBusyMs() ?? 0) - start.busyMs, cpuMs() - start.ownMs, elapsedMs),
  };
}

/** On a machine that is not quiet, the quiet latencies say nothing, and neither does a multiple of them. */
export async function runQuietly<T>(work: () => Promise<T>, own: readonly number[]): Promise<Shared<T>> {
  let best = await withShareOfOthers(work, own);
  for (let runs = 1; runs < quietRunsMax && best.share > othersShareMax; runs += 1) {
    const next = await withShareOfOthers(work, own);
    if (next.share < best.share) best = next;
  }
  return best;
}
