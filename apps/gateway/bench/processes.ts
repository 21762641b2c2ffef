import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

export interface Program {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** The cores it may run on, in taskset's notation; undefined if nothing is pinned. */
  readonly cores?: string | undefined;
}

/** Starts a program with an IPC channel. Its log is discarded; its standard error is shown. */
export function startProgram({ command, arguments: given, environment = {}, cores }: Program): ChildProcess {
  const [file, ...rest] =
    cores === undefined ? [command, ...given] : ["taskset", "-c", cores, command, ...given];
  const child = spawn(file ?? command, rest, {
    // Writing a log line to /dev/null still costs the system call, but no disk.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...environment },
    serialization: "advanced",
  });
  // No child outlives the benchmark.
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  return child;
}

/** A script of the benchmark, run by Node. The path is relative to this file. */
export function nodeProgram(script: string, more: Partial<Program> = {}): Program {
  return {
    ...more,
    command: more.command ?? process.execPath,
    arguments: [new URL(script, import.meta.url).pathname, ...(more.arguments ?? [])],
  };
}

/** Sends a message to a child and returns the next one that it sends. */
export async function ask(child: ChildProcess, message: object | string): Promise<unknown> {
  const reply = nextMessage(child);
  child.send(message);
  return reply;
}

export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const exited = once(child, "exit", over).then(([code, signal]) => {
    throw exitError(child, code ?? signal);
  });
  try {
    const [message] = await Promise.race([once(child, "message", over), exited]);
    return message;
  } finally {
    over.abort();
    await exited.catch(() => undefined);
  }
}

/** Sends SIGTERM, and SIGKILL if the program still runs after five seconds. */
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

export async function waitUntilListening(port: number, child: ChildProcess): Promise<void> {
  for (let attempts = 0; attempts < 6000; attempts += 1) {
    if (child.exitCode !== null) throw exitError(child, child.exitCode);
    if (await isListening(port)) return;
    await setTimeout(5);
  }
  throw new Error(`${child.spawnargs.join(" ")} did not listen on port ${port} within 30 seconds.`);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const settle = (connected: boolean) => {
      socket.destroy();
      resolve(connected);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}

function exitError(child: ChildProcess, status: number | string): Error {
  return new Error(`${child.spawnargs.join(" ")} exited unexpectedly (${status}).`);
}
