import { type ChildProcess, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { arch, availableParallelism, cpus, platform, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import type { LoadJob, LoadReport } from "../load/load-job.js";
import { ask, nextMessage, nodeProgram, startProgram, stopProgram } from "../processes.js";
import type { RivalOptions } from "../rivals/rival.js";

/** The upstream and the load generator of a run, and the cores that each process gets. */
export interface Testbed extends RivalOptions {
  /** The machine, for the page of results. */
  readonly machine: string;
  /** Which process runs on which core, for the page of results. */
  readonly pinning: string;
  readonly upstreamPid: number;
  readonly load: (job: LoadJob) => Promise<LoadReport>;
  readonly verifyNextUpload: () => void;
  readonly close: () => Promise<void>;
}

export async function openTestbed(): Promise<Testbed> {
  const pinned = pinCores();
  const cores = pinned?.ends;
  const folder = mkdtempSync(join(tmpdir(), "gateway-bench-"));
  // An interrupted run does not reach close().
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const upstream = startProgram(nodeProgram("upstream/raw-upstream.js", { cores }));
  const { port: upstreamPort } = (await nextMessage(upstream)) as { port: number };
  const generator = startProgram(
    nodeProgram("load/load-generator.js", { cores, arguments: [String(upstream.pid)] }),
  );
  return {
    upstreamPort,
    upstreamPid: upstream.pid ?? 0,
    folder,
    cores: pinned?.measured,
    machine: describeMachine(),
    pinning:
      pinned === undefined
        ? "no process is pinned to a core"
        : `the measured process is pinned to core ${pinned.measured}, upstream and generator to core ${pinned.ends}`,
    load: (job) => runLoad(generator, job),
    verifyNextUpload: () => upstream.send("verify the next upload"),
    close: async () => {
      await Promise.all([generator, upstream].map(stopProgram));
    },
  };
}

async function runLoad(generator: ChildProcess, job: LoadJob): Promise<LoadReport> {
  const report = (await ask(generator, job)) as LoadReport | { failure: string };
  if ("failure" in report) throw new Error(`${job.workload}, ${job.label}: ${report.failure}`);
  return report;
}

/** The measured process has a core to itself; the generator and the upstream share the others. */
function pinCores(): { measured: string; ends: string } | undefined {
  const cores = availableParallelism();
  if (cores === 1 || spawnSync("taskset", ["-V"]).status !== 0) return undefined;
  return { measured: "0", ends: cores === 2 ? "1" : `1-${cores - 1}` };
}

function describeMachine(): string {
  const [first] = cpus();
  const isNamed = first !== undefined && first.model !== "unknown";
  const cores = `${cpus().length} ${isNamed ? `cores of ${first.model}` : `${arch()} cores`}`;
  return `${cores}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release().split("-")[0]}`;
}
