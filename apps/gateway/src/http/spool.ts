import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** The process that runs, and how to know whether another one still does. */
export interface ProcessIdentity {
  readonly id: number;
  readonly isAlive: (id: number) => boolean;
}

/**
 * Opens this process's own folder for the files of forms. What a crashed process has left behind is of no use to
 * anyone and is removed; the folder of one that still runs is left alone.
 */
export async function openSpool(dataDir: string, self: ProcessIdentity): Promise<string> {
  const root = join(dataDir, "form-spool");
  await mkdir(root, { recursive: true, mode: 0o700 });
  const left = (await readdir(root)).filter((name) => /^\d+$/.test(name) && isDead(Number(name), self));
  await Promise.all(left.map((name) => rm(join(root, name), { recursive: true, force: true })));
  const own = join(root, String(self.id));
  await mkdir(own, { recursive: true });
  return own;
}

/** A folder with our own number is from an earlier process that had it. */
function isDead(id: number, self: ProcessIdentity): boolean {
  return id === self.id || !self.isAlive(id);
}
