import { expect, test } from "vitest";
import type { LoadReport } from "../load/load-job.js";
import { figuresOf } from "./figures.js";

const window = (requests: number, cpuMs: number): LoadReport => ({
  requests,
  elapsedMs: 1000,
  p50Ms: 2,
  p99Ms: 9,
  faults: {},
  verified: 1,
  cpuMs,
  peakBytes: 1000,
});
const scenario = { workload: "small-embedding", label: "JSON", concurrency: 32 };

test("a ratio compares two windows of the same round", () => {
  const measurements = [
    { ...scenario, rival: "bare proxy", windows: [window(1000, 500), window(100, 50), window(2000, 500)] },
    { ...scenario, rival: "ours", windows: [window(800, 800), window(80, 80), window(400, 400)] },
  ];

  const [, ours] = figuresOf(measurements);

  expect(ours).toEqual({
    ...scenario,
    rival: "ours",
    perSecond: 400,
    p50Ms: 2,
    p99Ms: 9,
    cpuMicros: 1000,
    peakBytes: 1000,
    timesBare: 0.8,
    cpuTimesBare: 0.5,
  });
});

test("a cache is compared with the memory server by CPU time", () => {
  const measurements = [
    { ...scenario, rival: "memory server", windows: [window(1000, 50), window(1000, 100)] },
    { ...scenario, rival: "ours", windows: [window(1000, 100), window(500, 50)] },
  ];

  const [memory, ours] = figuresOf(measurements);

  expect([memory?.cpuTimesMemory, ours?.cpuTimesMemory]).toEqual([1, 0.75]);
  expect(ours?.cpuTimesBare).toBeUndefined();
});

test("a rival on another Node is compared with the bare proxy on that Node", () => {
  const measurements = [
    { ...scenario, rival: "bare proxy", windows: [window(1000, 100)] },
    { ...scenario, rival: "ours", windows: [window(250, 100)] },
    { ...scenario, rival: "bare proxy on Node 24", windows: [window(2000, 100)] },
    { ...scenario, rival: "ours on Node 24", windows: [window(1000, 100)] },
  ];

  const ratios = figuresOf(measurements).map(({ rival, timesBare, cpuTimesBare }) => [
    rival,
    timesBare,
    cpuTimesBare,
  ]);

  expect(ratios).toEqual([
    ["bare proxy", 1, 1],
    ["ours", 0.25, 0.25],
    ["bare proxy on Node 24", 1, 1],
    ["ours on Node 24", 0.5, 0.5],
  ]);
});
