// @ts-check
// Entry of the thread that watches the main thread's event loop. Plain JavaScript, so that the same file runs from
// source and from the build. CommonJS: it starts with the first requests, and Node's loader of modules takes 18 ms.
const { readFileSync, write } = require("node:fs");
const { setTimeout } = require("node:timers/promises");
const { parentPort, workerData } = require("node:worker_threads");

/** @type {import("./watchdog.js").WatchdogData} */
const { state, beatMs, stallBeats, shortStallBeats, activeRequestsName, ...settings } = workerData;
const { exitCode, hasInspector, format, loggedLevels } = settings;

/** Time for the main thread to show its stack, to write a line, or to exit. Native code prevents all three. */
const patienceMs = 5000;
/** A line stays below 4,096 bytes, which a pipe takes at once, so that lines of several processes do not mix. */
const framesMax = 20;
const frameLettersMax = 160;

let lastBeat = 0;
let missedBeats = 0;
let isReported = false;
/** When the first beat was missed. */
let timesBefore = mainTimes();
/**
 * The stall that goes on.
 * @type {Pick<import("./watchdog.js").NotedStall, "stack" | "active"> | undefined}
 */
let noted;

// Beats are counted, not time: after a sleep of the machine or SIGSTOP, both threads go on together.
setInterval(() => {
  const beat = Atomics.load(state, 0);
  if (beat !== lastBeat) {
    if (isReported) void log("warn", { stalledMs: missedBeats * beatMs, msg: "The gateway responds again." });
    if (missedBeats >= shortStallBeats) passOn(missedBeats * beatMs);
    lastBeat = beat;
    missedBeats = 0;
    isReported = false;
    noted = undefined;
    return;
  }
  missedBeats += 1;
  if (missedBeats === 1) timesBefore = mainTimes();
  const isInspected = Atomics.load(state, 1) === 1;
  if (isReported || isInspected) return;
  if (missedBeats === shortStallBeats && hasInspector) void look();
  if (missedBeats < stallBeats) return;
  isReported = true;
  void report();
}, beatMs);

/** Notes the stack and the requests of a stall, and lets the main thread go on. */
async function look() {
  const beat = lastBeat;
  const paused = await pauseMainThread();
  if (paused === undefined || paused === "by another debugger") return;
  const active = await paused.activeRequests();
  paused.resume();
  // Otherwise it was native code that has ended, and the stack is of another turn.
  if (Atomics.load(state, 0) === beat && beat === lastBeat) noted = { stack: paused.stack, active };
}

/**
 * Tells the main thread about a stall that is over. It logs and counts it.
 * @param {number} stalledMs
 */
function passOn(stalledMs) {
  const times = mainTimes();
  const cpuMs = times && timesBefore && Math.round(times.cpuMs - timesBefore.cpuMs);
  const waitedMs = times && timesBefore ? times.waitedMs - timesBefore.waitedMs : 0;
  // A machine that is too busy to run the thread has stalled it, and not its code. The first beats are not measured.
  if (stalledMs - waitedMs < (shortStallBeats - 1) * beatMs) return;
  const { stack = [], active = { inFlight: 0, requests: [] } } = noted ?? {};
  parentPort?.postMessage({ stalledMs, cpuMs, stack, active, isLogged: isReported });
}

/** For how long the main thread has run so far, and for how long it has waited for a CPU. Only Linux says so. */
function mainTimes() {
  try {
    const [ran = 0, waited = 0] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8")
      .split(" ")
      .map(Number);
    return { cpuMs: ran / 1e6, waitedMs: waited / 1e6 };
  } catch {
    return null;
  }
}

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
    /** @returns {Promise<import("../app/active-requests.js").ActiveRequestsReport>} */
    activeRequests: () =>
      new Promise((resolve) => {
        const expression = `globalThis[Symbol.for(${JSON.stringify(activeRequestsName)})]()`;
        session.post("Runtime.evaluate", { expression, returnByValue: true }, (failure, reply) =>
          resolve(failure === null ? reply.result.value : undefined),
        );
      }),
    /** @param {number} code */
    exit: (code) => void session.post("Runtime.evaluate", { expression: `process.exit(${code})` }),
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
