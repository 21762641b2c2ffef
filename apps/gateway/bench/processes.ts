import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

export interface Program {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** The cores that it may run on, as taskset has them; absent where nothing is pinned. */
  readonly cores?: string;
}

/** Starts a program that the benchmark can talk to. What it logs is thrown away; what it complains of is shown. */
export function startProgram({ command, arguments: given, environment = {}, cores }: Program): ChildProcess {
  const [file, ...rest] =
    cores === undefined ? [command, ...given] : ["taskset", "-c", cores, command, ...given];
  const child = spawn(file ?? command, rest, {
    // A log that goes to a device costs the writing, and no disk.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...environment },
    serialization: "advanced",
  });
  // Whatever ends the benchmark ends what it started.
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  return child;
}

/** Node with a script of the benchmark. */
export function nodeProgram(script: string, more: Partial<Program> = {}): Program {
  return {
    ...more,
    command: process.execPath,
    arguments: [new URL(script, import.meta.url).pathname, ...(more.arguments ?? [])],
  };
}

export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const exited = once(child, "exit", over).then(([code, signal]) => {
    throw new Error(`${child.spawnargs.join(" ")} ended (${code ?? signal}).`);
  });
  try {
    const [message] = await Promise.race([once(child, "message", over), exited]);
    return message;
  } finally {
    over.abort();
    await exited.catch(() => undefined);
  }
}

/** Asks it to stop, and insists after a while. */
export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const timer = new AbortController();
  await Promise.race([exited, setTimeout(5000, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
  if (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGKILL");
    await exited;
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
