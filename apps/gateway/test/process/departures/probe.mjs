/**
 * Loaded into a gateway's process before the gateway. On request, it reports the process's resources: active handles,
 * heap objects and open files.
 */
import { EventEmitter } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const Timeout = setTimeout(() => undefined, 0).constructor;

process.on("message", async (question) => {
  // The channel itself waits for the next turn of the event loop with every message.
  await setImmediate();
  await setImmediate();
  const active = tally(process.getActiveResourcesInfo());
  process.send?.(question === "snapshot" ? { ...(await snapshot()), active } : active);
});
// The channel alone does not keep a gateway alive that stops.
process.channel?.unref();

/** Takes long: it collects the garbage and looks at every object. */
async function snapshot() {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  // A separate task clears a signal's timer, after the signal was collected.
  await setImmediate();
  await setImmediate();
  return {
    timers: count(Timeout),
    // Sockets, requests, responses and streams are all of this kind.
    emitters: count(EventEmitter),
    open: tally(openFiles().map(withoutNumber)),
  };
}

/**
 * A file of the ledger's spool is followed by one with the next number. Sockets have numbers, too.
 *
 * @param {string} path
 */
function withoutNumber(path) {
  return path.replace(/^(socket|pipe|anon_inode):.*/, "$1").replace(/\d+\.rows$/, "*.rows");
}

/** @param {Function} kind */
function count(kind) {
  return Number(queryObjects(kind, { format: "count" }));
}

/** @param {readonly string[]} names */
function tally(names) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Known on Linux only. */
function openFiles() {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      // The one by which the folder was read is closed by now.
      return [];
    }
  });
}
