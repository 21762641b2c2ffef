/** What the generator is asked to do: one window of load. */
export interface LoadJob {
  readonly workload: string;
  readonly label: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly concurrency: number;
  /** New requests are sent for so long, and until so many were answered; those under way are waited for. */
  readonly windowMs: number;
  readonly requestsMin: number;
  /** But none is sent after this. */
  readonly windowMsMax: number;
  /** How many answers are kept, and read whole when the window is over. */
  readonly samplesMax: number;
  /** The process whose time and memory are read, where there is one between the generator and the upstream. */
  readonly pid?: number;
}

export interface LoadReport {
  readonly requests: number;
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** What went wrong, and how often. Any fault makes the window worthless. */
  readonly faults: Readonly<Record<string, number>>;
  /** How many answers were read whole and held against what they should be. */
  readonly verified: number;
  readonly cpuMs?: number;
  /** The most memory that the process had during the window. */
  readonly peakBytes?: number;
  /** How much of all cores was taken by processes that are no part of the benchmark, 0 to 1. */
  readonly noise?: number;
}
