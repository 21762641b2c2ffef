import { type Stats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { Config } from "./config.js";
import { ConfigError } from "./load-config.js";

export interface ReloaderOptions {
  readonly load: () => Config;
  /** Applies the new configuration. */
  readonly apply: (config: Config) => Promise<void>;
  readonly onApplied: (config: Config) => void;
  /** Called with every fault of the new file, or with the failure to apply it. */
  readonly onRefused: (faults: readonly string[]) => void;
}

/** Returns a function that reads and applies the configuration again. Calls run one after the other. */
export function createReloader({ load, apply, onApplied, onRefused }: ReloaderOptions): () => Promise<void> {
  let last = Promise.resolve();
  const reload = async (): Promise<void> => {
    try {
      const config = load();
      await apply(config);
      onApplied(config);
    } catch (failure) {
      onRefused(failure instanceof ConfigError ? failure.faults : [String(failure)]);
    }
  };
  return () => {
    last = last.then(reload);
    return last;
  };
}

/** Identifies one state of a file. Undefined if the file does not exist. */
export type FileVersion = string | undefined;

export function fileVersion(file: string): FileVersion {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && describe(stats);
}

export interface ConfigFileWatch {
  readonly file: string;
  /** The stamp from when the file was read, so that a change before the watch began is noticed. */
  readonly stamp: FileVersion;
  /** Resolves when it is time for the next poll. */
  readonly wait: () => Promise<void>;
  readonly onChange: () => void;
}

/** Polls the file by its path, so that a replaced file or link is noticed too. */
export async function watchConfigFile(watch: ConfigFileWatch): Promise<never> {
  const { file, wait, onChange } = watch;
  let { stamp } = watch;
  for (;;) {
    await wait();
    // A missing file is about to be replaced.
    const now = await stat(file).then(describe, () => stamp);
    if (now !== stamp) onChange();
    stamp = now;
  }
}

function describe({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}
