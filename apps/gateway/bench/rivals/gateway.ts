import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, type Program, startProgram, waitUntilListening } from "../processes.js";
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

/** The built gateway of another checkout: one run with both shows the effect of a change. */
export function otherGateway(checkout: string): Rival {
  const main = mainOf(checkout);
  return {
    name: "other",
    description: "the gateway of another checkout",
    headers: () => ({}),
    start: (options) => startGateway(main, options),
  };
}

/** The built program of a checkout. */
export function mainOf(checkout: string): string {
  return join(resolve(checkout), "apps/gateway/dist/main.js");
}

/** Starts the built program of this or another checkout. */
export async function startGateway(main: string, options: RivalOptions): Promise<StartedRival> {
  const { port, program } = await prepareGateway(options, {}, main);
  const { cores } = options;
  const child = startProgram({ ...withProbe(program), cores });
  await waitUntilListening(port, child);
  return { child, port };
}

/** The program with the probe, which does nothing until it is asked to. */
export function withProbe(program: Program): Program {
  return { ...program, arguments: ["--import", probe, ...program.arguments] };
}

export const benchKey = "bench-key-0123456789";
/** The key whose requests must not suffer in a soak, and those that make them. */
export const modestKey = "modest-key-0123456789";
export const hostileKeys = Array.from({ length: 5 }, (_, index) => `hostile-key-${index}-0123456789`);
export const soakAdminKey = "admin-key-0123456789abcdef0123456789";

/** The upstreams and models that the soak adds. */
export interface SoakModels {
  /** Serves the model `plain` on an upstream that serves nothing else. */
  readonly plainPort: number;
  /** Serves the images of the model `bought`, and counts them. */
  readonly boughtPort: number;
  /** An upstream that floods. */
  readonly floodPort: number;
  /** A model that the gateway computes itself. */
  readonly localModel: string;
}

/** Writes a configuration, and returns the program that serves it. */
export async function prepareGateway(
  options: RivalOptions,
  more: Partial<SoakModels> = {},
  main = gatewayMain,
): Promise<{ readonly port: number; readonly program: Program }> {
  const port = await freePort();
  const folder = join(options.folder, `gateway-${port}`);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "gateway.yaml");
  writeFileSync(path, configuration(options.upstreamPort, more));
  const isSoak = more.floodPort !== undefined;
  const environment = {
    BENCH_KEY: benchKey,
    PORT: String(port),
    DATA_DIR: join(folder, "data"),
    // As in the container (decision 0028).
    ...(isSoak ? { MALLOC_MMAP_THRESHOLD_: "1048576" } : {}),
  };
  return {
    port,
    program: {
      command: options.node ?? process.execPath,
      arguments: [main, "--config", path],
      environment,
    },
  };
}

function configuration(upstreamPort: number, more: Partial<SoakModels>): string {
  const { plainPort = upstreamPort, boughtPort, floodPort, localModel } = more;
  const embedding = `type: embedding, dimensions: ${width}`;
  const fake = (port: number | undefined, provider = "openai-compatible") =>
    `{ provider: ${provider}, baseUrl: "http://127.0.0.1:${port}/v1", apiKey: upstream-key }`;
  const isSoak = floodPort !== undefined;
  return [
    "keys:",
    '  - { name: bench, key: "${BENCH_KEY}" }',
    ...(isSoak ? [modestKey, ...hostileKeys].map((key) => `  - { name: ${key}, key: ${key} }`) : []),
    ...(isSoak ? [`adminKey: ${soakAdminKey}`] : []),
    // 64 images of 1 MB are 85 MB of base64.
    "limits: { jsonBytesMax: 134217728 }",
    "upstreams:",
    `  fake: ${fake(upstreamPort)}`,
    `  plain: ${fake(plainPort)}`,
    ...(isSoak ? [`  flood: ${fake(floodPort)}`, `  counted: ${fake(upstreamPort, "openai")}`] : []),
    ...(isSoak ? ["  local: { provider: local }", `  bought: ${fake(boughtPort)}`] : []),
    "models:",
    `  plain: { ${embedding}, targets: [{ upstream: plain, model: plain }] }`,
    `  bulk: { ${embedding}, targets: [{ upstream: fake, model: plain }] }`,
    `  pictures: { ${embedding}, targets: [{ upstream: fake, model: pictures, inputImages: true }] }`,
    `  cached: { ${embedding}, cache: { ttl: 24h }, targets: [{ upstream: fake, model: cached }] }`,
    `  joined: { ${embedding}, coalesce: { windowMs: 2, maxInputs: 64 }, targets: [{ upstream: fake, model: joined }] }`,
    "  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }",
    ...(isSoak
      ? [
          `  counted: { ${embedding}, maxTokens: 1000, targets: [{ upstream: counted, model: text-embedding-3-small }] }`,
          `  flood: { ${embedding}, targets: [{ upstream: flood, model: plain }] }`,
          "  bought: { type: image, profile: gpt-image, price: { perImage: 0.01 }, targets: [{ upstream: bought, model: image }] }",
          "  flood-image: { type: image, profile: gpt-image, targets: [{ upstream: flood, model: image }] }",
          `  local: { type: embedding, targets: [{ upstream: local, model: ${localModel} }] }`,
        ]
      : []),
  ].join("\n");
}
