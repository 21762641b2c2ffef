import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real file system that a test can fill. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills it until this many bytes are free. */
  fill(freeBytes: number): void;
  /** Removes the file that filled it. */
  free(): void;
  remove(): void;
}

/** Mounts a separate file system. Only root may do that. */
export function mountSmallDisk(bytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), "small-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder], { stdio: "pipe" });
  const filler = join(folder, "filler");
  return {
    folder,
    fill: (freeBytes) => {
      const { bavail, bsize } = statfsSync(folder);
      const file = openSync(filler, "a");
      try {
        for (let left = bavail * bsize - freeBytes; left > 0; ) {
          const written = writeSync(file, Buffer.alloc(Math.min(left, 64 * 1024)));
          left -= written;
        }
      } catch (failure) {
        // With nothing to be left free, the last page fails.
        if ((failure as NodeJS.ErrnoException).code !== "ENOSPC") throw failure;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => {
      // A process that has just been killed may still hold it for a moment.
      execFileSync("umount", ["-l", folder]);
      rmdirSync(folder);
    },
  };
}

/** Whether this user may mount one. */
export function canMount(): boolean {
  try {
    mountSmallDisk(64 * 1024).remove();
    return true;
  } catch {
    return false;
  }
}

/** Warns that a suite is skipped; in CI, which runs as root, it throws. */
export function reportUnmountable(name: string): void {
  if (process.env.CI === "true") throw new Error("No file system can be mounted, and CI requires it.");
  console.warn(`Skipped, because only root may mount a file system: ${name}`);
}
