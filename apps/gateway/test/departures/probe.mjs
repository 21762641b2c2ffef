/**
 * Loaded into the process of a gateway before the gateway. Asked over the channel, it reports what the process holds:
 * what keeps it alive, what is on its heap, and what it has open.
 */
import { EventEmitter } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const Timeout = setTimeout(() => undefined, 0).constructor;

process.on("message", async () => {
  // The timer of a signal is cleared by a task of its own, after the signal was collected.
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  // Twice, because the channel itself waits for the next turn of the event loop with every message.
  await setImmediate();
  await setImmediate();
  process.send?.(snapshot());
});
// The channel alone does not keep a gateway alive that stops.
process.channel?.unref();

function snapshot() {
  return {
    timers: count(Timeout),
    // Sockets, requests, answers and streams are all of this kind.
    emitters: count(EventEmitter),
    active: tally(process.getActiveResourcesInfo()),
    open: tally(openFiles().map((path) => path.replace(/^(socket|pipe|anon_inode):.*/, "$1"))),
  };
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
