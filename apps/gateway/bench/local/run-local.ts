import { availableParallelism } from "node:os";
import type { Testbed } from "../measure/testbed.js";
import {
  type EngineContender,
  type LocalContender,
  startBare,
  startEngine,
  startGatewayContender,
} from "./contenders.js";
import type { LocalMeasurement, LocalResult, SinglesMeasurement } from "./local-tables.js";
import type { Calls, Latency, LocalWindow } from "./local-window.js";
import { createTexts } from "./varied-texts.js";

const rounds = 3;
/** Calls of so many texts, and how many texts a window has. */
const windowSizes = [
  { textsPerCall: 1, texts: 96 },
  { textsPerCall: 32, texts: 256 },
  { textsPerCall: 512, texts: 512 },
] as const;
/** Until V8 has compiled the code of all contenders. */
const warmCalls = Array.from({ length: 300 }, (_, at) => [`warm ${at}`]);
const singlesCount = 150;
const bulkCount = 64;

/**
 * `gte-small` through the bare runtime, through the engine and through the gateway, in turn: on one core with one thread,
 * and on all cores with as many threads. Then the latency of single texts beside bulk calls of the engine.
 */
export async function runLocal(
  { folder, cores: core }: Testbed,
  { other, onMeasured }: LocalOptions,
): Promise<LocalResult> {
  const texts = createTexts();
  const threads = Math.min(4, availableParallelism());
  const settings: Setting[] = [
    // Without `taskset`, only the setting with all cores is the same for all contenders.
    ...(core === undefined ? [] : [{ folder, cores: core, threads: 1, other, onMeasured }]),
    ...(threads === 1 ? [] : [{ folder, cores: undefined, threads, other, onMeasured }]),
  ];
  const throughput: LocalMeasurement[] = [];
  for (const setting of settings) throughput.push(...(await measureThroughput(texts, setting)));
  return { throughput, singles: await measureSingles(texts, other) };
}

export interface LocalOptions {
  /** Another checkout of this repository, built. Its engine takes part as `other engine`. */
  readonly other: string | undefined;
  /** Called with all contenders of one setting and number of texts. */
  readonly onMeasured: (measurements: readonly LocalMeasurement[]) => void;
}

interface Setting extends LocalOptions {
  readonly folder: string;
  readonly cores: string | undefined;
  readonly threads: number;
}

async function measureThroughput(texts: readonly string[], setting: Setting): Promise<LocalMeasurement[]> {
  const { cores, threads, folder, other, onMeasured } = setting;
  const contenders: LocalContender[] = [];
  try {
    contenders.push(await startBare("alone", { threads, cores }));
    contenders.push(await startBare("batched", { threads, cores }));
    contenders.push(await startEngine({ cores }));
    if (other !== undefined) contenders.push(await startEngine({ cores, checkout: other }));
    contenders.push(await startGatewayContender({ cores, folder }));
    for (const contender of contenders) await contender.run(warmCalls);
    const measured: LocalMeasurement[] = [];
    for (const { textsPerCall, texts: count } of windowSizes) {
      const calls = callsOf(texts.slice(0, count), textsPerCall);
      const windows = await runRounds(contenders, calls);
      const rows = [...windows].map(([contender, own]) => ({
        cores: threads,
        textsPerCall,
        contender,
        windows: own,
      }));
      onMeasured(rows);
      measured.push(...rows);
    }
    return measured;
  } finally {
    await Promise.all(contenders.map((contender) => contender.close()));
  }
}

/** Cuts the texts into calls. */
export function callsOf(texts: readonly string[], textsPerCall: number): Calls {
  return Array.from({ length: Math.ceil(texts.length / textsPerCall) }, (_, at) =>
    texts.slice(at * textsPerCall, (at + 1) * textsPerCall),
  );
}

/** Each contender has one window in a round, and the order rotates. */
async function runRounds(
  contenders: readonly LocalContender[],
  calls: Calls,
): Promise<ReadonlyMap<string, LocalWindow[]>> {
  const windows = new Map<string, LocalWindow[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const order = contenders.map((_, at) => contenders[(at + round) % contenders.length]);
    for (const contender of order)
      if (contender) windows.get(contender.name)?.push(await contender.run(calls));
    checkVectors(windows);
  }
  return windows;
}

/**
 * The gateway and the engine have to return the same bits. Those of the bare runtime differ a little: it quantises a
 * whole batch with one scale, and adds in another order.
 */
function checkVectors(windows: ReadonlyMap<string, readonly LocalWindow[]>): void {
  const engine = windows.get("engine")?.at(-1)?.vectors ?? [];
  for (const [name, own] of windows) {
    const vectors = own.at(-1)?.vectors ?? [];
    const similarityMin = name.startsWith("bare") ? 0.97 : 1;
    const isRight =
      vectors.length === engine.length &&
      vectors.every((vector, at) => isSimilar(vector, engine[at] ?? new Float32Array(), similarityMin));
    if (!isRight) throw new Error(`A vector of '${name}' is not that of the engine.`);
  }
}

/** Whether the cosine of two unit vectors is at least so high. With 1, their bits have to be the same. */
function isSimilar(left: Float32Array, right: Float32Array, similarityMin: number): boolean {
  if (left.length !== right.length) return false;
  if (similarityMin === 1) return left.every((value, at) => value === right[at]);
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0) >= similarityMin;
}

async function measureSingles(
  texts: readonly string[],
  other: string | undefined,
): Promise<SinglesMeasurement[]> {
  const engines: EngineContender[] = [];
  try {
    engines.push(await startEngine({ cores: undefined }));
    if (other !== undefined) engines.push(await startEngine({ cores: undefined, checkout: other }));
    const singles = Array.from(
      { length: singlesCount },
      (_, at) => `Where is parcel ${at} of my last order?`,
    );
    const bulk = texts.slice(0, bulkCount);
    const measured = engines.map(({ name }) => ({
      contender: name,
      rounds: [] as { alone: Latency; beside: Latency }[],
    }));
    for (let round = 0; round < rounds; round += 1)
      for (const [at, engine] of engines.entries())
        measured[at]?.rounds.push({
          alone: await engine.measureSingles({ singles, bulk: [] }),
          beside: await engine.measureSingles({ singles, bulk }),
        });
    return measured;
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
  }
}
