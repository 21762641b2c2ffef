import type { LoadReport } from "../load/load.js";
import type { BenchGround } from "../measure/bench-ground.js";
import { median } from "../measure/statistics.js";
import { startProgram, stopProgram } from "../processes.js";
import { benchKey, prepareGateway } from "../rivals/gateway.js";
import { listening } from "../rivals/listening.js";
import { smallEmbedding } from "../workloads/small-embedding.js";
import { localModel, makeTexts } from "./texts.js";

/** How long a request takes that only passes through, while local models compute and while they do not. */
export interface StarvingFigures {
  readonly idle: { readonly p50Ms: number; readonly p99Ms: number };
  readonly full: { readonly p50Ms: number; readonly p99Ms: number };
}

const rounds = 5;
const windowMs = 4000;
const compileMs = 15_000;
/** Batches that are under way at once: the workers are never out of work. */
const batches = 4;

export async function measureStarving(ground: BenchGround): Promise<StarvingFigures> {
  const { port, arguments: given, environment } = await prepareGateway(ground, localModel);
  const child = startProgram({
    command: process.execPath,
    arguments: given,
    environment,
    ...(ground.cores === undefined ? {} : { cores: ground.cores }),
  });
  try {
    await listening(port, child);
    await embedBatch(port);
    const pass = (ms: number, concurrency: number) => passThrough({ ground, port, ms, concurrency });
    await pass(compileMs, 32);
    const idle: LoadReport[] = [];
    const full: LoadReport[] = [];
    for (let round = 0; round < rounds; round += 1) {
      idle.push(await pass(windowMs, 1));
      const endLoad = keepBusy(port);
      full.push(await pass(windowMs, 1));
      await endLoad();
    }
    return { idle: figures(idle), full: figures(full) };
  } finally {
    await stopProgram(child);
  }
}

function figures(windows: readonly LoadReport[]): StarvingFigures["idle"] {
  return {
    p50Ms: median(windows.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(windows.map(({ p99Ms }) => p99Ms)),
  };
}

function passThrough({
  ground,
  port,
  ms,
  concurrency,
}: {
  ground: BenchGround;
  port: number;
  ms: number;
  concurrency: number;
}): Promise<LoadReport> {
  return ground.load({
    workload: smallEmbedding.name,
    label: "base64",
    port,
    headers: { authorization: `Bearer ${benchKey}` },
    concurrency,
    windowMs: ms,
    windowMsMax: ms,
    requestsMin: 1,
    samplesMax: 8,
  });
}

/** Returns what ends it. */
function keepBusy(port: number): () => Promise<void> {
  let isOver = false;
  const callers = Array.from({ length: batches }, async () => {
    while (!isOver) await embedBatch(port);
  });
  return async () => {
    isOver = true;
    await Promise.all(callers);
  };
}

async function embedBatch(port: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/embeddings`, {
    method: "POST",
    headers: { authorization: `Bearer ${benchKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "local", input: makeTexts(64) }),
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`A local model answered with a ${answer.status}.`);
}
