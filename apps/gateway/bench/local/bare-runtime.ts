/**
 * A process: onnxruntime-node without the engine, as a careful user calls it. The texts of a call are sorted by length and
 * run in batches, each padded to its longest text. Arguments: the threads of a run, and the most padded tokens of a
 * batch; with 0, every text runs alone, as in the engine.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import type { Calls, LocalWindow } from "./local-window.js";

const engineFolder = fileURLToPath(new URL("../../../../../packages/local-embeddings/", import.meta.url));
const modelFolder = join(engineFolder, "weights/gte-small");
const textsMax = 32;
const [threads = 1, tokensMax = 0] = process.argv.slice(2).map(Number);

/** The used parts of two packages that only the engine depends on. */
interface Runtime {
  readonly InferenceSession: { create(path: string, options: object): Promise<Session> };
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => object;
}
interface Session {
  readonly inputNames: readonly string[];
  run(feeds: object, outputs: readonly string[]): Promise<Record<string, { readonly data: Float32Array }>>;
}
interface Tokenizers {
  readonly Tokenizer: new (
    definition: object,
    settings: object,
  ) => { encode(text: string): { readonly ids: number[] } };
}

lowerPriority();
const require = createRequire(join(engineFolder, "package.json"));
const { InferenceSession, Tensor } = require("onnxruntime-node") as Runtime;
const { Tokenizer } = require("@huggingface/tokenizers") as Tokenizers;
const readJson = (name: string) => JSON.parse(readFileSync(join(modelFolder, name), "utf8"));
const tokeniser = new Tokenizer(
  { ...readJson("tokenizer.json"), truncation: null, padding: null },
  readJson("tokenizer_config.json"),
);
const session = await InferenceSession.create(join(modelFolder, "model.onnx"), {
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  enableMemPattern: false,
  logSeverityLevel: 3,
});

process.on("message", async (calls: Calls) => process.send?.(await measure(calls)));
process.on("disconnect", () => process.exit());
process.send?.("ready");

/** The engine's workers have this priority. Without it, other load would slow only the engine. */
function lowerPriority(): void {
  if (process.platform !== "linux") return;
  for (const thread of readdirSync("/proc/self/task"))
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
}

async function measure(calls: Calls): Promise<LocalWindow> {
  const vectors: Float32Array[] = [];
  let tokeniseMs = 0;
  const cpuStart = process.cpuUsage();
  const start = performance.now();
  for (const texts of calls) {
    const tokeniseStart = performance.now();
    const tokenIds = texts.map((text) => tokeniser.encode(text).ids);
    tokeniseMs += performance.now() - tokeniseStart;
    vectors.push(...(await embed(tokenIds)));
  }
  const elapsedMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuStart);
  return { elapsedMs, cpuMs: (user + system) / 1000, tokeniseMs, vectors };
}

async function embed(tokenIds: readonly (readonly number[])[]): Promise<readonly Float32Array[]> {
  const vectors = new Array<Float32Array>(tokenIds.length);
  for (const batch of planBatches(tokenIds)) {
    const embedded = await runBatch(batch.map(({ ids }) => ids));
    for (const [row, { index }] of batch.entries()) vectors[index] = embedded[row] ?? new Float32Array();
  }
  return vectors;
}

interface Row {
  readonly index: number;
  readonly ids: readonly number[];
}

function planBatches(tokenIds: readonly (readonly number[])[]): readonly Row[][] {
  const rows = tokenIds.map((ids, index) => ({ index, ids })).sort((a, b) => a.ids.length - b.ids.length);
  const batches: Row[][] = [];
  for (const row of rows) {
    const last = batches.at(-1);
    // Sorted: this row is the longest of its batch.
    const fits =
      last !== undefined && last.length < textsMax && (last.length + 1) * row.ids.length <= tokensMax;
    if (fits) last.push(row);
    else batches.push([row]);
  }
  return batches;
}

async function runBatch(batch: readonly (readonly number[])[]): Promise<readonly Float32Array[]> {
  const length = Math.max(...batch.map((ids) => ids.length));
  const size = batch.length * length;
  const input_ids = new BigInt64Array(size);
  const attention_mask = new BigInt64Array(size);
  for (const [row, ids] of batch.entries())
    for (const [at, id] of ids.entries()) {
      input_ids[row * length + at] = BigInt(id);
      attention_mask[row * length + at] = 1n;
    }
  const inputs: Record<string, BigInt64Array> = { input_ids, attention_mask };
  const feeds = Object.fromEntries(
    session.inputNames.map((name) => [
      name,
      new Tensor("int64", inputs[name] ?? new BigInt64Array(size), [batch.length, length]),
    ]),
  );
  const { last_hidden_state: output } = await session.run(feeds, ["last_hidden_state"]);
  const values = output?.data ?? new Float32Array();
  const width = values.length / size;
  return batch.map((ids, row) => unitMean(values.subarray(row * length * width), ids.length, width));
}

/** The mean of the first token vectors, with the length 1. */
function unitMean(values: Float32Array, tokenCount: number, width: number): Float32Array {
  const mean = new Float32Array(width);
  for (let token = 0; token < tokenCount; token += 1)
    for (let at = 0; at < width; at += 1) mean[at] = (mean[at] ?? 0) + (values[token * width + at] ?? 0);
  let squares = 0;
  for (let at = 0; at < width; at += 1) squares += (mean[at] ?? 0) ** 2;
  return mean.map((value) => value / Math.sqrt(squares));
}
