import cluster from "node:cluster";
import { createServer } from "node:net";
import type { Config } from "@model-gateway/config/config";
import { listenOnPort } from "../app/listener.js";
import { stopTimes } from "../app/stop-times.js";
import { type Greeting, welcome } from "../app/welcome.js";
import { hubTopics } from "../app/workers/hub-topics.js";
import { Supervisor } from "../app/workers/supervisor.js";
import { WorkerHub } from "../app/workers/worker-hub.js";
import { MetricsSum } from "../telemetry/metrics/cluster-metrics.js";
import { openMetricsExport } from "../telemetry/metrics/metrics-export.js";
import { announceRun } from "./announce-run.js";
import { CreatedAdminKey } from "./created-admin-key.js";
import { announceStart, type LogFormat, openLog } from "./open-log.js";
import { stopOnSignals } from "./stop-on-signals.js";

interface WorkersOptions {
  readonly version: string;
  /** Stands for the admin key in requests from this machine. */
  readonly localSecret: string;
  /** Environment variables of the workers, besides those of this process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly logFormat: LogFormat;
}

/** Accepts connections, starts the workers that serve them, and supervises the workers. */
export async function runWorkers(config: Config, options: WorkersOptions): Promise<void> {
  const { version, localSecret, environment, logFormat } = options;
  const { log } = openLog(config, logFormat);
  const adminKey = new CreatedAdminKey(logFormat);
  const metrics = new MetricsSum();
  const hub = new WorkerHub(cluster, hubTopics(metrics));
  const collect = async () => {
    await hub.ask("metrics");
    return metrics.report();
  };
  const metricsExport = await openMetricsExport({ environment: process.env, log, version, collect });
  const server = createServer({ pauseOnConnect: true, noDelay: true });
  // A port that is taken is noticed before a worker creates anything.
  const listener = await listenOnPort(server, config);
  const supervisor = new Supervisor({
    cluster,
    count: config.workers,
    environment,
    server,
    listener,
    times: stopTimes(config.limits),
    onAdminKeyCreated: adminKey.hold,
    log,
  });
  stopOnSignals(config, {
    log,
    stop: async (times) => {
      await supervisor.stop(times);
      await metricsExport.close();
    },
  });
  process.on("SIGHUP", () => supervisor.reload());
  announceStart(log, logFormat);
  const greeting = await firstGreeting(supervisor);
  if (greeting === undefined) return;
  announceRun({ dataDir: config.dataDir, url: listener.url, version, localSecret, log });
  process.stdout.write(welcome({ ...greeting, adminKey: adminKey.take() }));
}

/** Resolves when all workers serve. Undefined if the gateway was stopped before. */
async function firstGreeting(supervisor: Supervisor): Promise<Greeting | undefined> {
  try {
    return await supervisor.ready;
  } catch (failure) {
    if (supervisor.isStopping) return undefined;
    supervisor.kill();
    throw Object.assign(new Error("A worker could not start. The gateway stops."), {
      code: "worker_start",
      cause: failure,
    });
  }
}
