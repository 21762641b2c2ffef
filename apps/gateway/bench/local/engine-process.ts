/** A process with the engine of `packages/local-embeddings`. Argument: the URL of its module. */
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { EmbeddingEngine } from "@model-gateway/local-embeddings";
import { type Calls, type Latency, type LocalWindow, latencyOf } from "./local-window.js";

/** Single texts, alone or beside bulk calls that always have texts waiting. */
export interface SinglesJob {
  readonly singles: readonly string[];
  /** Empty: the single texts are alone. */
  readonly bulk: readonly string[];
}

const model = "gte-small";
const pauseMs = 20;
const bulkCalls = 2;

const { openEmbeddingEngine } = (await import(
  process.argv[2] ?? ""
)) as typeof import("@model-gateway/local-embeddings");
const engine: EmbeddingEngine = await openEmbeddingEngine();
await engine.warm(model);

process.on("message", async (job: Calls | SinglesJob) =>
  process.send?.(await ("singles" in job ? measureSingles(job) : measure(job))),
);
process.on("disconnect", () => process.exit());
// The runtime aborts the process if a worker ends inside it.
process.on("SIGTERM", () => void engine.close().then(() => process.exit()));
process.send?.("ready");

async function measure(calls: Calls): Promise<LocalWindow> {
  const vectors: Float32Array[] = [];
  const cpuStart = process.cpuUsage();
  const start = performance.now();
  for (const texts of calls) vectors.push(...(await engine.embed(model, texts)).vectors);
  const elapsedMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuStart);
  return { elapsedMs, cpuMs: (user + system) / 1000, vectors };
}

async function measureSingles({ singles, bulk }: SinglesJob): Promise<Latency> {
  let isOver = false;
  const repeat = async () => {
    while (!isOver) await engine.embed(model, bulk, { priority: "bulk" });
  };
  const running = bulk.length === 0 ? [] : Array.from({ length: bulkCalls }, repeat);
  const times: number[] = [];
  for (const single of singles) {
    await setTimeout(pauseMs);
    const start = performance.now();
    await engine.embed(model, [single]);
    times.push(performance.now() - start);
  }
  isOver = true;
  await Promise.all(running);
  return latencyOf(times);
}
