import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** The SHA-256 of a file in hexadecimal, read piece by piece so that other work goes on. */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  return hash.digest("hex");
}
