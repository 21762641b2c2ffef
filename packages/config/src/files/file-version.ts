import { type Stats, statSync } from "node:fs";
import { stat } from "node:fs/promises";

/** Identifies one state of a file. Undefined if there is none, or if it cannot be seen: reading it says why. */
export type FileVersion = string | undefined;

export function fileVersion(file: string): FileVersion {
  try {
    return describe(statSync(file));
  } catch {
    return undefined;
  }
}

interface FilesWatch {
  /** The files to watch now, and the version of each from when it was read. */
  readonly files: () => ReadonlyMap<string, FileVersion>;
  /** Resolves when it is time for the next poll. */
  readonly wait: () => Promise<void>;
  /** Called once for a poll that finds changes. */
  readonly onChange: () => void;
}

/** Polls files by path. This notices a replaced file or link, and a change before the watch began. */
export async function watchFiles({ files, wait, onChange }: FilesWatch): Promise<never> {
  let known: ReadonlyMap<string, FileVersion> = new Map();
  let readBefore: ReadonlyMap<string, FileVersion> = new Map();
  for (;;) {
    await wait();
    const read = files();
    const watched = [...read].map(([file, version]) => {
      // A file that was read again since the last poll is compared with what was read.
      const isReadAgain = readBefore.get(file) !== version;
      return { file, before: known.has(file) && !isReadAgain ? known.get(file) : version };
    });
    readBefore = read;
    const polled = await Promise.all(
      // A missing file is about to be replaced.
      watched.map(async ({ file, before }) => ({
        file,
        before,
        now: await stat(file).then(describe, () => before),
      })),
    );
    known = new Map(polled.map(({ file, now }) => [file, now]));
    if (polled.some(({ before, now }) => before !== now)) onChange();
  }
}

function describe({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}
