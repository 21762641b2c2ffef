/** Loaded into the gateway by `--import`: measures stalls or takes a CPU profile, when the benchmark asks. */
import { Session } from "node:inspector/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";

const orders = ["watch stalls", "tell stalls", "begin profile", "end profile"] as const;
export type WatchOrder = (typeof orders)[number];

/** How often the loop is looked at. The delay that is told includes this much of waiting. */
const resolution = 2;

const delays = monitorEventLoopDelay({ resolution });
const session = new Session();

process.on("message", (order: WatchOrder) => {
  // What the processes of one gateway say to each other is not for the watcher.
  if (orders.includes(order)) void carryOut(order).then((answer) => process.send?.(answer));
});
// The gateway ends as it would without a watcher, and does not outlive the benchmark.
process.channel?.unref();
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));

async function carryOut(order: WatchOrder): Promise<unknown> {
  switch (order) {
    case "watch stalls":
      delays.enable();
      delays.reset();
      return {};
    case "tell stalls":
      delays.disable();
      return { longestMs: Math.max(0, delays.max / 1e6 - resolution) };
    case "begin profile":
      session.connect();
      await session.post("Profiler.enable");
      await session.post("Profiler.setSamplingInterval", { interval: 200 });
      await session.post("Profiler.start");
      return {};
    case "end profile":
      return session.post("Profiler.stop");
  }
}
