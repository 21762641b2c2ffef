// @ts-check
// Entry of the thread that watches the main thread's event loop. Plain JavaScript, so that the same file runs from
// source and from the build. CommonJS: it starts with the first requests, and Node's loader of modules takes 18 ms.
const { write } = require("node:fs");
const { setTimeout } = require("node:timers/promises");
const { workerData } = require("node:worker_threads");

/** @type {import("./watchdog.js").WatchdogData} */
const { state, beatMs, stallBeats, exitCode, hasInspector, format, loggedLevels } = workerData;

/** Time for the main thread to show its stack, to write a line, or to exit. Native code prevents all three. */
const patienceMs = 5000;
/** A line stays below 4,096 bytes, which a pipe takes at once, so that lines of several processes do not mix. */
const framesMax = 20;
const frameLettersMax = 160;

let lastBeat = 0;
let missedBeats = 0;
let isReported = false;

// Beats are counted, not time: after a sleep of the machine or SIGSTOP, both threads go on together.
setInterval(() => {
  const beat = Atomics.load(state, 0);
  if (beat !== lastBeat) {
    if (isReported) void log("warn", { stalledMs: missedBeats * beatMs, msg: "The gateway responds again." });
    lastBeat = beat;
    missedBeats = 0;
    isReported = false;
    return;
  }
  missedBeats += 1;
  const isInspected = Atomics.load(state, 1) === 1;
  if (missedBeats < stallBeats || isReported || isInspected) return;
  isReported = true;
  void report();
}, beatMs);

async function report() {
  const stalledMs = missedBeats * beatMs;
  const paused = hasInspector ? await pauseMainThread() : undefined;
  if (paused === "by another debugger") return;
  // The stack may have taken a while to get.
  if (Atomics.load(state, 0) === lastBeat) {
    const msg = `The gateway does not respond.${exitCode === undefined ? "" : " It exits."}`;
    // The main thread may be waiting for the output.
    await inTime(log("error", { stalledMs, stack: paused?.stack ?? [], msg }));
    if (exitCode !== undefined) await exit(paused);
  }
  paused?.resume();
}

/**
 * Lets the main thread exit by itself, so that it writes the rest of the log.
 * @param {{ exit: (code: number) => void } | undefined} paused
 */
async function exit(paused) {
  if (paused !== undefined && exitCode !== undefined) {
    paused.exit(exitCode);
    await setTimeout(patienceMs);
  }
  process.kill(process.pid, "SIGKILL");
}

/** Undefined if the main thread is inside native code. */
async function pauseMainThread() {
  const { Session } = await import("node:inspector");
  const session = new Session();
  session.connectToMainThread();
  /** @type {Map<string, string>} */
  const files = new Map();
  session.on("Debugger.scriptParsed", ({ params }) => files.set(params.scriptId, params.url));
  let isAsked = false;
  /** @type {Promise<"by another debugger" | { stack: string[] }>} */
  const paused = new Promise((resolve) => {
    session.on("Debugger.paused", ({ params }) => {
      // A main thread that was already paused is at a person's breakpoint.
      if (!isAsked) resolve("by another debugger");
      const stack = params.callFrames.slice(0, framesMax).map(({ functionName, location }) => {
        const { scriptId, lineNumber, columnNumber = 0 } = location;
        const place = `${files.get(scriptId) ?? ""}:${lineNumber + 1}:${columnNumber + 1}`;
        // The end of a path says more than its start.
        return `${functionName || "<anonymous>"} ${place.slice(-frameLettersMax + functionName.length)}`;
      });
      resolve({ stack });
    });
  });
  session.post("Debugger.enable", (failure) => {
    // The session was closed meanwhile: the main thread did not reply in time.
    if (failure !== null) return;
    isAsked = true;
    session.post("Debugger.pause");
  });
  const found = await inTime(paused);
  if (found === undefined || found === "by another debugger") {
    session.disconnect();
    return found;
  }
  return {
    ...found,
    resume: () => session.disconnect(),
    /** @param {number} code */
    exit: (code) => session.post("Runtime.evaluate", { expression: `process.exit(${code})` }),
  };
}

/**
 * Writes a line in the form of the gateway's log.
 * @param {"error" | "warn"} level
 * @param {{ msg: string, stalledMs: number, stack?: string[] }} fields
 * @returns {Promise<void>}
 */
function log(level, fields) {
  if (!loggedLevels[level]) return Promise.resolve();
  const json = () => JSON.stringify({ level, time: new Date().toISOString(), ...fields });
  const line = `${format === "json" ? json() : textOf(level, fields)}\n`;
  return new Promise((resolve) => write(1, line, () => resolve()));
}

/**
 * The form of the log on a terminal.
 * @param {"error" | "warn"} level
 * @param {{ msg: string, stalledMs: number, stack?: string[] }} fields
 */
function textOf(level, { msg, stalledMs, stack = [] }) {
  const time = new Date().toTimeString().slice(0, 8);
  const sentence = `${level === "error" ? "Error" : "Warning"}: ${msg}`;
  return [`${time}  ${sentence}  (stalledMs ${stalledMs})`, ...stack].join("\n          ");
}

/**
 * @template T
 * @param {Promise<T>} wanted
 * @returns {Promise<T | undefined>}
 */
function inTime(wanted) {
  return Promise.race([wanted, setTimeout(patienceMs, undefined)]);
}
