import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, startProgram, waitUntilListening } from "../processes.js";
import { width } from "../workloads/sample-data.js";
import type { Rival, RivalOptions, StartedRival } from "./rival.js";

export const gatewayMain = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));
const probe = new URL("./gateway-probe.js", import.meta.url).href;

/** Our gateway as an operator runs it: the built program, a configuration file, and every default. */
export const gateway: Rival = {
  name: "ours",
  description: "this gateway with all its checks",
  headers: () => ({}),
  start: (options) => startGateway(gatewayMain, options),
};

/** The gateway of another checkout that has been built: what a change costs or gains is told by one run with both. */
export function otherGateway(checkout: string): Rival {
  const main = join(resolve(checkout), "apps/gateway/dist/main.js");
  return {
    name: "other",
    description: "the gateway of another checkout",
    headers: () => ({}),
    start: (options) => startGateway(main, options),
  };
}

async function startGateway(main: string, options: RivalOptions): Promise<StartedRival> {
  const { arguments: given, environment, port } = await prepareGateway(options, {}, main);
  const child = startProgram({
    command: process.execPath,
    // The probe does nothing until it is asked to.
    arguments: ["--import", probe, ...given],
    environment,
    ...(options.cores === undefined ? {} : { cores: options.cores }),
  });
  await waitUntilListening(port, child);
  return { child, port };
}

export const benchKey = "bench-key-0123456789";

export interface MoreModels {
  /** Adds a model called `local` that the gateway computes itself. */
  readonly localModel?: string;
  /** Serves the model `plain` on an upstream of its own, and the same as `bulk` on the common one. */
  readonly plainPort?: number;
  /** Adds the model `counted`, whose tokens are counted, and models of an upstream that floods. */
  readonly floodPort?: number;
}

/** Writes a configuration, and returns the arguments and the environment that start a gateway with it. */
export async function prepareGateway(options: RivalOptions, more: MoreModels = {}, main = gatewayMain) {
  const port = await freePort();
  const folder = join(options.folder, `gateway-${port}`);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "gateway.yaml");
  writeFileSync(path, configuration(options.upstreamPort, more));
  return {
    port,
    arguments: [main, "--config", path],
    environment: {
      BENCH_KEY: benchKey,
      PORT: String(port),
      DATA_DIR: join(folder, "data"),
      ...(options.workers === 1 ? {} : workersEnvironment(options.workers)),
    },
  };
}

/** Several workers share a database and a Redis, which the environment of the benchmark names. */
function workersEnvironment(workers: number): NodeJS.ProcessEnv {
  const { DATABASE_URL, REDIS_URL } = process.env;
  return { WORKERS: String(workers), DATABASE_URL, REDIS_URL };
}

function configuration(upstreamPort: number, { localModel, plainPort, floodPort }: MoreModels): string {
  const embedding = `type: embedding, dimensions: ${width}`;
  const fake = (port: number) =>
    `{ provider: openai-compatible, baseUrl: "http://127.0.0.1:${port}/v1", apiKey: upstream-key }`;
  return [
    'keys: [{ name: bench, key: "${BENCH_KEY}" }]',
    "upstreams:",
    `  fake: ${fake(upstreamPort)}`,
    `  plain: ${fake(plainPort ?? upstreamPort)}`,
    ...(localModel === undefined ? [] : ["  local: { provider: local }"]),
    ...(floodPort === undefined
      ? []
      : [
          `  flood: ${fake(floodPort)}`,
          `  counted: { provider: openai, baseUrl: "http://127.0.0.1:${upstreamPort}/v1", apiKey: upstream-key }`,
        ]),
    "models:",
    `  plain: { ${embedding}, targets: [{ upstream: plain, model: plain }] }`,
    `  bulk: { ${embedding}, targets: [{ upstream: fake, model: plain }] }`,
    `  cached: { ${embedding}, cache: { ttl: 24h }, targets: [{ upstream: fake, model: cached }] }`,
    `  joined: { ${embedding}, coalesce: { windowMs: 2, maxInputs: 64 }, targets: [{ upstream: fake, model: joined }] }`,
    "  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }",
    ...(floodPort === undefined
      ? []
      : [
          `  counted: { ${embedding}, maxTokens: 1000, targets: [{ upstream: counted, model: text-embedding-3-small }] }`,
          `  flood: { ${embedding}, targets: [{ upstream: flood, model: plain }] }`,
          "  flood-image: { type: image, profile: gpt-image, targets: [{ upstream: flood, model: image }] }",
        ]),
    ...(localModel === undefined
      ? []
      : [`  local: { type: embedding, targets: [{ upstream: local, model: ${localModel} }] }`]),
  ].join("\n");
}
