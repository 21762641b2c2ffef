import { createHash, randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileDigest } from "./file-digest.js";

/** Writes a file whole or not at all: only bytes that were read back with the pinned SHA-256 get the name. */
export async function writePinned(path: string, bytes: Uint8Array, pinned: string): Promise<void> {
  const made = createHash("sha256").update(bytes).digest("hex");
  if (made !== pinned) throw new Error(`${path} came out with SHA-256 ${made}, not the pinned ${pinned}.`);
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.partial`;
  try {
    await writeFile(temporary, bytes);
    if ((await fileDigest(temporary)) !== pinned) throw new Error(`${path} could not be written whole.`);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
