import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { benchKey } from "../rivals/gateway.js";

/** The calls that the upstream works on at once. */
export const slots = 16;
export const bulkWidth = 16;

/** The durations of the interactive requests of one phase. */
export interface LiveReport {
  readonly sent: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** How many of their calls waited in the gateway for the capacity of the upstream, and how long on average. */
  readonly waited: number;
  readonly waitedMs: number;
}

export const adminKey = "bench-admin-key-0123456789";

const liveEveryMs = 50;
const requestInputs = 2048;
/** How many requests of the job are in flight. */
const jobRequests = 24;

/** Sends twenty requests a second until the signal aborts, whether or not the ones before were answered. */
export async function sendLive(port: number, until: AbortSignal): Promise<LiveReport> {
  const durations: number[] = [];
  const before = await readWaits(port);
  let failed = 0;
  const pending: Promise<void>[] = [];
  for (let number = 0; !until.aborted; number += 1) {
    const startedAt = performance.now();
    pending.push(
      embed(port, [`live ${number}`]).then((status) => {
        durations.push(performance.now() - startedAt);
        if (status !== 200) failed += 1;
      }),
    );
    await setTimeout(liveEveryMs);
  }
  await Promise.all(pending);
  const sorted = durations.sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  const after = await readWaits(port);
  const waited = after.calls - before.calls;
  return {
    sent: sorted.length,
    failed,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: sorted.at(-1) ?? 0,
    waited,
    waitedMs: (1000 * (after.seconds - before.seconds)) / Math.max(1, waited),
  };
}

/** The waits of interactive calls since the start of the gateway, from its metrics. */
async function readWaits(port: number): Promise<{ readonly calls: number; readonly seconds: number }> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { authorization: `Bearer ${adminKey}` },
  });
  const text = await response.text();
  const figure = (name: string) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(name))
        ?.split(" ")[1],
    );
  return {
    calls: figure('gateway_queue_calls_total{priority="interactive",result="waited"}'),
    seconds: figure('gateway_queue_wait_seconds_total{priority="interactive"}'),
  };
}

/** The order to the process that sends the job. */
export interface BulkJob {
  readonly port: number;
  readonly inputs: number;
  readonly headers: Record<string, string>;
}

/** Sends so many inputs, a few requests at a time. Returns how many requests were not a success. */
export async function sendJob({ port, inputs, headers }: BulkJob): Promise<number> {
  let next = 0;
  let failed = 0;
  const run = async () => {
    while (next < inputs) {
      const from = next;
      next = Math.min(inputs, from + requestInputs);
      const texts = Array.from({ length: next - from }, (_, index) => `bulk ${from + index}`);
      if ((await embed(port, texts, headers)) !== 200) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: jobRequests }, run));
  return failed;
}

async function embed(port: number, input: readonly string[], headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/embeddings`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${benchKey}`, ...headers },
    body: JSON.stringify({ model: "m", input }),
  });
  await response.arrayBuffer();
  return response.status;
}
