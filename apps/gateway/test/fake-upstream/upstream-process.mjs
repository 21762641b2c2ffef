/** @import { ChildProcess } from "node:child_process" */
/** @import { Readable } from "node:stream" */
/** @import { Script, Seen } from "./script.js" */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("main.mjs", import.meta.url));
const startsMax = 10;

/**
 * Starts a fake upstream as a process that can be killed, and started again at the same address.
 * @param {{ script?: Script, tally?: string }} [options] `tally` is a file that gets one byte for each request
 */
export async function startUpstreamProcess({ script = {}, tally } = {}) {
  const upstream = new UpstreamProcess(tally);
  await upstream.start(script);
  return upstream;
}

export class UpstreamProcess {
  #tally;
  /** @type {ChildProcess | undefined} */
  #running;
  baseUrl = "";

  /** @param {string | undefined} tally */
  constructor(tally) {
    this.#tally = tally;
  }

  get pid() {
    return this.#running?.pid;
  }

  /** @param {Script} [script] */
  async start(script = {}) {
    if (this.#running !== undefined) return;
    const port = this.baseUrl === "" ? "0" : new URL(this.baseUrl).port;
    const args = [main, "--port", port, "--script", JSON.stringify(script)];
    if (this.#tally !== undefined) args.push("--tally", this.#tally);
    // An outgoing connection of another process may have taken the port meanwhile.
    for (let attempt = 1; this.#running === undefined; attempt += 1) {
      const running = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
      const [line] = await Promise.race([
        once(/** @type {Readable} */ (running.stdout), "data"),
        once(running, "exit"),
      ]);
      if (running.exitCode === null) {
        this.#running = running;
        this.baseUrl = String(line).trim();
      } else if (attempt === startsMax)
        throw new Error(`The fake upstream failed to start ${startsMax} times.`);
    }
  }

  /** By SIGKILL, like a machine that goes down. */
  async kill() {
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined || running.exitCode !== null) return;
    running.kill("SIGKILL");
    await once(running, "exit");
  }

  /** @param {Script} script */
  async follow(script) {
    const response = await fetch(new URL("/__control", this.baseUrl), {
      method: "POST",
      body: JSON.stringify(script),
    });
    if (!response.ok) throw new Error(`The script was refused: ${await response.text()}`);
    await response.arrayBuffer();
  }

  /** @returns {Promise<Seen>} */
  async seen() {
    const response = await fetch(new URL("/__seen", this.baseUrl));
    return /** @type {Promise<Seen>} */ (response.json());
  }
}
