/** Loaded before the gateway, it makes the disk slow for ledger rows, and for nothing else. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const rowMs = 2000;
const { writeSync } = fs;
const clock = new Int32Array(new SharedArrayBuffer(4));

// The types of its many overloads do not matter here.
fs.writeSync = /** @type {typeof writeSync} */ (
  (/** @type {[number, string]} */ ...given) => {
    if (typeof given[1] === "string" && given[1].includes('"req_')) Atomics.wait(clock, 0, 0, rowMs);
    return writeSync(...given);
  }
);
syncBuiltinESMExports();
