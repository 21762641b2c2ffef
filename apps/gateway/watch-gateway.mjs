import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { watch } from "rolldown";
import { commands, server } from "./rolldown.config.mjs";

/** A gateway with a request in flight drains it. While one develops, the next version does not wait for long. */
const drainMs = 1000;

/**
 * Bundles the sources into `out`, runs the gateway, and does both again when a source changes. Types are removed, not
 * checked: that takes longer than the rest. A source that cannot be read leaves the last version running.
 *
 * @param {{ readonly source: string, readonly out: string, readonly args: readonly string[] }} options
 */
export function watchGateway({ source, out, args }) {
  const gateway = new RestartedProcess([join(out, "main.js"), ...args]);
  const watcher = watch([commands, server].map((build) => fromSources(build, { source, out })));
  let startedAt = 0;
  let isBroken = false;
  watcher.on("event", async (event) => {
    if (event.code === "START") {
      startedAt = performance.now();
      isBroken = false;
    }
    if (event.code === "ERROR") {
      isBroken = true;
      say(`The sources cannot be bundled. ${event.error.message}`);
    }
    if (event.code === "BUNDLE_END" || event.code === "ERROR") await event.result.close();
    if (event.code === "END" && !isBroken) {
      say(`Bundled in ${Math.round(performance.now() - startedAt)} ms. The gateway starts.`);
      gateway.restart();
    }
  });
  let isStopping = false;
  const stop = async () => {
    // npm passes Ctrl-C on that the terminal has sent already.
    if (isStopping) return;
    isStopping = true;
    await Promise.all([watcher.close(), gateway.stop()]);
    process.exit(0);
  };
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => void stop());
}

/**
 * A build from the sources, before the compiler, into another folder.
 *
 * @param {import("rolldown").RolldownOptions} build
 * @param {{ readonly source: string, readonly out: string }} folders
 * @returns {import("rolldown").RolldownOptions}
 */
function fromSources(build, { source, out }) {
  const input = Object.fromEntries(
    Object.entries(/** @type {Record<string, string>} */ (build.input)).map(([name, path]) => {
      const file = path.replace("dist/modules/", "").replace(/\.js$/, ".ts");
      return [name, join(source, file)];
    }),
  );
  return {
    ...build,
    input,
    // The sources import each other by the names that they have once they are compiled.
    resolve: {
      extensionAlias: { ".js": [".js", ".ts"] },
      conditionNames: ["model-gateway-source", "node"],
    },
    plugins: [],
    output: { .../** @type {import("rolldown").OutputOptions} */ (build.output), dir: out },
  };
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`${text}\n`);
}

/** A process that is replaced by the next one. Only one runs at a time, since they share a port and a folder. */
class RestartedProcess {
  #args;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #running;
  /** @type {Promise<void>} */
  #turn = Promise.resolve();

  /** @param {readonly string[]} args */
  constructor(args) {
    this.#args = args;
  }

  restart() {
    this.#turn = this.#turn.then(async () => {
      await this.#end();
      this.#running = spawn(process.execPath, [...this.#args], { stdio: "inherit" });
    });
  }

  stop() {
    return this.#turn.then(() => this.#end());
  }

  async #end() {
    const child = this.#running;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGINT");
    // The second signal exits at once.
    const timer = setTimeout(() => child.kill("SIGINT"), drainMs);
    await exited;
    clearTimeout(timer);
  }
}
