import type { Neighbour } from "../workloads/workload.js";

/** One window of load: the order to the load generator. */
export interface LoadJob {
  readonly workload: string;
  /** The label of the workload's case. */
  readonly label: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly concurrency: number;
  /** The window ends after this time once `requestsMin` requests are complete. Requests in flight are awaited. */
  readonly windowMs: number;
  readonly requestsMin: number;
  /** No request is sent after this time, even if `requestsMin` is not reached. */
  readonly windowMsMax: number;
  /** Number of response bodies kept, and verified after the window. */
  readonly samplesMax: number;
  /** The process whose CPU time and memory are read; absent if the generator calls the upstream directly. */
  readonly pid?: number;
  /** Other load on the same port during the window. */
  readonly neighbours?: readonly Neighbour[];
}

/** The result of one window. */
export interface LoadReport {
  readonly requests: number;
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Wrong responses: a description and how often it occurred. A window with any fault is not used. */
  readonly faults: Readonly<Record<string, number>>;
  /** Number of response bodies compared with the expected ones. */
  readonly verified: number;
  readonly cpuMs: number | undefined;
  /** The highest resident memory during the window. */
  readonly peakBytes: number | undefined;
  /** The share of all cores that unrelated processes used, 0 to 1. */
  readonly backgroundLoad?: number | undefined;
}
