import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, nextMessage, nodeProgram, startProgram } from "../processes.js";
import { formatMegabytes, formatNumber, table } from "../report/markdown.js";
import { type CacheJob, type FillReport, inputsPerLookup, type ReadReport, width } from "./cache-job.js";

/** The cache on disk with many vectors: one process fills it, and another looks them up. */
export interface CacheResult {
  readonly vectors: number;
  readonly fileBytes: number;
  readonly filled: FillReport;
  readonly read: ReadReport;
}

export async function measureCache(vectors: number): Promise<CacheResult> {
  if (!Number.isSafeInteger(vectors) || vectors < inputsPerLookup)
    throw new Error(`--cache takes a number of vectors, at least ${inputsPerLookup}.`);
  const folder = mkdtempSync(join(tmpdir(), "gateway-bench-cache-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // An interrupted run does not reach the end of this function.
  process.once("exit", remove);
  try {
    const filled = (await run({ task: "fill", folder, vectors })) as FillReport;
    const fileBytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    const read = (await run({ task: "read", folder, vectors })) as ReadReport;
    return { vectors, fileBytes, filled, read };
  } finally {
    process.off("exit", remove);
    remove();
  }
}

async function run(job: CacheJob): Promise<unknown> {
  const child = startProgram(nodeProgram("cache/cache-process.js"));
  await nextMessage(child);
  return ask(child, job);
}

export function cacheTable({ vectors, fileBytes, filled, read }: CacheResult): string {
  const { hits, misses, single, residentBytes } = read;
  const lookups = table(
    ["lookup", "p50, ms", "p99, ms", "CPU, ms"],
    (
      [
        [`${inputsPerLookup} vectors`, hits],
        [`${inputsPerLookup} misses`, misses],
        ["1 vector", single],
      ] as const
    ).map(([name, { p50Ms, p99Ms, cpuMs }]) => [name, ...[p50Ms, p99Ms, cpuMs].map(formatNumber)]),
  );
  return [
    `${vectors.toLocaleString("en-US")} vectors of ${width} numbers: ${formatMegabytes(fileBytes)} MiB on disk, written in ${formatNumber(filled.elapsedMs / 1000)} s (${formatNumber(filled.cpuMs / 1000)} s of CPU).`,
    `A new process opened them in ${formatNumber(read.openMs)} ms and read ${Math.round((read.openedBytes - read.ownBytes) / 1024)} KiB of files, its code included. It had ${formatMegabytes(residentBytes.start)} MiB of memory then, and ${formatMegabytes(residentBytes.end)} MiB after all lookups.`,
    "",
    lookups,
  ].join("\n");
}
