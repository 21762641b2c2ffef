import { type ChildProcess, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { median } from "../measure/statistics.js";
import { nextMessage, nodeProgram, startProgram, stopProgram } from "../processes.js";
import type { LoopOrder, LoopReport } from "./loop.js";

/** How many texts a second each makes, on the same cores, in turn. */
export interface EngineFigures {
  readonly cores: string;
  readonly engine: number;
  readonly plain: number;
  readonly ratio: number;
}

const rounds = 5;
const windowMs = 4000;

/** The engine beside a plain loop around onnxruntime: on one core where that can be had, and on all of them. */
export async function compareEngines(): Promise<EngineFigures[]> {
  const all = availableParallelism();
  const mayPin = all > 1 && spawnSync("taskset", ["-V"]).status === 0;
  return [...(mayPin ? [await compare("1", "0")] : []), await compare(String(all))];
}

async function compare(cores: string, pinnedTo?: string): Promise<EngineFigures> {
  const start = (script: string) => startLoop(script, pinnedTo);
  const [engine, plain] = [await start("local/engine-loop.js"), await start("local/plain-loop.js")];
  try {
    const pairs: [number, number][] = [];
    // Whatever is compiled or loaded at first use is so after the first round.
    for (let round = 0; round <= rounds; round += 1) pairs.push([await run(engine), await run(plain)]);
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

async function startLoop(script: string, cores: string | undefined): Promise<ChildProcess> {
  const child = startProgram(nodeProgram(script, cores === undefined ? {} : { cores }));
  await nextMessage(child);
  return child;
}

async function run(child: ChildProcess): Promise<number> {
  const report = nextMessage(child);
  child.send({ ms: windowMs } satisfies LoopOrder);
  return ((await report) as LoopReport).textsPerSecond;
}
