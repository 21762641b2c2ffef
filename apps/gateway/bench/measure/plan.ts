import type { Scope, Workload } from "../workloads/workload.js";

/** The thoroughness of a run. */
export interface Plan {
  /** In words, for the page of results. */
  readonly description: string;
  readonly rounds: number;
  /** No round starts later than this after the first. Slow workloads get fewer rounds. */
  readonly roundsMsMax: number;
  readonly window: Window;
  readonly warmUp: Window & { readonly concurrency: number };
  /** Time in which each rival serves small requests first: V8 needs seconds to compile a program. */
  readonly compileMs: number;
  readonly scope: (workload: Workload) => Scope;
  /** A window in which unrelated processes used more of the machine than this is repeated, */
  readonly backgroundLoadMax: number;
  /** until this many attempts were made. */
  readonly attempts: number;
  /** Number of starts to measure. */
  readonly starts: number;
  /** Whether the gateway is also measured on Node 24. */
  readonly comparesNodes: boolean;
}

export interface Window {
  readonly ms: number;
  /** The window is extended until this many requests are complete, */
  readonly requestsMin: number;
  /** but not beyond this. */
  readonly msMax: number;
}

/** The workload says how many requests its warm-up takes. */
const untilWarm = { concurrency: 32, requestsMin: Number.POSITIVE_INFINITY };

export const fullPlan: Plan = {
  description: "up to three rounds with windows of 1.2 seconds",
  rounds: 3,
  roundsMsMax: 12_000,
  window: { ms: 1200, requestsMin: 1, msMax: 1200 },
  warmUp: { ...untilWarm, ms: 1000, msMax: 6000 },
  compileMs: 6000,
  scope: ({ concurrency, cases }) => ({ concurrency, labels: cases.map(({ label }) => label) }),
  backgroundLoadMax: 0.15,
  attempts: 2,
  starts: 3,
  comparesNodes: true,
};

/** As thorough, with the cases of `--quick` alone. */
export const shortPlan: Plan = {
  ...fullPlan,
  description: `${fullPlan.description}, some cases`,
  scope: ({ quick }) => quick,
  starts: 1,
};

export const quickPlan: Plan = {
  description: "up to two rounds with windows of 0.2 seconds",
  rounds: 2,
  roundsMsMax: 2500,
  window: { ms: 200, requestsMin: 1, msMax: 200 },
  warmUp: { ...untilWarm, ms: 100, msMax: 200 },
  compileMs: 2000,
  scope: ({ quick }) => quick,
  backgroundLoadMax: 1,
  attempts: 1,
  starts: 1,
  comparesNodes: false,
};

export const ciPlan: Plan = {
  ...quickPlan,
  description: "up to seven rounds with windows of 0.3 seconds",
  rounds: 7,
  roundsMsMax: 10_000,
  window: { ms: 300, requestsMin: 1, msMax: 300 },
  warmUp: { ...untilWarm, ms: 500, msMax: 1000 },
  compileMs: 6000,
  starts: 0,
};
