import { type ChildProcess, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { median } from "../measure/figures.js";
import { ask, nextMessage, nodeProgram, startProgram, stopProgram } from "../processes.js";
import type { EmbeddingJob, EmbeddingReport } from "./embedding-job.js";

/** Texts per second on the same cores, in turn. */
export interface EngineFigures {
  readonly cores: string;
  readonly engine: number;
  readonly plain: number;
  readonly ratio: number;
}

const rounds = 5;
const windowMs = 4000;

/** Compares the gateway's engine with a plain loop around onnxruntime: on one core if possible, and on all cores. */
export async function compareEngines(): Promise<EngineFigures[]> {
  const all = availableParallelism();
  const canPin = all > 1 && spawnSync("taskset", ["-V"]).status === 0;
  return [...(canPin ? [await compare("1", "0")] : []), await compare(String(all))];
}

async function compare(cores: string, pinnedTo?: string): Promise<EngineFigures> {
  const engine = await startLoop("engine", pinnedTo);
  const plain = await startLoop("plain", pinnedTo);
  try {
    const pairs: [number, number][] = [];
    // The first round compiles and loads, and does not count.
    for (let round = 0; round <= rounds; round += 1)
      pairs.push([await textsPerSecond(engine), await textsPerSecond(plain)]);
    const counted = pairs.slice(1);
    return {
      cores,
      engine: median(counted.map(([ours]) => ours)),
      plain: median(counted.map(([, theirs]) => theirs)),
      ratio: median(counted.map(([ours, theirs]) => ours / theirs)),
    };
  } finally {
    await Promise.all([engine, plain].map(stopProgram));
  }
}

async function startLoop(kind: "engine" | "plain", cores: string | undefined): Promise<ChildProcess> {
  const child = startProgram(
    nodeProgram("local/embed-loop.js", { arguments: [kind], ...(cores === undefined ? {} : { cores }) }),
  );
  await nextMessage(child);
  return child;
}

async function textsPerSecond(child: ChildProcess): Promise<number> {
  const report = await ask(child, { ms: windowMs } satisfies EmbeddingJob);
  return (report as EmbeddingReport).textsPerSecond;
}
