import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, startProgram, waitUntilListening } from "../processes.js";
import { width } from "../workloads/sample-data.js";
import type { Rival, RivalOptions } from "./rival.js";

const main = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));
const probe = new URL("./gateway-probe.js", import.meta.url).href;

/** Our gateway as an operator runs it: the built program, a configuration file, and every default. */
export const gateway: Rival = {
  name: "ours",
  description: "this gateway with all its checks",
  headers: () => ({}),
  start: async (options) => {
    const { arguments: given, environment, port } = await prepareGateway(options);
    const child = startProgram({
      command: process.execPath,
      // The probe does nothing until it is asked to.
      arguments: ["--import", probe, ...given],
      environment,
      ...(options.cores === undefined ? {} : { cores: options.cores }),
    });
    await waitUntilListening(port, child);
    return { child, port };
  },
};

export const benchKey = "bench-key-0123456789";

/**
 * Writes a configuration, and returns the arguments and the environment that start a gateway with it.
 *
 * @param localModel Adds a model called `local` that the gateway computes itself.
 */
export async function prepareGateway(options: RivalOptions, localModel?: string) {
  const port = await freePort();
  const folder = join(options.folder, `gateway-${port}`);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "gateway.yaml");
  writeFileSync(path, configuration(options.upstreamPort, localModel));
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

function configuration(upstreamPort: number, localModel: string | undefined): string {
  const embedding = `type: embedding, dimensions: ${width}`;
  const local =
    localModel === undefined
      ? { upstream: "", model: "" }
      : {
          upstream: ", local: { provider: local }",
          model: `  local: { type: embedding, targets: [{ upstream: local, model: ${localModel} }] }\n`,
        };
  return `keys: [{ name: bench, key: "\${BENCH_KEY}" }]
upstreams: { fake: { provider: openai-compatible, baseUrl: "http://127.0.0.1:${upstreamPort}/v1", apiKey: upstream-key }${local.upstream} }
models:
  plain: { ${embedding}, targets: [{ upstream: fake, model: plain }] }
  cached: { ${embedding}, cache: { ttl: 24h }, targets: [{ upstream: fake, model: cached }] }
  joined: { ${embedding}, coalesce: { windowMs: 2, maxInputs: 64 }, targets: [{ upstream: fake, model: joined }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
${local.model}`;
}
