import { type Stats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { Config } from "./config.js";
import { ConfigError } from "./load-config.js";

export interface ReloaderNeeds {
  readonly load: () => Config;
  /** Takes the new configuration. */
  readonly take: (config: Config) => Promise<void>;
  readonly onTaken: (config: Config) => void;
  /** What is wrong with the new configuration: every fault of the file, or what kept it from being taken. */
  readonly onRefused: (faults: readonly string[]) => void;
}

/** Reads the configuration again whenever it is asked to, one time after the other. A faulty one changes nothing. */
export function createReloader({ load, take, onTaken, onRefused }: ReloaderNeeds): () => Promise<void> {
  let last = Promise.resolve();
  const reload = async (): Promise<void> => {
    try {
      const config = load();
      await take(config);
      onTaken(config);
    } catch (failure) {
      onRefused(failure instanceof ConfigError ? failure.faults : [String(failure)]);
    }
  };
  return () => {
    last = last.then(reload);
    return last;
  };
}

/** Tells one state of a file from another; undefined where there is none to tell. */
export type Stamp = string | undefined;

export function stampOf(file: string): Stamp {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && describe(stats);
}

export interface ConfigFileWatch {
  readonly file: string;
  /** How it was when it was read: what has changed since then is a change, also if nobody was watching yet. */
  readonly stamp: Stamp;
  readonly everyMs: number;
  readonly onChange: () => void;
  readonly signal?: AbortSignal;
}

/** Looks at the file itself from time to time: what replaces it, or a link to it, is seen as well. */
export async function watchConfigFile(watch: ConfigFileWatch): Promise<void> {
  const { file, everyMs, onChange, signal } = watch;
  let { stamp } = watch;
  const isOver = (): boolean => signal?.aborted === true;
  while (!isOver()) {
    await setTimeout(everyMs, undefined, { ref: false });
    // A file that is gone for a moment is about to be replaced.
    const now = await stat(file).then(describe, () => stamp);
    if (now !== stamp && !isOver()) onChange();
    stamp = now;
  }
}

function describe({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}
