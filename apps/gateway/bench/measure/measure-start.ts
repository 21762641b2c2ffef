import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { startProgram, stopProgram } from "../processes.js";
import { benchKey, prepareGateway } from "../rivals/gateway.js";
import { listening } from "../rivals/listening.js";
import { inputText } from "../vectors.js";
import type { BenchGround } from "./bench-ground.js";
import { readProcess } from "./process-figures.js";
import { median } from "./statistics.js";

export interface StartFigures {
  /** From the start of the process to the first answer from the upstream. */
  readonly firstAnswerMs: number;
  /** The memory of a gateway that has answered once and waits. */
  readonly idleBytes?: number;
}

/** Starts the gateway a few times as an operator would, without anything that watches it or a core to keep to. */
export async function measureStart(ground: BenchGround, times: number): Promise<StartFigures> {
  const starts: StartFigures[] = [];
  for (let round = 0; round < times; round += 1) starts.push(await startOnce(ground));
  const firstAnswerMs = median(starts.map((start) => start.firstAnswerMs));
  const idle = starts.flatMap((start) => start.idleBytes ?? []);
  return idle.length === 0 ? { firstAnswerMs } : { firstAnswerMs, idleBytes: median(idle) };
}

async function startOnce(ground: BenchGround): Promise<StartFigures> {
  const { port, arguments: given, environment } = await prepareGateway(ground);
  const startedAt = performance.now();
  const child = startProgram({
    command: process.execPath,
    arguments: given,
    environment,
  });
  try {
    await listening(port, child);
    const answer = await fetch(`http://127.0.0.1:${port}/v1/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${benchKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "plain", input: inputText(1) }),
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`The first answer of the gateway was a ${answer.status}.`);
    const firstAnswerMs = performance.now() - startedAt;
    await setTimeout(1000);
    const idle = readProcess(child.pid ?? 0);
    return idle === undefined ? { firstAnswerMs } : { firstAnswerMs, idleBytes: idle.rssBytes };
  } finally {
    await stopProgram(child);
  }
}
