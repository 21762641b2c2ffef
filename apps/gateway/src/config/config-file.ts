import { type Stats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

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
