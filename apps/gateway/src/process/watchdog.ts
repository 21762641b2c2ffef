import { Worker } from "node:worker_threads";
import { every } from "@model-gateway/runtime/every";
import type { Logger } from "pino";
import type { ActiveRequestsReport } from "../app/active-requests.js";
import type { LogFormat } from "./open-log.js";

/** A time in which the event loop was blocked, and went on. */
export interface NotedStall {
  readonly stalledMs: number;
  /** For so long the thread ran. Null where the system does not say. */
  readonly cpuMs: number | null;
  /** Functions, files and lines. Empty if the thread was inside native code. */
  readonly stack: readonly string[];
  readonly active: ActiveRequestsReport;
  /** Whether it was so long that the thread has logged it. */
  readonly isLogged: boolean;
}

export interface WatchdogOptions {
  /** The requests in flight. It is called in the middle of a stall. */
  readonly activeRequests: () => ActiveRequestsReport;
  /** Called after a stall of 200 ms or more. */
  readonly onStallEnd: (stall: NotedStall) => void;
  /** Time limit of one event-loop turn. */
  readonly stallMs: number;
  /** Reaction after the line in the log. */
  readonly onStall: "log" | "exit";
  readonly log: Logger;
  readonly format: LogFormat;
}

/** The exit code after a stall. 70 is EX_SOFTWARE of sysexits.h: an internal software error. */
export const stallExitCode = 70;

/** A stall that is logged and counted. Callers notice it, and the gateway goes on. */
const shortStallMs = 200;
/** A stall is at least this many beats, so that one late timer does not count. */
const beatsMin = 4;
const beatMsMax = shortStallMs / beatsMin;
/** The thread asks for the requests in flight by this name: a debugger can only call what is global. */
const activeRequestsName = "model-gateway.active-requests";

/**
 * Watches the event loop from a thread: a loop that is stuck cannot notice it. The loop counts beats in shared memory,
 * and a thread that sees no new one for `stallMs` logs the stack of the main thread (decision 0067).
 */
export async function startWatchdog(options: WatchdogOptions): Promise<void> {
  const { stallMs, onStall, log, format, activeRequests, onStallEnd } = options;
  // Some Node builds have no inspector. The thread finds stalls there all the same, without their stacks.
  const inspector = process.features.inspector ? await import("node:inspector") : undefined;
  const beatMs = Math.min(beatMsMax, stallMs / beatsMin);
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const data: WatchdogData = {
    state,
    beatMs,
    stallBeats: Math.ceil(stallMs / beatMs),
    shortStallBeats: Math.ceil(shortStallMs / beatMs),
    activeRequestsName,
    exitCode: onStall === "exit" ? stallExitCode : undefined,
    hasInspector: inspector !== undefined,
    format,
    loggedLevels: { error: log.isLevelEnabled("error"), warn: log.isLevelEnabled("warn") },
  };
  const beat = () => {
    Atomics.store(state, 1, inspector?.url() === undefined ? 0 : 1);
    Atomics.add(state, 0, 1);
  };
  Object.assign(globalThis, { [Symbol.for(activeRequestsName)]: activeRequests });
  beat();
  every(beatMs, beat, { task: "beat_for_watchdog" });
  const thread = new Worker(new URL("./watchdog-worker.cjs", import.meta.url), {
    name: "watchdog",
    workerData: data,
    // Modules that were loaded before the gateway have nothing to do there.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  thread.unref();
  thread.on("message", onStallEnd);
  thread.on("error", (failure) =>
    log.warn({ err: failure }, "The watchdog has failed. Stalls are not noticed until a restart."),
  );
}

/** The `workerData` of the thread. */
export interface WatchdogData {
  /** The number of beats, and whether the inspector was open at the last one. */
  readonly state: Int32Array;
  readonly beatMs: number;
  /** A stall is this many beats that did not come. */
  readonly stallBeats: number;
  /** The same for a stall that is noted when it is over. */
  readonly shortStallBeats: number;
  /** The symbol of a global function that returns the requests in flight. */
  readonly activeRequestsName: string;
  /** Undefined: the process goes on. */
  readonly exitCode: number | undefined;
  readonly hasInspector: boolean;
  readonly format: LogFormat;
  readonly loggedLevels: { readonly error: boolean; readonly warn: boolean };
}
