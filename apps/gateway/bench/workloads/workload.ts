/** One question to the gateway and its rivals: what is sent, how much of it at once, and what a right answer is. */
export interface Workload {
  readonly name: string;
  /** The same in words. */
  readonly title: string;
  /** A sentence for the page of results. */
  readonly question: string;
  readonly cases: readonly Case[];
  /** How many requests are under way at once, each in turn. */
  readonly concurrency: readonly number[];
  /** What is left of it where there is little time. */
  readonly quick: { readonly concurrency: readonly number[]; readonly labels: readonly string[] };
  /** How many requests it takes until everything is compiled, where there is the time. */
  readonly warmUpRequests: number;
  /** Whether the longest stall of the gateway's event loop is of interest. */
  readonly watchesStalls?: true;
  /** Whether the upstream is to look into what it is sent. */
  readonly uploads?: true;
}

/** One form of the question. */
export interface Case {
  readonly label: string;
  readonly requests: () => readonly BenchRequest[] | Promise<readonly BenchRequest[]>;
  /** No right answer is shorter than this. */
  readonly answerBytesMin: number;
}

export interface BenchRequest {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** What is wrong with an answer to this request, if anything is. */
  readonly fault: (answer: unknown) => string | undefined;
}
