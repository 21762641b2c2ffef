/** The requests to send, the concurrency, and the check for a correct response. */
export interface Workload {
  /** The value for `--only`. */
  readonly name: string;
  /** The heading on the page of results. */
  readonly title: string;
  /** The sentence below that heading. */
  readonly description: string;
  readonly cases: readonly WorkloadCase[];
  /** The numbers of requests in flight, measured one after the other. */
  readonly concurrency: readonly number[];
  /** The scope that `--quick` measures. */
  readonly quick: Scope;
  /** Number of requests that compile the code and fill the caches. A plan may stop earlier. */
  readonly warmUpRequests: number;
  /** Number of requests that fill the measured cache. Even a short plan sends them before anything counts. */
  readonly cacheFillRequests?: number;
  /** Time without load before each round. */
  readonly idleMs?: number;
  /** Whether the longest stall of the gateway's event loop is measured. */
  readonly watchesStalls?: true;
  /** Whether the upstream verifies the images of a request while warming up. */
  readonly uploads?: true;
  /** Load on the same rival during every window. Its responses are checked, but only its effect is measured. */
  readonly neighbours?: readonly Neighbour[];
}

/** A case of another workload, with this many requests in flight. */
export interface Neighbour {
  readonly workload: string;
  readonly label: string;
  readonly concurrency: number;
}

/** The cases and concurrencies of a workload that a run measures. */
export interface Scope {
  readonly concurrency: readonly number[];
  readonly labels: readonly string[];
}

/** One variant of a workload, such as JSON or base64. */
export interface WorkloadCase {
  readonly label: string;
  readonly createRequests: () => readonly BenchRequest[] | Promise<readonly BenchRequest[]>;
  /** A shorter response is a fault. */
  readonly responseBytesMin: number;
}

export interface BenchRequest {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** Whether the response is a stream of events. They are checked as a list. */
  readonly isStream?: true;
  /** Returns the fault of a response, or undefined if it is correct. */
  readonly findFault: (response: unknown) => string | undefined;
}
