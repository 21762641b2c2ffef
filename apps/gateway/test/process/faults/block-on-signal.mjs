/**
 * Loaded before a gateway: SIGUSR2 blocks its event loop until the file `unblock` is in its folder, and SIGWINCH blocks it
 * inside native code. A text with "spend half a second" takes that long to parse.
 */
import { spawnSync } from "node:child_process";
import { existsSync, unlinkSync } from "node:fs";

process.on("SIGUSR2", () => parseForever("text of a caller"));
process.on("SIGWINCH", () => spawnSync("sleep", ["300"]));

const { parse } = JSON;
JSON.parse = function parseSlowly(text, ...more) {
  if (String(text).includes("spend half a second")) spend(500_000);
  return parse(text, ...more);
};

/**
 * CPU time, not time: on a busy machine, the thread may hardly run.
 * @param {number} micros
 */
function spend(micros) {
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user < user + micros);
}

/** @param {string} text */
function parseForever(text) {
  for (let at = 0; !existsSync("unblock"); at += 1) text.charCodeAt(at % text.length);
  unlinkSync("unblock");
}
