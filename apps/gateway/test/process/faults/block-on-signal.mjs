/**
 * Loaded before a gateway: SIGUSR2 blocks its event loop until the file `unblock` is in its folder, and SIGWINCH blocks it
 * inside native code.
 */
import { spawnSync } from "node:child_process";
import { existsSync, unlinkSync } from "node:fs";

process.on("SIGUSR2", () => parseForever("text of a caller"));
process.on("SIGWINCH", () => spawnSync("sleep", ["300"]));

/** @param {string} text */
function parseForever(text) {
  for (let at = 0; !existsSync("unblock"); at += 1) text.charCodeAt(at % text.length);
  unlinkSync("unblock");
}
