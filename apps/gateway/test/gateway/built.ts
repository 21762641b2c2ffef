import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtMain } from "./fresh-build.js";
import { senders, type TestGateway, testAdminKey, testConfig, testEnvironment } from "./test-gateway.js";

/** A module to preload, for tests in which a busy machine must not look like a Redis or a worker that hangs. */
export const patientTimers = new URL("patient-timers.mjs", import.meta.url).pathname;

/** The built gateway as a separate process, which may fail to start. */
export interface LaunchedGateway {
  readonly process: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The JSON lines of the log. */
  readonly logLines: string[];
  /** Resolves when the process has ended and its output is read. */
  readonly exit: Promise<number | null>;
  /** Its address, once it listens. Rejects with its last output if it exits before. */
  listening(): Promise<string>;
  /** Sends a question to the module that was loaded first, and waits for its reply. */
  ask(question: string): Promise<unknown>;
}

export interface LaunchOptions {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  /** A module that is loaded before the gateway, and may talk to the test over the channel of the process. */
  readonly preload?: string;
  /** A command that runs the gateway, such as one that sets a limit first. */
  readonly prefix?: readonly string[];
}

/** Starts the gateway in a folder, with an empty environment, and without a look at other servers of this machine. */
export function launchGateway({
  folder,
  environment = {},
  flags = [],
  preload,
  prefix = [],
}: LaunchOptions): LaunchedGateway {
  const loaded = preload === undefined ? [] : ["--import", preload];
  const [command = process.execPath, ...before] = [...prefix, process.execPath];
  const child = spawn(command, [...before, ...loaded, builtMain(), ...flags], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, PORT: "0", GATEWAY_DETECT: "off", ...environment },
    stdio: ["ignore", "pipe", "pipe", ...(preload === undefined ? [] : (["ipc"] as const))],
  });
  const logLines: string[] = [];
  const stdout = collect(child.stdout, (line) => line.startsWith("{") && logLines.push(`${line}\n`));
  const stderr = collect(child.stderr);
  const exit = once(child, "close").then(([code]) => code as number | null);
  return {
    process: child,
    stdout,
    stderr,
    logLines,
    exit,
    listening: () => {
      const address = () => /^Model Gateway is listening on (\S+)$/m.exec(stdout())?.[1];
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = address();
          if (found === undefined) return;
          child.stdout?.off("data", look);
          resolve(found);
        };
        child.stdout?.on("data", look);
        look();
        void exit.then((code) => reject(new Error(`The gateway ended with ${code}: ${stderr()}`)));
      });
    },
    ask: async (question) => {
      const reply = once(child, "message");
      child.send(question);
      return (await reply)[0];
    },
  };
}

/** Collects a stream's output. The result is a function, since more comes later. */
export function collect(
  stream: NodeJS.ReadableStream | null,
  onLine: (line: string) => void = () => undefined,
): () => string {
  let text = "";
  let lineStart = 0;
  stream?.on("data", (chunk) => {
    text += chunk;
    for (let end = text.indexOf("\n", lineStart); end !== -1; end = text.indexOf("\n", lineStart)) {
      onLine(text.slice(lineStart, end));
      lineStart = end + 1;
    }
  });
  return () => text;
}

/** A built gateway that serves. */
export interface BuiltGateway extends TestGateway, Omit<LaunchedGateway, "listening" | "logLines"> {
  readonly pid: number;
  /** By SIGTERM. Resolves with the exit code. */
  stop(): Promise<number | null>;
  /** By SIGKILL. */
  kill(): Promise<void>;
}

/** A folder in which built gateways run, at once or one after the other. */
export class GatewayFolder {
  readonly folder = mkdtempSync(join(tmpdir(), "gateway-folder-"));
  readonly environment: Readonly<Record<string, string>>;
  readonly #launched: LaunchedGateway[] = [];

  /** @param config Without it there is no configuration file. */
  constructor(config?: string, environment: Readonly<Record<string, string>> = {}) {
    this.environment = { GATEWAY_ADMIN_KEY: testAdminKey, ...environment };
    if (config !== undefined) this.configure(config);
  }

  configure(config: string): void {
    this.write("gateway.yaml", config);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** The output of all gateways. */
  get output(): string {
    return this.#launched.map(({ stdout, stderr }) => `${stdout()}${stderr()}`).join("");
  }

  /** Starts one that may be meant to fail. */
  launch(
    environment: Readonly<Record<string, string>> = {},
    options: Pick<LaunchOptions, "flags" | "preload" | "prefix"> = {},
  ): LaunchedGateway {
    const launched = launchGateway({
      folder: this.folder,
      environment: { ...this.environment, ...environment },
      ...options,
    });
    this.#launched.push(launched);
    return launched;
  }

  /** Resolves when it serves. */
  async start(
    environment: Readonly<Record<string, string>> = {},
    options: Pick<LaunchOptions, "flags" | "preload" | "prefix"> = {},
  ): Promise<BuiltGateway> {
    const launched = this.launch(environment, options);
    const url = await launched.listening();
    const pid = launched.process.pid ?? 0;
    const dataDir = join(this.folder, "data");
    return {
      ...launched,
      ...senders(url),
      url,
      pid,
      dataDir,
      spooled: () => readdir(join(dataDir, "form-spool", String(pid))),
      stop: () => end(launched, "SIGTERM"),
      kill: async () => void (await end(launched, "SIGKILL")),
    };
  }

  /** Kills running gateways, and removes the folder. */
  async remove(): Promise<void> {
    for (const launched of this.#launched) await end(launched, "SIGKILL");
    await rm(this.folder, { recursive: true, force: true });
  }
}

/**
 * Starts a built gateway with the test key in a new folder, as `startGateway` does from the sources. `stop` removes the
 * folder.
 */
export async function startBuiltGateway(
  config: string,
  { environment = {}, ...options }: Pick<LaunchOptions, "environment" | "flags" | "preload" | "prefix"> = {},
): Promise<BuiltGateway> {
  const folder = new GatewayFolder(`${testConfig}${config}`, { ...testEnvironment, ...environment });
  try {
    const gateway = await folder.start({}, options);
    const removeAfter =
      <T>(finish: () => Promise<T>) =>
      () =>
        finish().finally(() => folder.remove());
    return { ...gateway, stop: removeAfter(gateway.stop), kill: removeAfter(gateway.kill) };
  } catch (failure) {
    await folder.remove();
    throw failure;
  }
}

function end(launched: LaunchedGateway, signal: NodeJS.Signals): Promise<number | null> {
  launched.process.kill(signal);
  return launched.exit;
}
