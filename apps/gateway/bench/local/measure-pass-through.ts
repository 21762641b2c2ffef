import type { LoadReport } from "../load/load-job.js";
import { median } from "../measure/figures.js";
import type { Testbed } from "../measure/testbed.js";
import { startProgram, stopProgram, waitUntilListening } from "../processes.js";
import { benchKey, prepareGateway } from "../rivals/gateway.js";
import { smallEmbedding } from "../workloads/embeddings.js";
import { createTexts, localModel } from "./embedding-job.js";

/** The latency of a request to an upstream while the gateway's local models are idle and while they are busy. */
export interface PassThroughFigures {
  readonly idle: { readonly p50Ms: number; readonly p99Ms: number };
  readonly busy: { readonly p50Ms: number; readonly p99Ms: number };
}

const rounds = 5;
const windowMs = 4000;
const compileMs = 15_000;
/** Batches in flight to the local model, enough to keep its workers busy. */
const batches = 4;

export async function measurePassThrough(testbed: Testbed): Promise<PassThroughFigures> {
  const { port, arguments: given, environment } = await prepareGateway(testbed, { localModel });
  const child = startProgram({
    command: process.execPath,
    arguments: given,
    environment,
    ...(testbed.cores === undefined ? {} : { cores: testbed.cores }),
  });
  const passThrough = (ms: number, concurrency: number) =>
    testbed.load({
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
  try {
    await waitUntilListening(port, child);
    await embedBatch(port);
    await passThrough(compileMs, 32);
    const idle: LoadReport[] = [];
    const busy: LoadReport[] = [];
    for (let round = 0; round < rounds; round += 1) {
      idle.push(await passThrough(windowMs, 1));
      const stop = keepBusy(port);
      busy.push(await passThrough(windowMs, 1));
      await stop();
    }
    return { idle: latencies(idle), busy: latencies(busy) };
  } finally {
    await stopProgram(child);
  }
}

function latencies(windows: readonly LoadReport[]): PassThroughFigures["idle"] {
  return {
    p50Ms: median(windows.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(windows.map(({ p99Ms }) => p99Ms)),
  };
}

/** Sends batches to the local model until the returned function is called. */
function keepBusy(port: number): () => Promise<void> {
  let isStopped = false;
  const callers = Array.from({ length: batches }, async () => {
    while (!isStopped) await embedBatch(port);
  });
  return async () => {
    isStopped = true;
    await Promise.all(callers);
  };
}

async function embedBatch(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/embeddings`, {
    method: "POST",
    headers: { authorization: `Bearer ${benchKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "local", input: createTexts(64) }),
  });
  await response.arrayBuffer();
  if (response.status !== 200)
    throw new Error(`The response of a local model has the status ${response.status}.`);
}
