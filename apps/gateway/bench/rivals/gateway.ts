import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, startProgram } from "../processes.js";
import { width } from "../vectors.js";
import { listening } from "./listening.js";
import type { Ground, Rival } from "./rival.js";

const main = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));
const watcher = new URL("../watch-gateway.js", import.meta.url).href;

/** Ours, as an operator runs it: the built program, a configuration file, everything on that is on by default. */
export const gateway: Rival = {
  name: "ours",
  description: "this gateway, everything on",
  headers: () => ({}),
  start: async (ground) => {
    const { arguments: given, environment, port } = await prepareGateway(ground);
    const child = startProgram({
      command: process.execPath,
      // It lies still until it is asked for stalls or a profile.
      arguments: ["--import", watcher, ...given],
      environment,
      ...(ground.cores === undefined ? {} : { cores: ground.cores }),
    });
    await listening(port, child);
    return { child, port };
  },
};

export const benchKey = "bench-key-0123456789";

/**
 * Writes the configuration, and says how the gateway is started with it.
 *
 * @param localModel What the model `local` is, where there shall be one.
 */
export async function prepareGateway({ upstreamPort, folder, workers }: Ground, localModel?: string) {
  const port = await freePort();
  const place = join(folder, `gateway-${port}`);
  mkdirSync(place, { recursive: true });
  const path = join(place, "gateway.yaml");
  writeFileSync(path, configuration(upstreamPort, localModel));
  return {
    port,
    arguments: [main, "--config", path],
    environment: {
      BENCH_KEY: benchKey,
      PORT: String(port),
      DATA_DIR: join(place, "data"),
      ...(workers === 1 ? {} : severalWorkers(workers)),
    },
  };
}

/** Several processes need a database and a Redis to share, which are those of whoever runs the benchmark. */
function severalWorkers(workers: number): NodeJS.ProcessEnv {
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
