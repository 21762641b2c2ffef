/** The process edge: arguments, environment, signals, listening. The only file that says `process`. */
import cluster from "node:cluster";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import pino from "pino";
import { createGateway } from "./app/app.js";
import { startServer } from "./app/server.js";
import { welcome } from "./app/welcome.js";
import { type ReadyMessage, slotVariable, startWorkers } from "./app/workers.js";
import type { Config } from "./config/config.js";
import { ConfigError, loadConfig } from "./config/load-config.js";
import { createReloader, type Stamp, stampOf, watchConfigFile } from "./config/reload.js";
import { digest } from "./config/resolve.js";
import { makeKeyText } from "./keys/key-text.js";
import { openUpstream } from "./providers/registry.js";
import { QuietTimes } from "./quiet-times.js";
import { lockDataFolder } from "./storage/data-folder-lock.js";
import { openStorage } from "./storage/open-storage.js";
import { createLog } from "./telemetry/log.js";
import { type HubMember, joinMetricsHub, MetricsHub } from "./telemetry/metrics/cluster-metrics.js";
import { openTracer } from "./telemetry/traces/traces.js";

const usage = `Usage: node apps/gateway/dist/main.js [--config <file>]

  --config <file>   the configuration; else GATEWAY_CONFIG, ./gateway.yaml, or the built-in default
  --help            this text

Environment: HOST, PORT, WORKERS, DATA_DIR, LOG_LEVEL, REDIS_URL, PUBLIC_URL, DATABASE_URL, GATEWAY_ADMIN_KEY and
GATEWAY_KEY_SECRET override the file; \${NAME} in the file takes any other. OTEL_* variables turn on traces.`;

const runKeyName = "this-run";
/** How workers learn the key that was made for this run. */
const runKeyVariable = "GATEWAY_RUN_KEY";
const watchEveryMs = 1000;
const warmUpAdminAfterMs = 2000;

/*
 * Under load V8 concludes from requests that are under way when it collects that what they are made of lives long, and
 * makes all of it where only a full collection finds it. Without that guess there are a third as many of those, and the
 * slowest of a hundred requests takes half as long.
 */
setFlagsFromString("--no-allocation-site-pretenuring");

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
  const madeKey = process.env[runKeyVariable] ?? makeKeyText("mg_");
  const workingDirectory = process.cwd();
  const load = (path: string | undefined) => {
    const source = { environment: process.env, workingDirectory };
    return withKey(loadConfig(path === undefined ? source : { ...source, path }), madeKey);
  };
  const config = load(values.config);
  const stamp = config.file === undefined ? undefined : stampOf(config.file);
  if (cluster.isWorker) return runGateway(config, { madeKey, load, stamp });
  const lock = lockDataFolder(config.dataDir);
  process.on("exit", () => lock.release());
  await (config.workers === 1 ? runGateway(config, { madeKey, load, stamp }) : runWorkers(config, madeKey));
}

interface RunOptions {
  readonly madeKey: string;
  readonly load: (path: string | undefined) => Config;
  /** How the file of the configuration was when it was read. */
  readonly stamp: Stamp;
}

/** Serves requests in this process. */
async function runGateway(config: Config, { madeKey, load, stamp }: RunOptions): Promise<void> {
  const { worker } = cluster;
  // Workers write to the same pipe, which takes so much whole.
  const destination = { dest: 1, sync: false, ...(worker && { maxWrite: 4096 }) };
  const log = createLog(config.logLevel, pino.destination(destination));
  let hub: HubMember | undefined;
  const gateway = await createGateway({
    config,
    log,
    openUpstream,
    openStorage,
    tracer: await openTracer({ environment: process.env, log }),
    worker: { slot: Number(process.env[slotVariable] ?? 1), count: config.workers },
    self: { id: process.pid, isAlive },
    now: () => performance.now(),
    nodeMajor: Number(process.versions.node.split(".")[0]),
    ...(worker && {
      gatherMetrics: (metrics) => {
        hub = joinMetricsHub(worker, metrics);
        return hub;
      },
    }),
  });
  gateway.metrics.watchProcess();
  const quietTimes = new QuietTimes(setFlagsFromString);
  const running = await startServer(gateway, config, () => quietTimes.onWork());
  quietTimes.watch(running.underWay);

  for (const warning of config.warnings) log.warn(warning);
  const models = gateway.catalog().list();
  log.info({ url: running.url, models: models.map(({ id }) => id) }, "listening");
  const greeting = welcome(running.url, models, {
    madeKey: hasOwnKey(config) ? undefined : madeKey,
    madeAdminKey: gateway.madeAdminKey,
  });
  if (worker === undefined) process.stdout.write(greeting);
  else worker.send({ kind: "ready", welcome: greeting } satisfies ReadyMessage);
  stopOnSignals(async () => {
    await running.stop();
    await hub?.leave();
    log.flush();
  });
  const reload = createReloader({
    // A file that is gone for a moment is not the same as none: the default must not take its place.
    load: () => load(config.file),
    take: gateway.reload,
    onTaken: ({ models: taken, warnings }) => {
      for (const warning of warnings) log.warn(warning);
      log.info({ models: [...taken.keys()] }, "The configuration was read again.");
    },
    onRefused: (faults) => log.error({ faults }, "The new configuration was refused; the old one stays."),
  });
  process.on("SIGHUP", () => void reload());
  if (config.file !== undefined)
    void watchConfigFile({
      file: config.file,
      stamp,
      everyMs: watchEveryMs,
      onChange: () => void reload(),
    });
  // Whoever waits for the gateway to start comes first.
  setTimeout(() => {
    gateway
      .warmUpAdmin()
      .catch((failure: unknown) => log.error({ err: failure }, "The admin API has a fault."));
  }, warmUpAdminAfterMs).unref();
}

/** Starts the workers, and stays to look after them. */
async function runWorkers(config: Config, madeKey: string): Promise<void> {
  const log = createLog(config.logLevel, pino.destination({ dest: 1, sync: false }));
  new MetricsHub(cluster);
  const workers = startWorkers({
    cluster,
    count: config.workers,
    environment: { [runKeyVariable]: madeKey },
    log,
  });
  stopOnSignals(async () => {
    await workers.stop();
    log.flush();
  });
  process.on("SIGHUP", () => workers.reload());
  try {
    process.stdout.write(await workers.ready);
  } catch (failure) {
    workers.kill();
    throw Object.assign(new Error("A worker could not start; the gateway stops."), {
      code: "worker_start",
      cause: failure,
    });
  }
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

/** Signal 0 is no signal: it only asks whether there is somebody to send one to. */
function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (failure) {
    return failure instanceof Error && "code" in failure && failure.code === "EPERM";
  }
}

/**
 * The first signal stops with care, a second one at once. A worker hears of one stop several times, from the terminal and
 * from the process that looks after it; a second stop ends that process, and all workers with it.
 */
function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping && cluster.isWorker) return;
      if (isStopping) process.exit(1);
      isStopping = true;
      void stop().finally(() => process.exit(0));
    });
  }
}
