/** The process edge: arguments, environment, signals, listening. The only file that says `process`. */
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import pino from "pino";
import { openUpstream } from "./adapters/index.js";
import { createGateway } from "./app.js";
import type { Config } from "./config/config.js";
import { ConfigError, loadConfig } from "./config/load-config.js";
import { digest } from "./config/resolve-config.js";
import { makeKeyText } from "./keys/key-text.js";
import { openStorage } from "./open-storage.js";
import { type RunningGateway, serve } from "./serve.js";
import { lockDataFolder } from "./storage/data-folder-lock.js";
import { createLog } from "./telemetry/log.js";
import { welcome } from "./welcome.js";

const usage = `Usage: node apps/gateway/dist/main.js [--config <file>]

  --config <file>   the configuration; else GATEWAY_CONFIG, ./gateway.yaml, or the built-in default
  --help            this text

Environment: HOST, PORT, DATA_DIR, LOG_LEVEL, REDIS_URL, PUBLIC_URL, DATABASE_URL, GATEWAY_ADMIN_KEY and
GATEWAY_KEY_SECRET override the file; \${NAME} in the file takes any other.`;

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
  const loaded = loadConfig({
    ...(values.config === undefined ? {} : { path: values.config }),
    environment: process.env,
    workingDirectory: process.cwd(),
  });
  const { config, madeKey } = withKey(loaded);
  const lock = lockDataFolder(config.dataDir);
  const log = createLog(config.logLevel, pino.destination({ dest: 1, sync: false }));
  const gateway = await createGateway({
    config,
    log,
    openUpstream,
    openStorage,
    self: { id: process.pid, isAlive },
    now: () => performance.now(),
  });
  const running = await serve(gateway, config);

  for (const warning of config.warnings) log.warn(warning);
  log.info({ url: running.url, models: gateway.catalog.list().map(({ id }) => id) }, "listening");
  const { madeAdminKey } = gateway;
  process.stdout.write(welcome(running.url, gateway.catalog.list(), { madeKey, madeAdminKey }));
  stopOnSignals(running, () => {
    lock.release();
    log.flush();
  });
  await gateway.warmUpAdmin();
}

/** Without a key in the configuration, one is made for this run. */
function withKey(config: Config): { config: Config; madeKey?: string } {
  if (config.keys.length > 0) return { config };
  const madeKey = makeKeyText("mg_");
  const key = { id: "config:this-run", name: "this-run", limits: {}, isDisabled: false };
  return { config: { ...config, keys: [{ key, sha256: digest(madeKey) }] }, madeKey };
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
