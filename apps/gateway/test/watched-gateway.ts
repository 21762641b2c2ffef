import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testKey } from "./running-gateway.js";

const main = join(import.meta.dirname, "../dist/main.js");

export interface WatchedGateway {
  readonly url: string;
  readonly pid: number;
  /** What forms have left on disk. */
  readonly spooled: () => string[];
  /** The lines of its log, which are only about errors. */
  readonly logged: () => string[];
  /** Asks what was loaded before the gateway, and waits for what it says. */
  readonly ask: () => Promise<unknown>;
  /** By SIGTERM, with care. Gives the exit code. */
  readonly stop: () => Promise<number | null>;
  /** At once, whatever it does, and with all that it has written. */
  readonly remove: () => Promise<void>;
}

/** Starts the built gateway as a process of its own, with the test key, and perhaps a module that is loaded first. */
export async function startWatchedGateway(config: string, preload?: string): Promise<WatchedGateway> {
  const folder = mkdtempSync(join(tmpdir(), "gateway-process-"));
  writeFileSync(join(folder, "gateway.yaml"), `keys: [{ name: tester, key: ${testKey} }]\n${config}`);
  const child = spawn(process.execPath, [...(preload === undefined ? [] : ["--import", preload]), main], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: "0", LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let said = "";
  const exit = once(child, "exit").then(([code]) => code as number | null);
  const url = await new Promise<string>((resolve, reject) => {
    void exit.then((code) => reject(new Error(`The gateway ended with ${code}.`)));
    child.stdout?.on("data", (text) => {
      said += text;
      const found = /listening on (http:\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const pid = child.pid ?? 0;
  return {
    url,
    pid,
    spooled: () => readdirSync(join(folder, "data/form-spool", String(pid))),
    logged: () => said.split("\n").filter((line) => line.startsWith("{")),
    ask: async () => {
      const told = once(child, "message");
      child.send("tell");
      return (await told)[0];
    },
    stop: () => {
      child.kill("SIGTERM");
      return exit;
    },
    remove: async () => {
      child.kill("SIGKILL");
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
