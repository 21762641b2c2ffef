/** The process edge: arguments, environment, signals, listening. The only file that says `process`. */
import { randomBytes } from "node:crypto";
import { watchFile } from "node:fs";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import pino from "pino";
import { openUpstream } from "./adapters/index.js";
import { createGateway } from "./app.js";
import type { Config } from "./config/config.js";
import { ConfigError, loadConfig } from "./config/load-config.js";
import { createReloader } from "./config/reloader.js";
import { digest } from "./config/resolve-key.js";
import { type RunningGateway, serve } from "./serve.js";
import { createLog } from "./telemetry/log.js";
import { welcome } from "./welcome.js";

const usage = `Usage: node apps/gateway/dist/main.js [--config <file>]

  --config <file>   the configuration; else GATEWAY_CONFIG, ./gateway.yaml, or the built-in default
  --help            this text

Environment: HOST, PORT, DATA_DIR, LOG_LEVEL override the file; \${NAME} in the file takes any other.`;

const runKeyName = "this-run";
const watchEveryMs = 1000;

try {
  await main();
} catch (failure) {
  const isExpected = failure instanceof ConfigError || (failure instanceof Error && "code" in failure);
  process.stderr.write(
    `${isExpected ? failure.message : failure instanceof Error ? failure.stack : String(failure)}\n`,
  );
  process.exit(1);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: "string" }, help: { type: "boolean" } } });
  if (values.help === true) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const madeKey = `mg_${randomBytes(20).toString("hex")}`;
  const workingDirectory = process.cwd();
  const load = (path: string | undefined) => {
    const source = { environment: process.env, workingDirectory };
    return withKey(loadConfig(path === undefined ? source : { ...source, path }), madeKey);
  };
  const config = load(values.config);
  const log = createLog(config.logLevel, pino.destination({ dest: 1, sync: false }));
  const gateway = await createGateway({
    config,
    log,
    openUpstream,
    self: { id: process.pid, isAlive },
    now: () => performance.now(),
    nodeMajor: Number(process.versions.node.split(".")[0]),
  });
  const running = await serve(gateway, config);

  for (const warning of config.warnings) log.warn(warning);
  log.info(
    {
      url: running.url,
      models: gateway
        .catalog()
        .list()
        .map(({ id }) => id),
    },
    "listening",
  );
  process.stdout.write(
    welcome(running.url, gateway.catalog().list(), hasOwnKey(config) ? undefined : madeKey),
  );
  reloadOnChange(
    config.file,
    createReloader({
      // A file that is gone for a moment is not the same as none: the default must not take its place.
      load: () => load(config.file),
      take: gateway.reload,
      onTaken: ({ models, warnings }) => {
        for (const warning of warnings) log.warn(warning);
        log.info({ models: [...models.keys()] }, "The configuration was read again.");
      },
      onRefused: (faults) => log.error({ faults }, "The new configuration was refused; the old one stays."),
    }),
  );
  stopOnSignals(running, () => log.flush());
}

/** Without a key in the configuration, there is one that was made for this run. */
function withKey(config: Config, madeKey: string): Config {
  if (config.keys.length > 0) return config;
  const key = { id: `config:${runKeyName}`, name: runKeyName, limits: {}, isDisabled: false };
  return { ...config, keys: [{ key, sha256: digest(madeKey) }] };
}

function hasOwnKey({ keys }: Config): boolean {
  return keys.some(({ key }) => key.name !== runKeyName);
}

/** Looks at the file itself from time to time: what replaces it, or a link to it, is seen as well. */
function reloadOnChange(file: string | undefined, reload: () => Promise<void>): void {
  process.on("SIGHUP", () => void reload());
  if (file === undefined) return;
  watchFile(file, { interval: watchEveryMs, persistent: false }, (now, before) => {
    if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino || now.size !== before.size) void reload();
  });
}

/** Signal 0 is no signal: it only asks whether there is somebody to send one to. */
function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (failure) {
    return failure instanceof Error && "code" in failure && failure.code === "EPERM";
  }
}

/** The first signal stops with care, a second one at once. */
function stopOnSignals(running: RunningGateway, flush: () => void): void {
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      void running.stop().finally(() => {
        flush();
        process.exit(0);
      });
    });
  }
}
