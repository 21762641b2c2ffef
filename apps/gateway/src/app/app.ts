import type { ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { Config } from "../config/config.js";
import type { Catalog } from "../http/catalog.js";
import type { Descriptors } from "../http/descriptors.js";
import type { GatewayState } from "../http/operations/checkReadiness.js";
import type { RequestIds } from "../http/request/request-id.js";
import type { openUpstream } from "../providers/registry.js";
import type { ExpressFactory } from "../runtime/express-prototypes.js";
import { TurnBatch } from "../runtime/turn-batch.js";
import type { Scheduler } from "../scheduling/scheduler.js";
import { gatherMetrics } from "../telemetry/metrics/cluster-metrics.js";
import { createMetrics, type Metrics } from "../telemetry/metrics/metrics.js";
import { Retention } from "../usage/ledger/retention.js";
import { InFlight } from "./in-flight.js";
import { observeState } from "./observe-state.js";
import { createPipeline, type Pipeline, targetsOf } from "./pipeline.js";
import { openServices, type ServicesOptions } from "./services.js";

export interface GatewayOptions extends ServicesOptions {
  readonly openUpstream: typeof openUpstream;
}

export interface Gateway {
  /** Handles the request of a response. */
  readonly handle: (response: ServerResponse) => void;
  /** The classes that the HTTP server creates requests and responses from. */
  readonly classes: ExpressFactory["classes"];
  readonly requestIds: RequestIds;
  readonly descriptors: Descriptors;
  readonly catalog: () => Catalog;
  readonly metrics: Metrics;
  /** Compiles the schemas of the admin API. Callers need the others first. */
  warmUpAdmin(): Promise<void>;
  /** Applies another configuration. Requests in flight finish with the one they began with. */
  reload(config: Config): Promise<void>;
  /** From here on the gateway reports that it is not ready. */
  beginStop(): void;
  /** @param withinMs How long work without a caller may take, and the closing of the storage after it. */
  close(withinMs: number): Promise<void>;
}

/** The share of the time that work without a caller may take. The storage needs the rest. */
const drainShare = 0.5;

/** Settings that are used once, when the process starts. Another value needs a restart. */
const restartKeys = [
  "host",
  "port",
  "workers",
  "dataDir",
  "logLevel",
  "redisUrl",
  "databaseUrl",
  "adminKeySha256",
  "keySecret",
  "limits",
  "images",
] as const;

/** The composition root: services that last as long as the process, and a pipeline that the configuration describes. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { log, openUpstream, siblings } = options;
  const services = await openServices(options);
  const { validator, operations, scheduler, admission, ledger, keys, webhooks, signals } = services;
  signals?.configure(targetsOf(options.config), options.config.upstreams);
  const metrics = createMetrics({
    known: {
      isModel: (id) => current.pipeline.config.models.has(id),
      isUpstream: (name) => current.pipeline.config.upstreams.has(name),
    },
    sources: {
      targets: () => scheduler.snapshot(targetsOf(current.pipeline.config)),
      queue: () => admission.waiting(),
      ledger: () => ledger.snapshot(),
      deletedRows: () => retention.deleted,
      webhooks: () => webhooks.snapshot(),
      diskFreeBytes: () => services.disk.freeBytes,
    },
  });
  let isStopping = false;
  const shared = {
    services,
    openUpstream,
    metrics,
    allMetrics: siblings === undefined ? metrics : gatherMetrics(siblings, metrics),
    isStopping: () => isStopping,
    observe: observeState(() => stateOf(current.pipeline, scheduler), siblings, options.now),
  };
  const build = (config: Config, previous: Pipeline["upstreams"]) =>
    createPipeline({ ...shared, config, previous });

  let current = new InFlight(await build(options.config, new Map()));
  const retention = new Retention({
    store: services.storage.retention,
    keepMs: () => current.pipeline.config.retention?.requestsMs,
    clock: services.wallClock,
    random: Math.random,
    log,
  });
  const arrivals = new TurnBatch<ServerResponse>((response) => {
    // The caller has left already: its request would never be finished.
    if (response.destroyed || !response.req.socket.writable) return;
    current.serve(response.req, response);
  });
  return {
    handle: (response) => arrivals.add(response),
    classes: services.express.classes,
    requestIds: services.requestIds,
    descriptors: services.descriptors,
    catalog: () => current.pipeline.catalog,
    metrics,
    warmUpAdmin: () => validator.warmUp(operations.filter(({ access }) => access === "admin")),
    reload: async (wanted) => {
      const retired = current;
      const { config: before, upstreams } = retired.pipeline;
      const config = withRestartSettings(wanted, before);
      const ignored = ([...restartKeys, "tls"] as const).filter(
        (key) => !isDeepStrictEqual(wanted[key], config[key]),
      );
      if (ignored.length > 0) log.warn({ ignored }, "Some changed settings take effect after a restart.");
      const pipeline = await build(config, upstreams);
      const closed = [...upstreams].filter(([name, open]) => pipeline.upstreams.get(name) !== open);
      scheduler.adopt(targetsOf(config), new Set(closed.map(([name]) => name)));
      keys.ring.configure(config.keys);
      webhooks.configure(config.webhooks);
      signals?.configure(targetsOf(config), config.upstreams);
      current = new InFlight(pipeline);
      void retired
        .drain()
        .then(() => Promise.all(closed.map(([, { provider }]) => provider.close())))
        .catch((failure: unknown) => log.error({ err: failure }, "An upstream could not be closed."));
    },
    beginStop: () => {
      isStopping = true;
    },
    close: async (withinMs) => {
      // Work of callers that have left is recorded before the storage is closed.
      await current.drainWithin(withinMs * drainShare);
      await Promise.all([...current.pipeline.upstreams.values()].map(({ provider }) => provider.close()));
      await retention.close();
      await services.close();
    },
  };
}

/** The state of this process. */
function stateOf({ config, catalog }: Pipeline, scheduler: Scheduler): GatewayState {
  return {
    readyModels: catalog.list().flatMap(({ id, status }) => (status === "ready" ? [id] : [])),
    targets: scheduler.snapshot(targetsOf(config)),
  };
}

/** The wanted configuration, with the settings of the running one that need a restart. */
function withRestartSettings({ tls: wantedTls, ...wanted }: Config, before: Config): Config {
  const kept = Object.fromEntries(restartKeys.map((key) => [key, before[key]])) as RestartSettings;
  // Another certificate takes effect at once, but a server of http cannot become one of https.
  const tls = before.tls && (wantedTls ?? before.tls);
  return { ...wanted, ...kept, ...(tls === undefined ? {} : { tls }) };
}

type RestartSettings = Pick<Config, (typeof restartKeys)[number]>;
