import type { ChildProcess } from "node:child_process";
import { stopProgram } from "../processes.js";

/** A server between the load generator and the upstream. The gateway is one of them. */
export interface Rival {
  /** The value for `--rivals`. */
  readonly name: string;
  /** Description for the results page. */
  readonly description: string;
  /** Headers that only requests to this rival have. */
  readonly headers: (options: RivalOptions) => Readonly<Record<string, string>>;
  readonly start: (options: RivalOptions) => Promise<StartedRival>;
  /** The workloads in which it takes part; all if absent. */
  readonly workloads?: readonly string[];
  /** Native code needs no warm-up of V8's compiler. */
  readonly isNative?: true;
}

/** Options shared by all rivals of a run. */
export interface RivalOptions {
  readonly upstreamPort: number;
  /** A folder for temporary files, removed after the run. */
  readonly folder: string;
  /** The cores for the measured process; undefined if nothing is pinned. */
  readonly cores: string | undefined;
  /** The Node that runs the rival; the benchmark's if absent. */
  readonly node?: string;
}

export interface StartedRival {
  readonly child: ChildProcess;
  readonly port: number;
}

/** A rival that cannot run on this machine. */
export interface AbsentRival {
  readonly name: string;
  readonly reason: string;
}

/** A running rival, or the upstream itself, which has no process between. */
export interface Contender {
  readonly name: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly child?: ChildProcess;
  readonly isNative: boolean;
}

/** The upstream without a proxy. */
export function direct({ upstreamPort }: RivalOptions): Contender {
  return { name: "direct", port: upstreamPort, headers: {}, isNative: true };
}

/** Starts the rivals, calls `use`, and stops them even if it fails. */
export async function withRivals<T>(
  rivals: readonly Rival[],
  options: RivalOptions,
  use: (contenders: readonly Contender[]) => Promise<T>,
): Promise<T> {
  const contenders: (Contender & StartedRival)[] = [];
  try {
    for (const rival of rivals) {
      contenders.push({
        name: rival.name,
        headers: rival.headers(options),
        isNative: rival.isNative ?? false,
        ...(await rival.start(options)),
      });
    }
    return await use(contenders);
  } finally {
    await Promise.all(contenders.map(({ child }) => stopProgram(child)));
  }
}
