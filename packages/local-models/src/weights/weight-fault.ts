import { access } from "node:fs/promises";
import { join } from "node:path";
import { fileDigest } from "./file-digest.js";

/** Says in a sentence what is wrong with the files of a folder, or nothing when each has its pinned SHA-256. */
export async function weightFault(
  folder: string,
  digests: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  for (const [name, pinned] of Object.entries(digests)) {
    const path = join(folder, name);
    const present = await access(path).then(
      () => true,
      () => false,
    );
    if (!present) return `${path} is missing.`;
    const found = await fileDigest(path);
    if (found !== pinned) return `${path} has SHA-256 ${found}, not the pinned ${pinned}.`;
  }
  return undefined;
}
