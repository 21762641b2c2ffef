import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { readProcessUsage } from "../load/resource-usage.js";
import { startProgram, stopProgram, waitUntilListening } from "../processes.js";
import { benchKey, prepareGateway } from "../rivals/gateway.js";
import type { RivalOptions } from "../rivals/rival.js";
import { inputText } from "../workloads/sample-data.js";
import { median } from "./figures.js";

export interface StartFigures {
  /** From the start of the process to the first response with an upstream's vector. */
  readonly firstResponseMs: number;
  /** The resident memory after that response and a second of idleness. */
  readonly idleBytes: number | undefined;
}

/** Starts the gateway a few times as an operator does: without the probe, and not pinned to a core. */
export async function measureStart(options: RivalOptions, times: number): Promise<StartFigures> {
  const starts: StartFigures[] = [];
  for (let round = 0; round < times; round += 1) starts.push(await startOnce(options));
  const firstResponseMs = median(starts.map((start) => start.firstResponseMs));
  const idle = starts.flatMap((start) => start.idleBytes ?? []);
  return { firstResponseMs, idleBytes: idle.length === 0 ? undefined : median(idle) };
}

async function startOnce(options: RivalOptions): Promise<StartFigures> {
  const { port, program } = await prepareGateway(options);
  const startedAt = performance.now();
  const child = startProgram(program);
  try {
    await waitUntilListening(port, child);
    const response = await fetch(`http://127.0.0.1:${port}/v1/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${benchKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "plain", input: inputText(1) }),
    });
    await response.arrayBuffer();
    if (response.status !== 200)
      throw new Error(`The first response of the gateway has the status ${response.status}.`);
    const firstResponseMs = performance.now() - startedAt;
    await setTimeout(1000);
    return { firstResponseMs, idleBytes: readProcessUsage(child.pid ?? 0)?.rssBytes };
  } finally {
    await stopProgram(child);
  }
}
