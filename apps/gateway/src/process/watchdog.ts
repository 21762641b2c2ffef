import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { LogFormat } from "./open-log.js";

export interface WatchdogOptions {
  /** Time limit of one event-loop turn. */
  readonly stallMs: number;
  /** Reaction after the line in the log. */
  readonly onStall: "log" | "exit";
  readonly log: Logger;
  readonly format: LogFormat;
}

/** The exit code after a stall. 70 is EX_SOFTWARE of sysexits.h: an internal software error. */
export const stallExitCode = 70;

const beatMsMax = 1000;
/** A stall is at least this many beats, so that one late timer does not count. */
const beatsMin = 4;

/**
 * Watches the event loop from a thread: a loop that is stuck cannot notice it. The loop counts beats in shared memory,
 * and a thread that sees no new one for `stallMs` logs the stack of the main thread (decision 0067).
 */
export async function startWatchdog({ stallMs, onStall, log, format }: WatchdogOptions): Promise<void> {
  // Some Node builds have no inspector. The thread finds stalls there all the same, without their stacks.
  const inspector = process.features.inspector ? await import("node:inspector") : undefined;
  const beatMs = Math.min(beatMsMax, stallMs / beatsMin);
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const data: WatchdogData = {
    state,
    beatMs,
    stallBeats: Math.ceil(stallMs / beatMs),
    exitCode: onStall === "exit" ? stallExitCode : undefined,
    hasInspector: inspector !== undefined,
    format,
    loggedLevels: { error: log.isLevelEnabled("error"), warn: log.isLevelEnabled("warn") },
  };
  const beat = () => {
    Atomics.store(state, 1, inspector?.url() === undefined ? 0 : 1);
    Atomics.add(state, 0, 1);
  };
  beat();
  setInterval(beat, beatMs).unref();
  const thread = new Worker(new URL("./watchdog-worker.cjs", import.meta.url), {
    name: "watchdog",
    workerData: data,
    // Modules that were loaded before the gateway have nothing to do there.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  thread.unref();
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
  /** Undefined: the process goes on. */
  readonly exitCode: number | undefined;
  readonly hasInspector: boolean;
  readonly format: LogFormat;
  readonly loggedLevels: { readonly error: boolean; readonly warn: boolean };
}
