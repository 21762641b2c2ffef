import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@model-gateway/config/config";
import { codeOf } from "@model-gateway/domain/failure-code";

/**
 * Names the place where this process stores files. Replicas with one bucket share it. Without a bucket it is the data
 * folder: another replica could not read its files, so it leaves work on them alone.
 */
export async function siteOf({
  dataDir,
  databaseUrl,
  images: { s3 },
}: Pick<Config, "dataDir" | "databaseUrl" | "images">): Promise<string> {
  if (s3 !== undefined) return `${s3.endpoint}/${s3.bucket}/${s3.prefix}`;
  if (databaseUrl === undefined) return "data-folder";
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, "site-id");
  // The first of several workers writes it, and all read it.
  await writeFile(path, randomBytes(16).toString("hex"), { flag: "wx", mode: 0o600 }).catch(unlessExisting);
  return readFile(path, "utf8");
}

function unlessExisting(failure: unknown): void {
  if (codeOf(failure) !== "EEXIST") throw failure;
}
