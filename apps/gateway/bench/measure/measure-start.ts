import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { readProcessUsage } from "../load/resource-usage.js";
import { freePort, type Program, startProgram, stopProgram, waitUntilListening } from "../processes.js";
import { benchKey, gatewayMain, prepareGateway } from "../rivals/gateway.js";
import type { RivalOptions } from "../rivals/rival.js";
import { inputText } from "../workloads/sample-data.js";
import { median } from "./figures.js";

export interface StartFigures {
  /** From the start of the process to the first response with a vector. */
  readonly firstResponseMs: number;
  /** CPU time of all threads until then. */
  readonly cpuMs: number | undefined;
  /** The resident memory after that response and a second of idleness. */
  readonly idleBytes: number | undefined;
}

/** `remote`: upstreams of the benchmark. `default`: no configuration file, and so the local models. */
export const startKinds = ["remote", "default"] as const;
export type StartKind = (typeof startKinds)[number];

export interface StartOptions extends RivalOptions {
  readonly kind: StartKind;
  /** The built program. Default: this checkout's. */
  readonly main?: string;
}

/** Starts the gateway a few times as an operator does: without the probe, and not pinned to a core. */
export async function measureStarts(options: StartOptions, times: number): Promise<StartFigures> {
  const starts: StartFigures[] = [];
  for (let round = 0; round < times; round += 1) starts.push(await startOnce(options));
  return medianStart(starts);
}

export function medianStart(starts: readonly StartFigures[]): StartFigures {
  const middle = (values: readonly number[]) => (values.length === 0 ? undefined : median(values));
  return {
    firstResponseMs: median(starts.map((start) => start.firstResponseMs)),
    cpuMs: middle(starts.flatMap((start) => start.cpuMs ?? [])),
    idleBytes: middle(starts.flatMap((start) => start.idleBytes ?? [])),
  };
}

export async function startOnce(options: StartOptions): Promise<StartFigures> {
  const { kind, main = gatewayMain } = options;
  const { port, program } =
    kind === "remote" ? await prepareGateway(options, {}, main) : await prepareDefault(options, main);
  const startedAt = performance.now();
  const child = startProgram(program);
  try {
    await waitUntilListening(port, child);
    const response = await fetch(`http://127.0.0.1:${port}/v1/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${benchKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model: kind === "remote" ? "plain" : "gte-small", input: inputText(1) }),
    });
    await response.arrayBuffer();
    if (response.status !== 200)
      throw new Error(`The first response of the gateway has the status ${response.status}.`);
    const firstResponseMs = performance.now() - startedAt;
    const cpuMs = readProcessUsage(child.pid ?? 0)?.cpuMs;
    await setTimeout(1000);
    return { firstResponseMs, cpuMs, idleBytes: readProcessUsage(child.pid ?? 0)?.rssBytes };
  } finally {
    await stopProgram(child);
  }
}

/** Without a configuration file. Other programs of this machine take no part. */
async function prepareDefault(
  { folder }: RivalOptions,
  main: string,
): Promise<{ port: number; program: Program }> {
  const port = await freePort();
  const dataDir = join(folder, `default-${port}`);
  mkdirSync(dataDir, { recursive: true });
  return {
    port,
    program: {
      command: process.execPath,
      arguments: [main, "--no-detect"],
      environment: { GATEWAY_KEY: benchKey, PORT: String(port), DATA_DIR: dataDir },
    },
  };
}
