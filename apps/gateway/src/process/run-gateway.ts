import cluster from "node:cluster";
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { createGateway, type Gateway } from "../app/app.js";
import { expectFreePort } from "../app/listener.js";
import { type RunningGateway, startServer } from "../app/server.js";
import type { StopTimes } from "../app/stop-times.js";
import { adminKeyNotice, type ExampleKey, welcome } from "../app/welcome.js";
import { slotVariable, urlVariable } from "../app/workers/supervisor.js";
import { SupervisorLink } from "../app/workers/supervisor-link.js";
import type { Config } from "../config/config.js";
import type { ConfigurationFile } from "../config/edit/configuration-file.js";
import type { Reload } from "../config/reload.js";
import { codeOf } from "../domain/failure-code.js";
import { openUpstream } from "../providers/registry.js";
import { openStorage } from "../storage/open-storage.js";
import type { MetricsExport } from "../telemetry/metrics/export-settings.js";
import { openMetricsExport } from "../telemetry/metrics/metrics-export.js";
import { openTracer } from "../telemetry/traces/traces.js";
import { openLog } from "./open-log.js";
import { processMetrics } from "./process-metrics.js";
import { type LoadConfig, reloadOnChange } from "./reload-on-change.js";
import { exitAfter, stopOnSignals, stopSignals } from "./stop-on-signals.js";
import { startWatchdog } from "./watchdog.js";

const warmUpRestAfterMs = 2000;
/** A supervisor kills a worker that does not respond for ten seconds. Its stack is logged before. */
const workerStallMs = 7000;

export interface RunOptions {
  readonly load: LoadConfig;
  readonly configurationFile: ConfigurationFile;
  readonly version: string;
  /** The key in the greeting's example. */
  readonly exampleKey: ExampleKey | undefined;
}

/** Serves requests in this process. */
export async function runGateway(config: Config, options: RunOptions): Promise<void> {
  const { load, configurationFile, version, exampleKey } = options;
  const { worker } = cluster;
  const link = worker && new SupervisorLink(worker, process.env[urlVariable] ?? "");
  const logs = openLog(config);
  const { log } = logs;
  // Before anything is created, such as an admin key that is printed once.
  if (link === undefined) await expectFreePort(config);
  let reload: Reload = async () => ["The gateway is still starting."];
  const gateway = await createGateway({
    config,
    ...logs,
    openUpstream,
    configurationFile,
    reloadConfiguration: () => reload(),
    openStorage,
    environment: process.env,
    tracer: await openTracer({ environment: process.env, log, secrets: logs.secrets }),
    worker: { slot: Number(process.env[slotVariable] ?? 1), count: config.workers },
    self: { id: process.pid, isAlive },
    now: () => performance.now(),
    nodeMajor: Number(process.versions.node.split(".")[0]),
    version,
    onAdminKeyCreated: (text) => process.stdout.write(adminKeyNotice(text)),
    ...(link && { siblings: link }),
  });
  const metricsExport = await exportMetrics(gateway, { isWorker: link !== undefined, log, version });
  const running = await startServer(gateway, config, link && ((server) => link.listen(server)));
  await watchEventLoop(config, { isWorker: link !== undefined, log });
  for (const warning of config.warnings) log.warn(warning);
  const models = gateway.catalog().list();
  log.info({ url: running.url, models: models.map(({ id }) => id) }, "The gateway is listening.");
  reload = reloadOnChange(config, {
    load,
    log,
    apply: async (wanted) => {
      await gateway.reload(wanted);
      running.renewCertificate(wanted);
    },
    onRefused: (faults) => gateway.noteRefusal(faults),
  });
  const stop = async (times: StopTimes): Promise<void> => {
    exitAfter(times.exitMs, log);
    gateway.endStreams();
    await running.stop(times);
    await link?.reportUnasked("metrics");
    await metricsExport?.close();
  };
  const greeting = welcome({ url: running.url, servesConsole: config.console }, models, exampleKey);
  const serving: Serving = { config, gateway, running, greeting, log, stop };
  if (link === undefined) greet(serving);
  else greetThrough(link, serving);
  warmUpLater(gateway, log);
}

interface Serving {
  readonly config: Config;
  readonly gateway: Gateway;
  readonly running: RunningGateway;
  readonly greeting: string;
  readonly log: Logger;
  readonly stop: (times: StopTimes) => Promise<void>;
}

/** Signals have their handlers before the greeting: one that comes right after it must not end the process. */
function greet({ config, gateway, running, greeting, log, stop }: Serving): void {
  stopOnSignals(config, {
    log,
    inFlight: running.inFlight,
    stop: (times) => {
      gateway.beginStop();
      return stop(times);
    },
  });
  process.stdout.write(greeting);
}

/** The supervisor of a worker greets, and says when it stops. */
function greetThrough(link: SupervisorLink, { gateway, greeting, stop }: Serving): void {
  for (const signal of stopSignals) process.on(signal, () => link.passOnSignal());
  link.ready(greeting, (times, { isWholeGateway }) => {
    if (isWholeGateway) gateway.beginStop();
    void stop(times).finally(() => process.exit(0));
  });
}

interface ProcessRole {
  readonly isWorker: boolean;
  readonly log: Logger;
}

/** The metrics of workers are exported by their supervisor, which has the sum. */
async function exportMetrics(
  { metrics }: Gateway,
  { isWorker, log, version }: ProcessRole & { readonly version: string },
): Promise<MetricsExport | undefined> {
  metrics.include(processMetrics());
  if (isWorker) return undefined;
  return openMetricsExport({ environment: process.env, log, version, collect: async () => metrics.report() });
}

function watchEventLoop({ onStall, limits }: Config, { isWorker, log }: ProcessRole): Promise<void> {
  const { stallMs } = limits;
  return startWatchdog(
    isWorker ? { stallMs: Math.min(stallMs, workerStallMs), onStall: "log", log } : { stallMs, onStall, log },
  );
}

/** Callers that wait for the start come first. */
function warmUpLater(gateway: Gateway, log: Logger): void {
  void setTimeout(warmUpRestAfterMs, undefined, { ref: false })
    .then(() => gateway.warmUpRest())
    .catch((failure: unknown) =>
      log.error({ err: failure }, "Some schemas of the spec could not be compiled."),
    );
}

/** Signal 0 only checks whether the process exists. */
function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (failure) {
    return codeOf(failure) === "EPERM";
  }
}
