/** Loaded into the gateway by `--import`: measures event-loop stalls or takes a CPU profile when the benchmark asks. */
import { existsSync } from "node:fs";
import type { NodeWorker } from "node:inspector";
import { Session } from "node:inspector/promises";
import { StallWatch } from "./stall-watch.js";

const commands = [
  "start stall watch",
  "stop stall watch",
  "start profile",
  "stop profile",
  "find SQLite threads",
  "collect garbage",
] as const;
export type ProbeCommand = (typeof commands)[number];

const stallWatch = new StallWatch();
let opened: Session | undefined;

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
      await openSession().post("Profiler.enable");
      await openSession().post("Profiler.setSamplingInterval", { interval: 200 });
      await openSession().post("Profiler.start");
      return {};
    case "stop profile":
      return openSession().post("Profiler.stop");
    case "collect garbage":
      await openSession().post("HeapProfiler.collectGarbage");
      return {};
    case "find SQLite threads":
      return { ids: await findThreads(openSession(), "sqlite-worker.cjs") };
  }
}

/** Opened on demand: most runs measure a gateway without a debugger. */
function openSession(): Session {
  if (opened === undefined) {
    opened = new Session();
    opened.connect();
  }
  return opened;
}

/** The system's ids of the threads that run a script. Node 20 gives its threads no names, so each is asked. */
async function findThreads(session: Session, script: string): Promise<number[]> {
  if (!existsSync("/proc/thread-self")) return [];
  const workers: NodeWorker.AttachedToWorkerEventDataType[] = [];
  session.on("NodeWorker.attachedToWorker", ({ params }) => workers.push(params));
  await session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });
  try {
    const ids: number[] = [];
    for (const { workerInfo, sessionId } of workers)
      if (workerInfo.url.endsWith(script)) ids.push(await askThread(session, sessionId));
    return ids;
  } finally {
    await session.post("NodeWorker.disable");
  }
}

async function askThread(session: Session, sessionId: string): Promise<number> {
  const reply = new Promise<string>((resolve) => {
    session.once("NodeWorker.receivedMessageFromWorker", ({ params }) => resolve(params.message));
  });
  const expression = 'process.getBuiltinModule("node:fs").readlinkSync("/proc/thread-self")';
  const message = JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression } });
  await session.post("NodeWorker.sendMessageToWorker", { sessionId, message });
  const { value } = JSON.parse(await reply).result.result;
  return Number(String(value).split("/").at(-1));
}
