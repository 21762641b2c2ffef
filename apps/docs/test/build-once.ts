import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    siteFolder: string;
  }
}

/**
 * Builds the site into a temporary folder, which the tests read and serve. A task of turbo has built it already, from the
 * same files.
 */
export default async function buildOnce({
  provide,
}: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TURBO_HASH !== undefined) {
    provide("siteFolder", path.join(import.meta.dirname, "../dist"));
    return undefined;
  }
  const folder = await mkdtemp(path.join(tmpdir(), "model-gateway-site-"));
  await promisify(execFile)("tsx", ["build-site.ts", folder]);
  provide("siteFolder", folder);
  return () => rm(folder, { recursive: true });
}
