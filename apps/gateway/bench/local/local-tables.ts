import { median } from "../measure/figures.js";
import { formatNumber, table } from "../report/markdown.js";
import { bareNames } from "./contenders.js";
import type { Latency, LocalWindow } from "./local-window.js";

/** Windows of one contender for one number of texts in a call, one per round. */
export interface LocalMeasurement {
  readonly cores: number;
  readonly textsPerCall: number;
  readonly contender: string;
  readonly windows: readonly LocalWindow[];
}

/** Single texts alone and beside bulk calls, by round. */
export interface SinglesMeasurement {
  readonly contender: string;
  readonly rounds: readonly { readonly alone: Latency; readonly beside: Latency }[];
}

export interface LocalResult {
  readonly throughput: readonly LocalMeasurement[];
  readonly singles: readonly SinglesMeasurement[];
}

/** As the goal says. */
export const ratioMin = 0.9;

export function throughputTable(measurements: readonly LocalMeasurement[]): string {
  const rows = measurements.map((row) => {
    const { alone, batched, aloneByCpu, batchedByCpu } = ratiosOf(row, measurements);
    return [
      String(row.cores),
      String(row.textsPerCall),
      row.contender,
      formatNumber(median(row.windows.map(textsPerSecond))),
      formatNumber(median(row.windows.map(cpuPerText))),
      formatNumber(median(row.windows.map(tokenisePerText))),
      ...[alone, batched, aloneByCpu, batchedByCpu].map((ratio) => ratio.toFixed(2)),
    ];
  });
  const head = ["cores", "texts a call", "who", "texts/s", "CPU ms a text", "of it tokenising"];
  return table([...head, "× text by text", "× batches", "× text by text, CPU", "× batches, CPU"], rows);
}

export function singlesTable(singles: readonly SinglesMeasurement[]): string {
  const ms = (values: readonly number[]) => formatNumber(median(values));
  const rows = singles.map(({ contender, rounds }) => [
    contender,
    ms(rounds.map(({ alone }) => alone.p50)),
    ms(rounds.map(({ beside }) => beside.p50)),
    ms(rounds.map(({ alone }) => alone.p99)),
    ms(rounds.map(({ beside }) => beside.p99)),
  ]);
  return table(["single texts", "p50 ms alone", "p50 ms beside", "p99 ms alone", "p99 ms beside"], rows);
}

/**
 * The lowest ratio of the engine to the bare runtime, text by text, with the same threads. Other load can lower the ratio
 * of throughput or that of CPU times; only a slower engine lowers both, so the higher one counts. The gateway's rows also
 * have the cost of a request, which the other benchmarks assert.
 */
export function lowestRatio({ throughput }: LocalResult): number {
  const rows = throughput.filter(({ contender }) => contender === "engine");
  const ratios = rows.map((row) => ratiosOf(row, throughput));
  return Math.min(...ratios.map(({ alone, aloneByCpu }) => Math.max(alone, aloneByCpu)));
}

/** Throughput as a multiple of the two ways to call the bare runtime, and the same by CPU time. */
interface Ratios {
  readonly alone: number;
  readonly batched: number;
  readonly aloneByCpu: number;
  readonly batchedByCpu: number;
}

/** Ratios of two windows of one round, and their median over all rounds. */
export function ratiosOf(row: LocalMeasurement, all: readonly LocalMeasurement[]): Ratios {
  const windowsOf = (name: string) =>
    all.find(
      ({ cores, textsPerCall, contender }) =>
        cores === row.cores && textsPerCall === row.textsPerCall && contender === name,
    )?.windows ?? [];
  const ratio = (name: string, cost: (window: LocalWindow) => number) => {
    const bare = windowsOf(name);
    return median(row.windows.flatMap((window, at) => (bare[at] ? [cost(bare[at]) / cost(window)] : [])));
  };
  return {
    alone: ratio(bareNames.alone, elapsedPerText),
    batched: ratio(bareNames.batched, elapsedPerText),
    aloneByCpu: ratio(bareNames.alone, cpuPerText),
    batchedByCpu: ratio(bareNames.batched, cpuPerText),
  };
}

function elapsedPerText({ elapsedMs, vectors }: LocalWindow): number {
  return elapsedMs / vectors.length;
}

function tokenisePerText({ tokeniseMs = Number.NaN, vectors }: LocalWindow): number {
  return tokeniseMs / vectors.length;
}

function textsPerSecond(window: LocalWindow): number {
  return 1000 / elapsedPerText(window);
}

function cpuPerText({ cpuMs, vectors }: LocalWindow): number {
  return (cpuMs ?? Number.NaN) / vectors.length;
}
