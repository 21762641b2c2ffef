import { mkdirSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { Testbed } from "../measure/testbed.js";
import {
  freePort,
  nextMessage,
  nodeProgram,
  startProgram,
  stopProgram,
  waitUntilListening,
} from "../processes.js";
import { formatNumber, table } from "../report/markdown.js";
import { benchKey, gatewayMain } from "../rivals/gateway.js";
import { capacity, width } from "./fixed-capacity.js";

/** Live requests of one window, in milliseconds. */
interface Window {
  readonly p50: number;
  readonly p99: number;
}

export interface BesideBatchResult {
  readonly rounds: readonly { readonly alone: Window; readonly beside: Window; readonly lines: number }[];
  /** The median of the rounds' ratios of p99. */
  readonly ratio: number;
}

const rounds = 3;
const windowMs = 15_000;
const everyMs = 20;
/** The most that a batch may have. Two are enough for a window. */
const batchLines = 50_000;
const batchesAtOnce = 2;
/** As the goal says. */
export const ratioMax = 1.5;

/**
 * The p99 of live requests to an upstream of fixed capacity, alone and beside a running batch, in turn. Nothing is pinned
 * to a core: a batch also keeps the threads of SQLite and of the garbage collector busy, and on one core they would take
 * turns with the requests. The caller and the upstream use little.
 */
export async function runBesideBatch({ folder }: Testbed): Promise<BesideBatchResult> {
  const upstream = startProgram(nodeProgram("beside-batch/paced-upstream.js"));
  const { port: upstreamPort } = (await nextMessage(upstream)) as { port: number };
  const port = await freePort();
  const home = join(folder, `beside-batch-${port}`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "gateway.yaml"), configuration(upstreamPort));
  const gateway = startProgram({
    command: process.execPath,
    arguments: [gatewayMain, "--config", join(home, "gateway.yaml")],
    environment: { PORT: String(port), DATA_DIR: join(home, "data") },
  });
  try {
    await waitUntilListening(port, gateway);
    const caller = new Caller(port);
    await caller.measure(windowMs / 2);
    const measured: BesideBatchResult["rounds"][number][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const alone = await caller.measure(windowMs);
      const batches = [];
      for (let count = 0; count < batchesAtOnce; count += 1) batches.push(await caller.beginBatch());
      const before = await caller.completedLines(batches);
      const beside = await caller.measure(windowMs);
      const last = batches.at(-1) ?? "";
      const { status } = await caller.retrieve(last);
      if (status !== "in_progress")
        throw new Error(`The batch is ${status}: it has too few lines for a window.`);
      measured.push({ alone, beside, lines: (await caller.completedLines(batches)) - before });
      for (const id of batches) await caller.cancel(id);
    }
    const ratios = measured.map(({ alone, beside }) => beside.p99 / alone.p99).sort((a, b) => a - b);
    return { rounds: measured, ratio: ratios[Math.floor(ratios.length / 2)] ?? Number.NaN };
  } finally {
    await Promise.all([gateway, upstream].map(stopProgram));
  }
}

export function besideBatchTable({ rounds, ratio }: BesideBatchResult): string {
  const ms = (value: number) => `${formatNumber(value)} ms`;
  const rows = rounds.map(({ alone, beside, lines }) => [
    ms(alone.p50),
    ms(beside.p50),
    ms(alone.p99),
    ms(beside.p99),
    (beside.p99 / alone.p99).toFixed(2),
    String(lines),
  ]);
  const head = ["p50 alone", "p50 beside", "p99 alone", "p99 beside", "ratio", "lines of the batch"];
  return `${table(head, rows)}\n\nThe median ratio of p99 is ${ratio.toFixed(2)}; the goal is ${ratioMax}.`;
}

function configuration(upstreamPort: number): string {
  return `
logLevel: warn
keys: [{ name: bench, key: ${benchKey} }]
upstreams: { fixed: { provider: openai-compatible, baseUrl: "http://127.0.0.1:${upstreamPort}/v1" } }
models:
  m: { type: embedding, dimensions: ${width}, targets: [{ upstream: fixed, model: m, maxConcurrency: ${capacity} }] }
`;
}

interface BatchState {
  readonly status: string;
  readonly request_counts: { readonly completed: number };
}

/** A caller with one live request every few milliseconds, whether or not the last one has its response. */
class Caller {
  readonly #url: string;
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true });
  #sent = 0;

  constructor(port: number) {
    this.#port = port;
    this.#url = `http://127.0.0.1:${port}/v1`;
  }

  async measure(ms: number): Promise<Window> {
    const times: number[] = [];
    const sent: Promise<void>[] = [];
    const start = performance.now();
    for (let count = 0; count * everyMs < ms; count += 1) {
      await setTimeout(Math.max(0, start + count * everyMs - performance.now()));
      sent.push(this.#embed().then((time) => void times.push(time)));
    }
    await Promise.all(sent);
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    return { p50: at(0.5), p99: at(0.99) };
  }

  async completedLines(batches: readonly string[]): Promise<number> {
    const states = await Promise.all(batches.map((id) => this.retrieve(id)));
    return states.reduce((sum, { request_counts }) => sum + request_counts.completed, 0);
  }

  /** Resolves once its lines run. */
  async beginBatch(): Promise<string> {
    const lines = Array.from({ length: batchLines }, (_, index) =>
      JSON.stringify({
        custom_id: String(index),
        method: "POST",
        url: "/v1/embeddings",
        body: { model: "m", input: `line ${this.#sent} ${index}` },
      }),
    );
    const form = new FormData();
    form.set("purpose", "batch");
    form.set("file", new Blob([lines.join("\n")]), "lines.jsonl");
    const { id: input_file_id } = await this.#send("/files", form);
    const body = { input_file_id, endpoint: "/v1/embeddings", completion_window: "24h" };
    const { id } = await this.#send("/batches", JSON.stringify(body));
    while ((await this.retrieve(id)).status === "validating") await setTimeout(100);
    return id;
  }

  async retrieve(id: string): Promise<BatchState> {
    const response = await fetch(`${this.#url}/batches/${id}`, { headers: authorization });
    return (await response.json()) as BatchState;
  }

  /** Resolves when none of its lines runs any more. */
  async cancel(id: string): Promise<void> {
    if ((await this.retrieve(id)).status === "in_progress") await this.#send(`/batches/${id}/cancel`, "");
    while (!["cancelled", "completed"].includes((await this.retrieve(id)).status)) await setTimeout(100);
  }

  async #send(path: string, body: FormData | string): Promise<{ readonly id: string }> {
    const headers = { ...authorization, ...(typeof body === "string" && body !== "" && jsonType) };
    const init = { method: "POST", headers, ...(body !== "" && { body }) };
    const response = await fetch(`${this.#url}${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { readonly id: string };
  }

  /** One text that no cache knows. Resolves to its time in milliseconds. */
  #embed(): Promise<number> {
    const start = performance.now();
    this.#sent += 1;
    const body = JSON.stringify({ model: "m", input: `live ${this.#sent}` });
    return new Promise((resolve, reject) => {
      const sending = request(
        {
          host: "127.0.0.1",
          port: this.#port,
          path: "/v1/embeddings",
          method: "POST",
          agent: this.#agent,
          headers: { ...authorization, ...jsonType, "content-length": Buffer.byteLength(body) },
        },
        (response) => {
          response.resume();
          response.once("end", () => {
            if (response.statusCode === 200) resolve(performance.now() - start);
            else reject(new Error(`A live request had the status ${response.statusCode}.`));
          });
        },
      );
      sending.once("error", reject);
      sending.end(body);
    });
  }
}

const authorization = { authorization: `Bearer ${benchKey}` };
const jsonType = { "content-type": "application/json" };
