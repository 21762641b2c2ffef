import { expect, test } from "vitest";
import { bareNames } from "./contenders.js";
import {
  type LocalMeasurement,
  lowestRatio,
  ratiosOf,
  singlesTable,
  throughputTable,
} from "./local-tables.js";
import type { LocalWindow } from "./local-window.js";

const window = (elapsedMs: number, more: Partial<LocalWindow> = {}): LocalWindow => ({
  elapsedMs,
  cpuMs: elapsedMs,
  vectors: [Float32Array.of(1)],
  ...more,
});
const measurement = (contender: string, windows: readonly LocalWindow[]): LocalMeasurement => ({
  cores: 1,
  textsPerCall: 1,
  contender,
  windows,
});
const rows = [
  measurement(bareNames.alone, [window(100), window(1000)]),
  measurement(bareNames.batched, [window(80, { tokeniseMs: 40 }), window(800, { tokeniseMs: 400 })]),
  measurement("engine", [window(160, { cpuMs: 40 }), window(1600, { cpuMs: 400 })]),
];

test("a ratio compares two windows of the same round", () => {
  const [, , engine] = rows;

  expect(ratiosOf(engine!, rows)).toEqual({
    alone: 0.625,
    batched: 0.5,
    aloneByCpu: 2.5,
    batchedByCpu: 2,
  });
});

test("the lowest ratio is that of the engine, by throughput or CPU time", () => {
  const slower = { ...measurement("engine", [window(200)]), textsPerCall: 32 };
  const bare = { ...measurement(bareNames.alone, [window(100)]), textsPerCall: 32 };

  expect(lowestRatio({ throughput: rows, singles: [] })).toBe(2.5);
  expect(lowestRatio({ throughput: [...rows, bare, slower], singles: [] })).toBe(0.5);
});

test("the tables have the medians of all rounds", () => {
  const latency = (p50: number) => ({ p50, p99: 2 * p50 });
  const singles = [{ contender: "engine", rounds: [{ alone: latency(5), beside: latency(20) }] }];

  expect(throughputTable(rows)).toContain(
    "|     1 |            1 | engine             |    3.44 |           220 |                – |           0.63 |      0.50 |                2.50 |           2.00 |",
  );
  expect(singlesTable(singles)).toContain(
    "| engine       |         5.00 |          20.0 |         10.0 |          40.0 |",
  );
});
