import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import {
  ask,
  freePort,
  nextMessage,
  nodeProgram,
  startProgram,
  stopProgram,
  waitUntilListening,
} from "../processes.js";
import { benchKey, gatewayMain } from "../rivals/gateway.js";
import type { RivalOptions } from "../rivals/rival.js";
import { adminKey, type BulkJob, bulkWidth, type LiveReport, sendLive, slots } from "./bulk-load.js";

const quietMs = 30_000;
const warmUpMs = 5000;

/** Interactive requests alone, beside a bulk job, and beside the same job without its priority. */
export interface BulkResult {
  readonly alone: LiveReport;
  readonly beside: readonly {
    readonly name: string;
    readonly live: LiveReport;
    readonly jobSeconds: number;
    readonly jobFailures: number;
  }[];
}

export async function runBulk({ folder }: Pick<RivalOptions, "folder">, inputs: number): Promise<BulkResult> {
  const upstream = startProgram(nodeProgram("bulk/capacity-upstream.js"));
  const { port: upstreamPort } = (await nextMessage(upstream)) as { port: number };
  const caller = startProgram(nodeProgram("bulk/job-caller.js"));
  await nextMessage(caller);
  const port = await freePort();
  const gateway = startProgram({
    command: process.execPath,
    arguments: [gatewayMain, "--config", writeConfiguration(folder, upstreamPort)],
    environment: {
      BENCH_KEY: benchKey,
      GATEWAY_ADMIN_KEY: adminKey,
      PORT: String(port),
      DATA_DIR: join(folder, `bulk-${port}`),
    },
  });
  try {
    await waitUntilListening(port, gateway);
    await sendLive(port, AbortSignal.timeout(warmUpMs));
    const alone = await sendLive(port, AbortSignal.timeout(quietMs));
    const besideJob = async (name: string, headers: Record<string, string>) => {
      const startedAt = performance.now();
      const isOver = new AbortController();
      const running = sendLive(port, isOver.signal);
      const { failed } = (await ask(caller, { port, inputs, headers } satisfies BulkJob)) as {
        failed: number;
      };
      const jobSeconds = (performance.now() - startedAt) / 1000;
      isOver.abort();
      return { name, live: await running, jobSeconds, jobFailures: failed };
    };
    const beside = [
      await besideJob("a bulk job", { "x-gateway-priority": "bulk" }),
      await besideJob("the same job, not bulk", {}),
    ];
    return { alone, beside };
  } finally {
    await Promise.all([gateway, upstream, caller].map(stopProgram));
  }
}

function writeConfiguration(folder: string, upstreamPort: number): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "bulk.yaml");
  writeFileSync(
    path,
    `keys: [{ name: bench, key: "\${BENCH_KEY}" }]
upstreams: { fixed: { provider: openai-compatible, baseUrl: "http://127.0.0.1:${upstreamPort}/v1" } }
models:
  m:
    type: embedding
    dimensions: ${bulkWidth}
    targets: [{ upstream: fixed, model: m, maxConcurrency: ${slots} }]
`,
  );
  return path;
}

/** The result as a table, for the terminal. */
export function bulkTable({ alone, beside }: BulkResult): string {
  const row = (label: string, live: LiveReport, job: string) => {
    const { sent, failed, p50Ms, p99Ms, maxMs, waited, waitedMs } = live;
    const ratio = (p99Ms / alone.p99Ms).toFixed(2);
    const times = [p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(0)).join(" | ");
    return `| ${label} | ${sent} | ${failed} | ${times} | ${ratio} | ${waited} | ${waitedMs.toFixed(0)} | ${job} |`;
  };
  return [
    "| interactive requests | sent | failed | p50 ms | p99 ms | longest ms | p99 / alone | waited | wait ms | the job |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    row("alone", alone, ""),
    ...beside.map(({ name, live, jobSeconds, jobFailures }) =>
      row(`beside ${name}`, live, `${jobSeconds.toFixed(0)} s, ${jobFailures} requests failed`),
    ),
  ].join("\n");
}
