import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, vi } from "vitest";

/** The built gateway as a process of its own. */
export interface GatewayProcess {
  readonly process: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exit: Promise<number | null>;
  /** Where it listens, once it says so. */
  url(): Promise<string>;
}

export interface GatewayProcessOptions {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

/** Starts it in a folder of its own, with nothing of the environment of the tests. */
export function startGatewayProcess({
  folder,
  environment = {},
  flags = [],
}: GatewayProcessOptions): GatewayProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../dist/main.js"), ...flags], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  return {
    process: child,
    stdout,
    stderr,
    // `close` comes when its output is read to the end.
    exit: once(child, "close").then(([code]) => code as number | null),
    url: async () => {
      const address = () => /^Model Gateway is listening on (\S+)$/m.exec(stdout())?.[1];
      await vi.waitUntil(() => address() ?? child.exitCode !== null, { timeout: 60_000, interval: 20 });
      return address() ?? expect.fail(stderr());
    },
  };
}

export function collect(stream: NodeJS.ReadableStream): () => string {
  let text = "";
  stream.on("data", (chunk) => {
    text += chunk;
  });
  return () => text;
}
