/** Loaded into the gateway by `--import`: measures event-loop stalls or takes a CPU profile when the benchmark asks. */
import { Session } from "node:inspector/promises";
import { StallWatch } from "./stall-watch.js";

const commands = ["start stall watch", "stop stall watch", "start profile", "stop profile"] as const;
export type ProbeCommand = (typeof commands)[number];

const stallWatch = new StallWatch();
const session = new Session();

process.on("message", (command: ProbeCommand) => {
  // The channel also carries messages between the gateway's own processes.
  if (commands.includes(command)) void run(command).then((reply) => process.send?.(reply));
});
// The open channel must not keep the gateway alive, and the gateway must not outlive the benchmark.
process.channel?.unref();
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));

async function run(command: ProbeCommand): Promise<unknown> {
  switch (command) {
    case "start stall watch":
      stallWatch.start();
      return {};
    case "stop stall watch":
      return stallWatch.stop();
    case "start profile":
      session.connect();
      await session.post("Profiler.enable");
      await session.post("Profiler.setSamplingInterval", { interval: 200 });
      await session.post("Profiler.start");
      return {};
    case "stop profile":
      return session.post("Profiler.stop");
  }
}
