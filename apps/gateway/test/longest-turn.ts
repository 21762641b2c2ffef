import { readFileSync } from "node:fs";
import { platform } from "node:process";

/** Cold code or a garbage collection may lengthen a turn of one run, but not of all. */
const runsMax = 3;
/** Far below every bound: another run would prove nothing. */
const shortMs = 25;

/** The CPU time of the longest event-loop turn during some work, in the best of up to three runs. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runsMax && least > shortMs; run += 1)
    least = Math.min(least, await longestTurnOf(work));
  return least;
}

async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  let before = threadCpuMs();
  const endTurn = () => {
    const now = threadCpuMs();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isDone) setImmediate(endTurn);
  };
  setImmediate(endTurn);
  await work();
  isDone = true;
  endTurn();
  return longest;
}

/** The time that this thread was running, which other processes on the machine do not add to. */
function threadCpuMs(): number {
  if (platform !== "linux") return process.cpuUsage().user / 1000;
  return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
}
