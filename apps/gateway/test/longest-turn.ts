import { readFileSync } from "node:fs";
import { platform } from "node:process";

/** The CPU time of the longest event-loop turn during some work. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
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
