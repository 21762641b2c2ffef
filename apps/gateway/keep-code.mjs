/**
 * Starts the built gateway once, so that it keeps its compiled code beside itself (decision 0116). Run by the build, and
 * where an image is built, since a gateway may not write there later.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const main = join(import.meta.dirname, "dist/main.js");
const cache = join(import.meta.dirname, "dist/code.cache");
const waitMsMax = 60_000;

rmSync(cache, { force: true });
const folder = mkdtempSync(join(tmpdir(), "keep-code-"));
const gateway = spawn(process.execPath, [main, "--no-detect"], {
  cwd: folder,
  env: { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0", DATA_DIR: folder },
  stdio: ["ignore", "ignore", "inherit"],
});
const exited = once(gateway, "exit");
const endAt = performance.now() + waitMsMax;
while (!existsSync(cache) && gateway.exitCode === null && performance.now() < endAt) await setTimeout(100);
gateway.kill("SIGTERM");
await exited;
rmSync(folder, { recursive: true });
if (!existsSync(cache)) throw new Error(`The gateway did not write ${cache}.`);
