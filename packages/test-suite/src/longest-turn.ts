import { readFileSync } from "node:fs";
import { PerformanceObserver, performance } from "node:perf_hooks";
import { platform } from "node:process";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Cold code may lengthen a turn of one run, but not of all. */
const runsMax = 5;
/** Far below every bound: another run would prove nothing. */
const shortMs = 25;
const idleMs = 1;

/** The time of the reference on a machine of today. A slower or a busier one counts in multiples of it. */
const referenceMs = 10;
const referenceRuns = 3;

/**
 * The CPU time of the longest event-loop turn during some work, in the best of up to five runs, as on a machine that
 * parses a megabyte of JSON in ten milliseconds. Garbage collections do not count: the heap is that of all files in this
 * process, and on a busy machine the collector's helpers do not run.
 */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runsMax && least > shortMs; run += 1)
    least = Math.min(least, await longestTurnOf(work));
  return least > shortMs ? least / slowness() : least;
}

/** How many times slower this machine is, at least 1. Cores that share their caches are slower together. */
function slowness(): number {
  const text = JSON.stringify(
    Array.from({ length: 40_000 }, (_, index) => ({ a: index, b: `text ${index}` })),
  );
  const times = Array.from({ length: referenceRuns }, () => {
    const before = threadCpuMs();
    JSON.parse(text);
    return threadCpuMs() - before;
  });
  return Math.max(1, Math.min(...times) / (referenceMs * (text.length / 1e6)));
}

interface Turn {
  readonly startMs: number;
  readonly endMs: number;
  readonly cpuMs: number;
}

async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  const collections: { readonly startTime: number; readonly duration: number }[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  const turns = await turnsDuring(work);
  // Collections are reported in a later turn.
  for (let late = 0; late < 3; late += 1) await nextTurn();
  observer.disconnect();
  const collectingMs = ({ startMs, endMs }: Turn) =>
    collections
      .filter(({ startTime }) => startTime >= startMs && startTime < endMs)
      .reduce((total, { duration }) => total + duration, 0);
  return turns.reduce((longest, turn) => Math.max(longest, turn.cpuMs - collectingMs(turn)), 0);
}

/** The turns that did something. Most only wait. */
async function turnsDuring(work: () => Promise<unknown>): Promise<Turn[]> {
  const turns: Turn[] = [];
  let isDone = false;
  let startMs = performance.now();
  let before = threadCpuMs();
  const endTurn = () => {
    const now = threadCpuMs();
    const endMs = performance.now();
    if (now - before > idleMs) turns.push({ startMs, endMs, cpuMs: now - before });
    startMs = endMs;
    before = now;
    if (!isDone) setImmediate(endTurn);
  };
  setImmediate(endTurn);
  await work();
  isDone = true;
  endTurn();
  return turns;
}

/** The time that this thread was running, which other processes on the machine do not add to. */
function threadCpuMs(): number {
  if (platform !== "linux") return process.cpuUsage().user / 1000;
  return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
}
