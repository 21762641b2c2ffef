import type { ChildProcess } from "node:child_process";

/** Something that stands between callers and the upstream. */
export interface Rival {
  readonly name: string;
  /** What it is, for the page of results. */
  readonly description: string;
  /** What requests to it carry beside what every request carries. */
  readonly headers: (ground: Ground) => Readonly<Record<string, string>>;
  readonly start: (ground: Ground) => Promise<Started>;
  /** Whether it was compiled before it runs; the others need a while. */
  readonly isCompiled?: true;
}

export interface Started {
  readonly child: ChildProcess;
  readonly port: number;
}

/** What all have in common during a run. */
export interface Ground {
  readonly upstreamPort: number;
  /** Where a rival may leave files; gone after the run. */
  readonly folder: string;
  /** The cores for what is measured; absent where nothing is pinned. */
  readonly cores?: string;
  readonly workers: number;
}

/** A rival that cannot take part says why. */
export interface Absent {
  readonly name: string;
  readonly reason: string;
}
