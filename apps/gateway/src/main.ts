/** The process edge: arguments, environment, signals, listening. No other file reads `process`. */
import cluster from "node:cluster";
import { createServer } from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import type { Logger } from "pino";
import { createGateway } from "./app/app.js";
import { listenOnPort } from "./app/listener.js";
import { startServer } from "./app/server.js";
import { type StopTimes, stopTimes } from "./app/stop-times.js";
import { adminKeyNotice, welcome } from "./app/welcome.js";
import { hubTopics } from "./app/workers/hub-topics.js";
import { Supervisor, slotVariable, urlVariable } from "./app/workers/supervisor.js";
import { SupervisorLink } from "./app/workers/supervisor-link.js";
import { WorkerHub } from "./app/workers/worker-hub.js";
import type { Config } from "./config/config.js";
import { watchFiles } from "./config/file-version.js";
import { ConfigError, loadConfig } from "./config/load-config.js";
import { createReloader } from "./config/reload.js";
import { digest } from "./config/resolve.js";
import { createKeyText } from "./keys/key-text.js";
import { openUpstream } from "./providers/registry.js";
import { lockDataFolder } from "./storage/data-folder-lock.js";
import { openStorage } from "./storage/open-storage.js";
import {
  atomicWriteBytes,
  createLog,
  createRequestLog,
  type LogRequest,
  openLogDestination,
} from "./telemetry/log.js";
import { openTracer } from "./telemetry/traces/traces.js";

const usage = `Usage: node apps/gateway/dist/main.js [--config <file>]

  --config <file>   The configuration file. Default: the path in GATEWAY_CONFIG, then ./gateway.yaml, then the
                    built-in configuration.
  --help            Print this text.

These environment variables override the file: HOST, PORT, WORKERS, DATA_DIR, LOG_LEVEL, REDIS_URL, PUBLIC_URL,
DATABASE_URL, GATEWAY_ADMIN_KEY, GATEWAY_KEY_SECRET. In the file, \${NAME} is replaced by the environment variable NAME.
OTEL_* variables enable traces.`;

const runKeyName = "this-run";
/** Passes the key that was created for this run to the workers. */
const runKeyVariable = "GATEWAY_RUN_KEY";
const stopSignals = ["SIGTERM", "SIGINT"] as const;
const watchEveryMs = 1000;
const warmUpAdminAfterMs = 2000;

// V8 would allocate the objects of requests in the old generation. Without that, p99 halves, and the CPU time of a small
// embedding falls from 515 to 480 µs.
setFlagsFromString("--no-allocation-site-pretenuring");

try {
  await main();
} catch (failure) {
  const isExpected = failure instanceof ConfigError || (failure instanceof Error && "code" in failure);
  process.stderr.write(
    `${isExpected ? explain(failure) : failure instanceof Error ? failure.stack : String(failure)}\n`,
  );
  process.exit(1);
}

/** The message of an error that an operator can do something about. */
function explain(failure: Error): string {
  if (!("code" in failure) || (failure.code !== "ENOSPC" && failure.code !== "EDQUOT"))
    return failure.message;
  return `The disk is full, so the gateway cannot create the files that it needs. Free some space, then start it again. (${failure.message})`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: "string" }, help: { type: "boolean" } } });
  if (values.help === true) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const runKey = process.env[runKeyVariable] ?? createKeyText("mg_");
  const workingDirectory = process.cwd();
  const load = (path: string | undefined) => {
    const source = { environment: process.env, workingDirectory };
    return withKey(loadConfig(path === undefined ? source : { ...source, path }), runKey);
  };
  const config = load(values.config);
  if (cluster.isWorker) return runGateway(config, { runKey, load });
  const lock = lockDataFolder(config.dataDir);
  process.on("exit", () => lock.release());
  await (config.workers === 1 ? runGateway(config, { runKey, load }) : runWorkers(config, runKey));
}

interface RunOptions {
  readonly runKey: string;
  readonly load: (path: string | undefined) => Config;
}

/** Serves requests in this process. */
async function runGateway(config: Config, { runKey, load }: RunOptions): Promise<void> {
  const link = cluster.worker && new SupervisorLink(cluster.worker, process.env[urlVariable] ?? "");
  const { log, logRequest } = openLog(config);
  const gateway = await createGateway({
    config,
    log,
    logRequest,
    openUpstream,
    openStorage,
    tracer: await openTracer({ environment: process.env, log }),
    worker: { slot: Number(process.env[slotVariable] ?? 1), count: config.workers },
    self: { id: process.pid, isAlive },
    now: () => performance.now(),
    nodeMajor: Number(process.versions.node.split(".")[0]),
    onAdminKeyCreated: (text) => process.stdout.write(adminKeyNotice(text)),
    ...(link && { siblings: link }),
  });
  gateway.metrics.watchProcess();
  const running = await startServer(gateway, config, link && ((server) => link.listen(server)));

  for (const warning of config.warnings) log.warn(warning);
  const models = gateway.catalog().list();
  log.info({ url: running.url, models: models.map(({ id }) => id) }, "The gateway is listening.");
  reloadOnChange(config, {
    load,
    log,
    apply: async (wanted) => {
      await gateway.reload(wanted);
      running.renewCertificate(wanted);
    },
  });
  const stop = async (times: StopTimes): Promise<void> => {
    exitAfter(times.exitMs, log);
    await running.stop(times);
    await link?.reportUnasked("metrics");
  };
  const greeting = welcome(running.url, models, hasOwnKey(config) ? undefined : runKey);
  // Signals have their handlers before the greeting: one that comes right after it must not end the process.
  if (link === undefined) {
    stopOnSignals(config, (times) => {
      gateway.beginStop();
      return stop(times);
    });
    process.stdout.write(greeting);
  } else {
    for (const signal of stopSignals) process.on(signal, () => link.passOnSignal());
    link.ready(greeting, (times, { isWholeGateway }) => {
      if (isWholeGateway) gateway.beginStop();
      void stop(times).finally(() => process.exit(0));
    });
  }
  // Callers that wait for the start come first.
  void setTimeout(warmUpAdminAfterMs, undefined, { ref: false })
    .then(() => gateway.warmUpAdmin())
    .catch((failure: unknown) =>
      log.error({ err: failure }, "The schemas of the admin API could not be compiled."),
    );
}

interface ReloadOptions extends Pick<RunOptions, "load"> {
  readonly apply: (wanted: Config) => Promise<void>;
  readonly log: Logger;
}

/** Applies another configuration on SIGHUP, and when a file of it has changed. */
function reloadOnChange({ file, files: loaded }: Config, { load, apply, log }: ReloadOptions): void {
  let files = loaded;
  const reload = createReloader({
    // The path is passed on, so that a missing file is a fault and not replaced by the default.
    load: () => load(file),
    apply,
    onApplied: (applied) => {
      files = applied.files;
      for (const warning of applied.warnings) log.warn(warning);
      log.info({ models: [...applied.models.keys()] }, "The configuration was reloaded.");
    },
    onRefused: (faults) =>
      log.error({ faults }, "The new configuration was refused. The old one stays in use."),
  });
  process.on("SIGHUP", () => void reload());
  if (file === undefined) return;
  void watchFiles({
    files: () => files,
    wait: () => setTimeout(watchEveryMs, undefined, { ref: false }),
    onChange: () => void reload(),
  });
}

/** Accepts connections, starts the workers that serve them, and supervises the workers. */
async function runWorkers(config: Config, runKey: string): Promise<void> {
  const { log } = openLog(config);
  new WorkerHub(cluster, hubTopics());
  const server = createServer({ pauseOnConnect: true, noDelay: true });
  const supervisor = new Supervisor({
    cluster,
    count: config.workers,
    environment: { [runKeyVariable]: runKey },
    server,
    // A port that is taken is noticed before a worker creates anything.
    listener: await listenOnPort(server, config),
    times: stopTimes(config.limits),
    log,
  });
  stopOnSignals(config, (times) => supervisor.stop(times));
  process.on("SIGHUP", () => supervisor.reload());
  try {
    process.stdout.write(await supervisor.ready);
  } catch (failure) {
    if (supervisor.isStopping) return;
    supervisor.kill();
    throw Object.assign(new Error("A worker could not start. The gateway stops."), {
      code: "worker_start",
      cause: failure,
    });
  }
}

function openLog({ logLevel, workers }: Config): { log: Logger; logRequest: LogRequest } {
  const destination = openLogDestination(workers === 1 ? {} : { writeBytesMax: atomicWriteBytes });
  process.on("exit", () => destination.flushSync());
  const log = createLog(logLevel, destination);
  return { log, logRequest: createRequestLog(log, destination) };
}

/** Adds the key that was created for this run, if the configuration has no key. */
function withKey(config: Config, runKey: string): Config {
  if (config.keys.length > 0) return config;
  const key = { id: `config:${runKeyName}`, name: runKeyName, limits: {}, isDisabled: false };
  return { ...config, keys: [{ key, sha256: digest(runKey) }] };
}

function hasOwnKey({ keys }: Config): boolean {
  return keys.some(({ key }) => key.name !== runKeyName);
}

/** Signal 0 only checks whether the process exists. */
function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (failure) {
    return failure instanceof Error && "code" in failure && failure.code === "EPERM";
  }
}

/** The first signal drains requests in flight, and the second one exits at once. */
function stopOnSignals({ limits }: Config, stop: (times: StopTimes) => Promise<void>): void {
  const times = stopTimes(limits);
  let isStopping = false;
  for (const signal of stopSignals) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      // Ctrl-C: no load balancer has to notice first.
      void stop(signal === "SIGINT" ? { ...times, delayMs: 0 } : times).finally(() => process.exit(0));
    });
  }
}

/** Exits even if something cannot be closed, such as the connection to a database that is unavailable. */
function exitAfter(ms: number, log: Logger): void {
  void setTimeout(ms, undefined, { ref: false }).then(() => {
    log.warn("The gateway could not close everything within limits.stopMs. It exits all the same.");
    process.exit(0);
  });
}
