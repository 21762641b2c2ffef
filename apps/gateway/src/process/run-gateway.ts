import cluster from "node:cluster";
import { performance } from "node:perf_hooks";
import type { Config } from "@model-gateway/config/config";
import type { ConfigurationFile } from "@model-gateway/config/edit/configuration-file";
import type { Reload } from "@model-gateway/config/reload";
import { codeOf } from "@model-gateway/domain/failure-code";
import { isLoopbackHost } from "@model-gateway/domain/ip-address";
import { localModelsMissing, localPackages } from "@model-gateway/domain/local-packages";
import type { Schemas } from "@model-gateway/domain/operations";
import { openUpstream } from "@model-gateway/providers/registry";
import type { Logger } from "pino";
import { createGateway, type Gateway } from "../app/app.js";
import { expectFreePort } from "../app/listener.js";
import { type RunningGateway, startServer } from "../app/server.js";
import type { StopTimes } from "../app/stop-times.js";
import { detectedRows, type ExampleKey, type Greeting, type GreetingRow, welcome } from "../app/welcome.js";
import { slotVariable, startVariable, urlVariable } from "../app/workers/supervisor.js";
import { SupervisorLink } from "../app/workers/supervisor-link.js";
import { openStorage } from "../storage/open-storage.js";
import type { MetricsExport } from "../telemetry/metrics/export-settings.js";
import { openMetricsExport } from "../telemetry/metrics/metrics-export.js";
import { openTracer } from "../telemetry/traces/traces.js";
import { announceRun } from "./announce-run.js";
import { CreatedAdminKey } from "./created-admin-key.js";
import { announceStart, type LogFormat, openLog } from "./open-log.js";
import { processMetrics } from "./process-metrics.js";
import { type FetchSecrets, type LoadConfig, reloadOnChange } from "./reload-on-change.js";
import { exitAfter, stopOnSignals, stopSignals } from "./stop-on-signals.js";
import { type NotedStall, startWatchdog } from "./watchdog.js";

/** A supervisor kills a worker that does not respond for ten seconds. Its stack is logged before. */
const workerStallMs = 7000;

interface RunOptions {
  readonly load: LoadConfig;
  readonly fetchSecrets: FetchSecrets;
  readonly configurationFile: ConfigurationFile;
  readonly version: string;
  /** Stands for the admin key in requests from this machine. */
  readonly localSecret: string;
  /** The key in the greeting's example. */
  readonly exampleKey: ExampleKey | undefined;
  readonly logFormat: LogFormat;
}

/** Serves requests in this process. */
export async function runGateway(config: Config, options: RunOptions): Promise<void> {
  const { configurationFile, version, localSecret, logFormat } = options;
  const { worker } = cluster;
  const link = worker && new SupervisorLink(worker, process.env[urlVariable] ?? "");
  const logs = openLog(config, logFormat);
  const adminKey = new CreatedAdminKey(logFormat);
  const { log } = logs;
  // Before anything is created, such as an admin key that is printed once.
  if (link === undefined) {
    await expectFreePort(config);
    announceStart(log, logFormat);
  }
  let reload: Reload = async () => ["The gateway is still starting."];
  const gateway = await createGateway({
    config,
    ...logs,
    ...(await processServices(config, logs)),
    configurationFile,
    reloadConfiguration: () => reload(),
    version,
    localSecret,
    onAdminKeyCreated: (text) => (link === undefined ? adminKey.hold(text) : link.passOnAdminKey(text)),
    ...(link && { siblings: link }),
  });
  const role = { isWorker: link !== undefined, log };
  const metricsExport = await exportMetrics(gateway, { ...role, version });
  const running = await startServer(gateway, config, link && ((server) => link.listen(server)));
  await watchEventLoop(config, { ...role, logFormat, gateway });
  for (const warning of config.warnings) log.warn(warning);
  const greeting = await createGreeting(gateway, { ...options, config, url: running.url });
  // The greeting says the same to a person.
  const level = logFormat === "json" ? "info" : "debug";
  log[level]({ url: running.url, models: greeting.models.map(({ id }) => id) }, "The gateway is listening.");
  const serving: Serving = { config, gateway, running, greeting, log, metricsExport };
  reload = startReloading(serving, options);
  if (link !== undefined) return greetThrough(link, serving);
  announceRun({ dataDir: config.dataDir, url: running.url, version, localSecret, log });
  greet(serving, adminKey);
}

function startReloading(
  { config, gateway, running, log }: Serving,
  { load, fetchSecrets }: Pick<RunOptions, "load" | "fetchSecrets">,
): Reload {
  return reloadOnChange(config, {
    load,
    fetchSecrets,
    log,
    apply: async (wanted) => {
      await gateway.reload(wanted);
      running.renewCertificate(wanted);
    },
    onRefused: (faults) => gateway.noteRefusal(faults),
  });
}

/** The parts of a gateway that its process and its packages provide. */
async function processServices(config: Config, { log, secrets }: ReturnType<typeof openLog>) {
  const { env: environment, pid, versions } = process;
  return {
    openUpstream,
    openStorage,
    environment,
    tracer: await openTracer({ environment, log, secrets }),
    worker: { slot: Number(environment[slotVariable] ?? 1), count: config.workers },
    self: { id: pid, isAlive },
    now: () => performance.now(),
    nodeMajor: Number(versions.node.split(".")[0]),
  };
}

interface GreetingOptions extends Pick<RunOptions, "version" | "exampleKey" | "logFormat"> {
  readonly config: Config;
  readonly url: string;
}

async function createGreeting(
  gateway: Gateway,
  { config, url, version, exampleKey, logFormat }: GreetingOptions,
): Promise<Greeting> {
  const models = gateway.catalog().list();
  return {
    url,
    servesConsole: config.console,
    signInCode: isGreeter(config, logFormat) ? await gateway.createSignInCode() : undefined,
    models,
    key: exampleKey,
    rows: [...detectedRows(config.detected), ...missingModels(models, version)],
  };
}

/**
 * Whether the greeting of this process has a console link that signs in: on a terminal, for a person at this machine.
 * With several workers, the greeting of the first one is shown, and a replacement must not end the code in it.
 */
function isGreeter({ console, host }: Config, logFormat: LogFormat): boolean {
  const { [slotVariable]: slot = "1", [startVariable]: start = "first" } = process.env;
  const isFirst = slot === "1" && start === "first";
  return isFirst && console && isLoopbackHost(host) && logFormat === "text";
}

/** How to add the local models, if the configuration has some and the install does not. */
function missingModels(models: readonly Schemas["Model"][], version: string): GreetingRow[] {
  if (!models.some(({ status_reason }) => status_reason === localModelsMissing)) return [];
  const names = localPackages.map((name) => `${name}@${version}`);
  return [{ label: "Local models", value: `not installed; add them: npm install ${names.join(" ")}` }];
}

interface Serving {
  readonly config: Config;
  readonly gateway: Gateway;
  readonly running: RunningGateway;
  readonly greeting: Greeting;
  readonly log: Logger;
  readonly metricsExport: MetricsExport | undefined;
}

async function stop(
  { gateway, running, log, metricsExport }: Serving,
  times: StopTimes,
  link?: SupervisorLink,
) {
  exitAfter(times.exitMs, log);
  gateway.endStreams();
  await running.stop(times);
  await link?.reportUnasked("metrics");
  await metricsExport?.close();
}

/** Signals have their handlers before the greeting: one that comes right after it must not end the process. */
function greet(serving: Serving, adminKey: CreatedAdminKey): void {
  const { config, gateway, running, greeting, log } = serving;
  stopOnSignals(config, {
    log,
    inFlight: running.inFlight,
    stop: (times) => {
      gateway.beginStop();
      return stop(serving, times);
    },
  });
  process.stdout.write(welcome({ ...greeting, adminKey: adminKey.take() }));
}

/** The supervisor of a worker greets, and says when it stops. */
function greetThrough(link: SupervisorLink, serving: Serving): void {
  for (const signal of stopSignals) process.on(signal, () => link.passOnSignal());
  link.ready(serving.greeting, (times, { isWholeGateway }) => {
    if (isWholeGateway) serving.gateway.beginStop();
    void stop(serving, times, link).finally(() => process.exit(0));
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

interface WatchedGateway extends ProcessRole, Pick<RunOptions, "logFormat"> {
  readonly gateway: Pick<Gateway, "activeRequests" | "metrics">;
}

function watchEventLoop(
  { onStall, limits: { stallMs } }: Config,
  { isWorker, log, logFormat: format, gateway }: WatchedGateway,
): Promise<void> {
  const { activeRequests, metrics } = gateway;
  const onStallEnd = ({ stalledMs, cpuMs, stack, active, isLogged }: NotedStall) => {
    const [frame] = stack;
    const stalled = frame?.split(" ", 1)[0];
    metrics.onStall({ operation: active.requests[0]?.operation ?? undefined, function: stalled });
    if (!isLogged)
      log.warn({ stalledMs, cpuMs, function: stalled, ...active, stack }, "The event loop was blocked.");
  };
  const shared = { log, format, activeRequests, onStallEnd };
  return startWatchdog(
    isWorker
      ? { ...shared, stallMs: Math.min(stallMs, workerStallMs), onStall: "log" }
      : { ...shared, stallMs, onStall },
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
