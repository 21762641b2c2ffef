import type { IncomingMessage, ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import type { ConfigurationFile } from "../config/edit/configuration-file.js";
import { taskTallies } from "../domain/every.js";
import { clientNetwork } from "../domain/ip-address.js";
import { countedAs, type Target } from "../domain/model.js";
import { withTimeout } from "../domain/with-timeout.js";
import type { Shadow } from "../embeddings/shadow.js";
import type { Descriptors } from "../execution/descriptors.js";
import type { RunDetached } from "../execution/detached-request.js";
import type { Catalog } from "../http/catalog.js";
import type { GatewayState } from "../http/operations/checkReadiness.js";
import type { RequestIds } from "../http/request/request-id.js";
import type { SlowReaders } from "../http/response/slow-readers.js";
import { Discovery } from "../models/discovery.js";
import type { openUpstream } from "../providers/registry.js";
import type { ExpressFactory } from "../runtime/express-prototypes.js";
import { TurnBatch } from "../runtime/turn-batch.js";
import type { QueueSnapshot } from "../scheduling/admission.js";
import type { Scheduler } from "../scheduling/scheduler.js";
import { gatherMetrics } from "../telemetry/metrics/cluster-metrics.js";
import { createMetrics, type Metrics } from "../telemetry/metrics/metrics.js";
import { Retention } from "../usage/ledger/retention.js";
import { type ActiveRequestsReport, reportActive } from "./active-requests.js";
import { openBatchService } from "./batch-service.js";
import { openComparisonService } from "./comparison-service.js";
import { createConfigurationChanges, type ReloadConfiguration } from "./configuration-changes.js";
import { CurrentPipeline } from "./current-pipeline.js";
import { discoverySources } from "./discovered-models.js";
import { openHistory } from "./history-service.js";
import { openJobService } from "./job-service.js";
import { noteTrials } from "./note-trials.js";
import { observeState } from "./observe-state.js";
import { createPipeline, targetsOf } from "./pipeline.js";
import { Reloads } from "./reloads.js";
import { openServices, type Services, type ServicesOptions } from "./services.js";
import { openShadow } from "./shadow-service.js";
import { openSpaceService, type SpaceService } from "./space-service.js";
import { createUpstreamTrials } from "./try-upstream.js";

export interface GatewayOptions extends ServicesOptions {
  readonly openUpstream: typeof openUpstream;
  /** The file that the configuration was read from, or would be. */
  readonly configurationFile: ConfigurationFile;
  readonly reloadConfiguration: ReloadConfiguration;
  /** Overrides the time limit of a trial of an upstream, in tests. */
  readonly trialMsMax?: number;
}

export interface Gateway {
  /** Handles the request of a response. */
  readonly handle: (response: ServerResponse) => void;
  /** The network of the client that sent a request, which may be behind proxies. */
  readonly networkOf: (request: IncomingMessage) => string;
  /** A connection has come, and others may wait behind it. */
  readonly awaitConnections: () => void;
  /** The classes that the HTTP server creates requests and responses from. */
  readonly classes: ExpressFactory["classes"];
  readonly requestIds: RequestIds;
  readonly descriptors: Descriptors;
  readonly slowReaders: SlowReaders;
  readonly catalog: () => Catalog;
  readonly metrics: Metrics;
  /** The requests in flight, those that were worked on last first. */
  readonly activeRequests: () => ActiveRequestsReport;
  /** Runs a request without a connection. */
  readonly runDetached: RunDetached;
  /** A one-time code for the console. Undefined while the database is unavailable. */
  createSignInCode(): Promise<string | undefined>;
  /** Applies another configuration. Requests in flight finish with the one they began with. */
  reload(config: Config): Promise<void>;
  /** A configuration was read and refused. */
  noteRefusal(faults: readonly string[]): void;
  /** From here on the gateway reports that it is not ready. */
  beginStop(): void;
  /** Ends responses that would go on for ever. */
  endStreams(): void;
  /** @param withinMs How long work without a caller may take, and the closing of the storage after it. */
  close(withinMs: number): Promise<void>;
}

/** The share of the time that work without a caller may take. The storage needs the rest. */
const drainShare = 0.5;
/** The share after it for jobs that were cut off. */
const failShare = 0.1;

/** Time that the start waits for model lists. */
const discoveryMsMax = 5000;

/** Settings that are used once, when the process starts. Another value needs a restart. */
const restartKeys = [
  "host",
  "port",
  "workers",
  "dataDir",
  "logLevel",
  "onStall",
  "redisUrl",
  "databaseUrl",
  "databaseConnectionsMax",
  "adminKeySha256",
  "keySecret",
  "limits",
  "cache",
  "images",
  "storedFiles",
  "batches",
  "jobs",
] as const;

/**
 * The composition root: services that last as long as the process, and a pipeline that the configuration describes.
 * Each step uses the results of earlier steps. Other workers may request metrics and readiness from the first step on.
 */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { log, siblings, worker } = options;
  const services = await openServices(options);
  const current = new CurrentPipeline(options.config, services);
  services.signals?.configure(targetsOf(options.config), options.config.upstreams);
  const retention = new Retention({
    store: services.storage.retention,
    keepMs: () => current.served.retention?.requestsMs,
    clock: services.wallClock,
    random: Math.random,
    log,
  });
  // Before anything asks for the state of a target.
  const history = await openHistory({ services, current, worker, siblings });
  const spaces = openSpaceService({ services, worker, siblings, current });
  await spaces.load();
  const comparisons = openComparisonService({ services, worker, current });
  const shadow = openShadow({ services, current });
  const runDetached: RunDetached = (request) => current.pipeline.runDetached(request);
  const batches = openBatchService({ config: options.config, services, current, runDetached });
  const jobs = openJobService({ config: options.config, services, runDetached });
  const { configurationFile } = options;
  const reloads = new Reloads({
    events: services.events,
    worker: worker.slot,
    whyNotEditable: (config) => configurationFile.whyNotEditable(config),
    now: Date.now,
  });
  const discovery = openDiscovery(services, current);
  const metrics = openMetrics({ services, current, retention, spaces, shadow });
  const stop = { hasBegun: false };
  const { scheduler } = services;
  siblings?.answer("heal", (target) => scheduler.heal(target as Pick<Target, "upstream" | "model">));
  const shared = {
    services,
    openUpstream: options.openUpstream,
    metrics,
    allMetrics: siblings === undefined ? metrics : gatherMetrics(siblings, metrics),
    isStopping: () => stop.hasBegun,
    discoveryOf: (upstream: string) => discovery.state(upstream),
    configuration: () => reloads.status(current.config),
    changeConfiguration: createConfigurationChanges({
      ...services,
      file: configurationFile,
      config: () => current.config,
      reload: options.reloadConfiguration,
      worker: worker.slot,
      now: Date.now,
    }),
    tryUpstream: createUpstreamTrials({
      openUpstream: options.openUpstream,
      read: (request, learn) => configurationFile.readTrial(request, learn),
      isAllowed: () => current.config.allowsChanges,
      catalogue: () => current.config.catalogue,
      tools: services.providerTools,
      secrets: services.secrets,
      clock: services.clock,
      log,
      noteTrial: noteTrials(current, scheduler),
      trialMsMax: options.trialMsMax,
    }),
    compareTargets: comparisons.compare,
    readComparisons: comparisons.read,
    acceptSpace: spaces.accept,
    publishHealed: async (target: Pick<Target, "upstream" | "model">) => siblings?.ask("heal", target),
    observe: observeState(() => stateOf(current, scheduler, shadow), siblings, options.now),
    observeHistory: history.observe,
    shadow,
    batches: batches.batches,
    jobs: jobs.jobs,
  };
  await current.open({
    build: (config, previous) => createPipeline({ ...shared, config, previous }),
    revise: spaces.revise,
    onReplaced: spaces.note,
    discovered: (config, upstreams) => discovery.modelsFor(discoverySources(config, upstreams)),
  });
  spaces.start();
  const discover = () => discovery.configure(discoverySources(current.config, current.pipeline.upstreams));
  // The first requests should find the models, but an upstream that stalls must not stop the start.
  const discovered = discover().then(() => current.applied);
  await withTimeout(discovered, discoveryMsMax, () => undefined);
  spaces.begin();
  comparisons.dropRemoved();
  batches.start();
  jobs.start();
  services.deliveries.start();
  return {
    ...openEntrance(services, current),
    metrics,
    activeRequests: () => reportActive(services.active, services.clock.now()),
    runDetached,
    createSignInCode: () =>
      services.sessions.codes.create().then(
        ({ text }) => text,
        () => undefined,
      ),
    reload: async (wanted) => {
      await current.apply(() => withRestartSettings(wanted, current.config, log));
      reloads.accepted();
      // Streams of the old pipeline would keep its upstreams open.
      services.events.feed.end();
      void discover();
      spaces.begin();
      comparisons.dropRemoved();
    },
    noteRefusal: (faults) => reloads.refused(faults),
    beginStop: () => {
      stop.hasBegun = true;
      // Lines that run have the whole time of the stop.
      void batches.close();
    },
    endStreams: () => {
      services.events.feed.end();
      jobs.endWaits();
    },
    close: async (withinMs) => {
      discovery.close();
      await spaces.close();
      await comparisons.close();
      await shadow.close();
      const batchesEnded = batches.close();
      const { inFlight, upstreams } = current.pipeline;
      const jobsEnded = jobs.close();
      // Work of callers that have left is recorded before the storage is closed.
      const ended = Promise.all([jobsEnded, batchesEnded, inFlight.drain()]);
      await withTimeout(ended, withinMs * drainShare, () => undefined);
      await Promise.all([...upstreams.values()].map(({ provider }) => provider.close()));
      // Jobs that lost their upstream are stored as failed: whether they were bought is not known.
      await withTimeout(jobsEnded, withinMs * failShare, () => undefined);
      await history.close();
      await retention.close();
      await services.close();
    },
  };
}

/** Accepts requests. Those of one event-loop turn begin together. */
function openEntrance(
  services: Services,
  current: CurrentPipeline,
): Pick<
  Gateway,
  | "handle"
  | "networkOf"
  | "awaitConnections"
  | "classes"
  | "requestIds"
  | "descriptors"
  | "slowReaders"
  | "catalog"
> {
  const { express, requestIds, descriptors, slowReaders } = services;
  const arrivals = new TurnBatch<ServerResponse>((response) => {
    // The caller has left already: its request would never be finished.
    if (response.destroyed || !response.req.socket.writable) return;
    current.pipeline.app(response.req, response);
  });
  return {
    handle: (response) => arrivals.add(response),
    networkOf: (request) => clientNetwork(current.pipeline.clientAddress(request) ?? ""),
    // Node accepts one connection in each turn. If each turn also began requests, the last of 256 callers that come
    // together would wait for 256 such turns: two seconds.
    awaitConnections: () => arrivals.postpone(),
    classes: express.classes,
    requestIds,
    descriptors,
    slowReaders,
    catalog: () => current.pipeline.catalog,
  };
}

function openDiscovery({ wallClock, events, log }: Services, current: CurrentPipeline): Discovery {
  return new Discovery({
    clock: wallClock,
    log,
    onChange: () => {
      const offering = current.apply(() => current.config).then(() => events.feed.end());
      offering.catch((failure: unknown) =>
        log.error({ err: failure }, "Discovered models were not offered."),
      );
    },
  });
}

interface MetricsSources {
  readonly services: Services;
  readonly current: CurrentPipeline;
  readonly retention: Retention;
  readonly spaces: SpaceService;
  readonly shadow: Shadow;
}

function openMetrics({ services, current, retention, spaces, shadow }: MetricsSources): Metrics {
  const { scheduler, admission, ledger, deliveries, disk, uploads, slowReaders, tracer } = services;
  return createMetrics({
    known: {
      isModel: (id) => current.served.models.has(id),
      isUpstream: (name) => current.served.upstreams.has(name),
    },
    sources: {
      targets: () => scheduler.snapshot(targetsOf(current.served)),
      upstreams: () => current.served.upstreams.values(),
      queue: () => byConfiguredId(admission.snapshot(), current),
      ledger: () => ledger.snapshot(),
      deletedRows: () => retention.deleted,
      webhooks: () => deliveries.snapshot(),
      diskFreeBytes: () => disk.freeBytes,
      uploadBytes: () => uploads.bytesInUse,
      slowReaders: () => slowReaders.ended,
      tasks: taskTallies,
      droppedSpans: () => tracer.dropped(),
      spaceChecks: () => spaces.counts,
      shadows: () => shadow.figures(),
    },
  });
}

/** Counts by the ids of the configuration: an id behind a pattern is a text of a caller. */
function byConfiguredId({ waiting, counts }: QueueSnapshot, current: CurrentPipeline): QueueSnapshot {
  const catalog = current.isOpen ? current.pipeline.catalog : undefined;
  const configured = new Map<string, QueueSnapshot["waiting"][number]>();
  for (const { model: id, interactive, bulk } of waiting) {
    const found = catalog?.find(id);
    const model = found === undefined ? id : countedAs(found);
    const before = configured.get(model) ?? { interactive: 0, bulk: 0 };
    configured.set(model, {
      model,
      interactive: before.interactive + interactive,
      bulk: before.bulk + bulk,
    });
  }
  return { waiting: [...configured.values()], counts };
}

/** The state of this process. */
function stateOf(current: CurrentPipeline, scheduler: Scheduler, shadow: Shadow): GatewayState {
  const models = current.isOpen ? current.pipeline.catalog.list() : [];
  return {
    availableModels: models.flatMap(({ id, status }) => (status === "ready" ? [id] : [])),
    targets: scheduler.snapshot(targetsOf(current.served)),
    shadows: shadow.figures(),
  };
}

/** The wanted configuration, with the settings of the running one that need a restart. */
function withRestartSettings(wanted: Config, before: Config, log: Logger): Config {
  const { tls: wantedTls, ...rest } = wanted;
  const kept = Object.fromEntries(restartKeys.map((key) => [key, before[key]])) as RestartSettings;
  // A new certificate takes effect at once, but an http server cannot become an https one.
  const tls = before.tls && (wantedTls ?? before.tls);
  const config: Config = { ...rest, ...kept, ...(tls === undefined ? {} : { tls }) };
  const ignored = ([...restartKeys, "tls"] as const).filter(
    (key) => !isDeepStrictEqual(wanted[key], config[key]),
  );
  if (ignored.length > 0) log.warn({ ignored }, "Some changed settings take effect after a restart.");
  return config;
}

type RestartSettings = Pick<Config, (typeof restartKeys)[number]>;
