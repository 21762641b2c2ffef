import { type ChildProcess, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { LoadJob, LoadReport } from "../load/load.js";
import { nextMessage, nodeProgram, startProgram, stopProgram } from "../processes.js";
import type { Ground } from "../rivals/rival.js";

/** The upstream and the generator of a run, and where everything may be. */
export interface BenchGround extends Ground {
  readonly pinning: string;
  readonly load: (job: LoadJob) => Promise<LoadReport>;
  readonly lookAtNextEdit: () => void;
  readonly close: () => Promise<void>;
}

export async function openGround({ workers }: { workers: number }): Promise<BenchGround> {
  const pinned = pinning(workers);
  const cores = pinned === undefined ? {} : { cores: pinned.ends };
  const folder = mkdtempSync(join(tmpdir(), "gateway-bench-"));
  // Also where the benchmark is broken off.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const upstream = startProgram(nodeProgram("upstream/raw-upstream.js", cores));
  const { port: upstreamPort } = (await nextMessage(upstream)) as { port: number };
  const generator = startProgram(
    nodeProgram("load/load-generator.js", { ...cores, arguments: [String(upstream.pid)] }),
  );
  return {
    upstreamPort,
    folder,
    workers,
    ...(pinned === undefined ? {} : { cores: pinned.between }),
    pinning:
      pinned === undefined
        ? "nothing is pinned to a core"
        : `pinned: what is measured to core ${pinned.between}, upstream and generator to core ${pinned.ends}`,
    load: (job) => runLoad(generator, job),
    lookAtNextEdit: () => upstream.send("look at the next edit"),
    close: async () => {
      await Promise.all([generator, upstream].map(stopProgram));
    },
  };
}

async function runLoad(generator: ChildProcess, job: LoadJob): Promise<LoadReport> {
  const answered = nextMessage(generator);
  generator.send(job);
  const report = (await answered) as LoadReport | { failure: string };
  if ("failure" in report) throw new Error(`${job.workload}, ${job.label}: ${report.failure}`);
  return report;
}

/** What is measured has its cores for itself; both ends share the others. */
function pinning(workers: number): { between: string; ends: string } | undefined {
  const cores = availableParallelism();
  if (workers >= cores || spawnSync("taskset", ["-V"]).status !== 0) return undefined;
  const range = (from: number, to: number) => (from === to ? String(from) : `${from}-${to}`);
  return { between: range(0, workers - 1), ends: range(workers, cores - 1) };
}
