/** The order to a process that sends requests: which, how often, and for how long. */
export interface SoakJob {
  readonly port: number;
  readonly ms: number;
  readonly kinds: readonly PacedKind[];
}

/** One kind of request, sent at a steady pace whether or not the last one was answered. */
export interface PacedKind {
  readonly name: SoakKind;
  readonly everyMs: number;
  /** A request that would be more than this many at once is not sent. */
  readonly inFlightMax: number;
}

export type SoakKind =
  | "small"
  | "batch"
  | "generation"
  | "edit"
  | "local"
  | "hostile"
  | "long-run"
  | "tiny-chunks"
  | "slow-form"
  | "departure"
  | "flood";

/** What became of the requests of one kind. */
export interface KindReport {
  readonly name: SoakKind;
  readonly sent: number;
  /** How many had each status, how many broke off, and how many callers left. */
  readonly statuses: Readonly<Record<string, number>>;
  /** What was wrong with responses, if anything. */
  readonly faults: readonly string[];
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}
