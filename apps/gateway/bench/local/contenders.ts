import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { readProcessUsage } from "../load/resource-usage.js";
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
import type { SinglesJob } from "./engine-process.js";
import type { Calls, Latency, LocalWindow } from "./local-window.js";

/** One way to embed texts with `gte-small`, in a process that was started for it. */
export interface LocalContender {
  readonly name: string;
  run(calls: Calls): Promise<LocalWindow>;
  close(): Promise<void>;
}

export interface EngineContender extends LocalContender {
  measureSingles(job: SinglesJob): Promise<Latency>;
}

/** More padded tokens in a batch were slower: a batch of long texts does not fit the caches. */
const bareTokensMax = 256;

/** The two ways to call the bare runtime. Text by text, it has the vectors of the engine. */
export const bareNames = { alone: "bare, text by text", batched: "bare, batches" } as const;

export async function startBare(
  way: keyof typeof bareNames,
  { threads, cores }: { readonly threads: number; readonly cores: string | undefined },
): Promise<LocalContender> {
  const tokensMax = way === "batched" ? bareTokensMax : 0;
  const program = nodeProgram("local/bare-runtime.js", { arguments: [`${threads}`, `${tokensMax}`], cores });
  const child = startProgram(program);
  await nextMessage(child);
  return {
    name: bareNames[way],
    run: async (calls) => (await ask(child, calls)) as LocalWindow,
    close: () => stopProgram(child),
  };
}

/** @param checkout Another checkout of this repository, built. Its engine is called `other engine`. */
export async function startEngine({
  cores,
  checkout,
}: {
  readonly cores: string | undefined;
  readonly checkout?: string | undefined;
}): Promise<EngineContender> {
  const root = checkout === undefined ? new URL("../../../../../", import.meta.url) : folderUrl(checkout);
  const module = new URL("packages/local-embeddings/dist/index.js", root).href;
  const child = startProgram(nodeProgram("local/engine-process.js", { arguments: [module], cores }));
  await nextMessage(child);
  return {
    name: checkout === undefined ? "engine" : "other engine",
    run: async (calls) => (await ask(child, calls)) as LocalWindow,
    measureSingles: async (job) => (await ask(child, job)) as Latency,
    close: () => stopProgram(child),
  };
}

function folderUrl(checkout: string): URL {
  return pathToFileURL(`${resolve(checkout)}/`);
}

export async function startGatewayContender({
  cores,
  folder,
}: {
  readonly cores: string | undefined;
  readonly folder: string;
}): Promise<LocalContender> {
  const port = await freePort();
  const home = join(folder, `local-${port}`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "gateway.yaml"), configuration);
  const child = startProgram({
    command: process.execPath,
    arguments: [gatewayMain, "--config", join(home, "gateway.yaml")],
    environment: { PORT: String(port), DATA_DIR: join(home, "data") },
    cores,
  });
  await waitUntilListening(port, child);
  const cpuMs = () => readProcessUsage(child.pid ?? 0)?.cpuMs;
  return {
    name: "gateway",
    run: async (calls) => {
      const vectors: Float32Array[] = [];
      const cpuStart = cpuMs();
      const start = performance.now();
      for (const texts of calls) vectors.push(...(await requestVectors(port, texts)));
      const elapsedMs = performance.now() - start;
      const cpuEnd = cpuMs();
      const isKnown = cpuStart !== undefined && cpuEnd !== undefined;
      return { elapsedMs, cpuMs: isKnown ? cpuEnd - cpuStart : undefined, vectors };
    },
    close: () => stopProgram(child),
  };
}

const configuration = `
logLevel: warn
keys: [{ name: bench, key: ${benchKey} }]
upstreams: { local: { provider: local } }
models:
  gte-small: { type: embedding, dimensions: 384, targets: [{ upstream: local, model: gte-small }] }
`;

/** As the OpenAI clients ask: in base64. Nothing is cached, or every round after the first would measure the cache. */
async function requestVectors(port: number, input: readonly string[]): Promise<readonly Float32Array[]> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/embeddings`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${benchKey}`,
      "content-type": "application/json",
      "cache-control": "no-store",
    },
    body: JSON.stringify({ model: "gte-small", input, encoding_format: "base64" }),
  });
  if (!response.ok) throw new Error(`The gateway: ${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as { readonly data: readonly { readonly embedding: string }[] };
  return data.map(({ embedding }) => {
    // A copy: the bytes of a small Buffer may not be aligned to four.
    const bytes = new Uint8Array(Buffer.from(embedding, "base64"));
    return new Float32Array(bytes.buffer);
  });
}
