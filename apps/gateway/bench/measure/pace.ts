import type { Workload } from "../workloads/workload.js";

/** How thoroughly a run measures. */
export interface Pace {
  /** In words, for the page. */
  readonly description: string;
  readonly rounds: number;
  /** No round begins later than this after the first: slow answers, or a busy machine, get fewer of them. */
  readonly roundsMsMax: number;
  readonly window: Window;
  readonly warmUp: Window & { readonly concurrency: number };
  /** How long everybody answers small requests before anything else: V8 takes seconds until it has compiled a program. */
  readonly compileMs: number;
  /** Which cases of a workload are run, and how many requests at once. */
  readonly extent: (workload: Workload) => Extent;
  /** How much of the machine others may have had in a window before it is taken again, and how often. */
  readonly noiseMax: number;
  readonly tries: number;
  /** Whether rivals are started anew for every workload, so that each begins with the same memory. */
  readonly startsAnew: boolean;
  /** How often the gateway is started to see how long that takes. */
  readonly starts: number;
}

export interface Extent {
  readonly concurrency: readonly number[];
  readonly labels: readonly string[];
}

export interface Window {
  readonly ms: number;
  /** New requests are sent until this many were answered, */
  readonly requestsMin: number;
  /** but not for longer than this. */
  readonly msMax: number;
}

/** As many as the workload asks for. */
const compiled = { concurrency: 32, requestsMin: Number.POSITIVE_INFINITY };

export const fullPace: Pace = {
  description: "up to four rounds with windows of 1.2 seconds",
  rounds: 4,
  roundsMsMax: 60_000,
  window: { ms: 1200, requestsMin: 1, msMax: 1200 },
  warmUp: { ...compiled, ms: 1000, msMax: 6000 },
  compileMs: 8000,
  extent: ({ concurrency, cases }) => ({ concurrency, labels: cases.map(({ label }) => label) }),
  noiseMax: 0.08,
  tries: 2,
  startsAnew: true,
  starts: 3,
};

export const quickPace: Pace = {
  description: "up to two rounds with windows of 0.2 seconds",
  rounds: 2,
  roundsMsMax: 2500,
  window: { ms: 200, requestsMin: 1, msMax: 200 },
  warmUp: { ...compiled, ms: 100, msMax: 200 },
  compileMs: 4000,
  extent: ({ quick }) => quick,
  noiseMax: 1,
  tries: 1,
  startsAnew: false,
  starts: 1,
};

export const ciPace: Pace = {
  description: "up to seven rounds with windows of 0.3 seconds",
  rounds: 7,
  roundsMsMax: 10_000,
  window: { ms: 300, requestsMin: 1, msMax: 300 },
  warmUp: { ...compiled, ms: 500, msMax: 1000 },
  compileMs: 6000,
  extent: ({ cases }) => ({ concurrency: [32], labels: cases.map(({ label }) => label) }),
  noiseMax: 1,
  tries: 1,
  startsAnew: false,
  starts: 0,
};
