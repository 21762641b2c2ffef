import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Config } from "../config/config.js";
import { countedAs, type Target } from "../domain/model.js";
import type { Catalog } from "../http/catalog.js";
import type { Descriptors } from "../http/descriptors.js";
import type { GatewayState } from "../http/operations/checkReadiness.js";
import type { RequestIds } from "../http/request/request-id.js";
import { isNeededFirst } from "../http/request/spec.js";
import { Discovery } from "../models/discovery.js";
import type { openUpstream } from "../providers/registry.js";
import type { ExpressFactory } from "../runtime/express-prototypes.js";
import { TurnBatch } from "../runtime/turn-batch.js";
import type { QueueSnapshot } from "../scheduling/admission.js";
import type { Scheduler } from "../scheduling/scheduler.js";
import { gatherMetrics } from "../telemetry/metrics/cluster-metrics.js";
import { createMetrics, type Metrics } from "../telemetry/metrics/metrics.js";
import { Retention } from "../usage/ledger/retention.js";
import { CurrentPipeline } from "./current-pipeline.js";
import { discoverySources } from "./discovered-models.js";
import { observeState } from "./observe-state.js";
import { createPipeline, type Pipeline, targetsOf } from "./pipeline.js";
import { Reloads } from "./reloads.js";
import { openServices, type ServicesOptions } from "./services.js";
import { openShadow } from "./shadow-service.js";
import { openSpaceService } from "./space-service.js";

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
  /** Compiles the schemas that callers do not need right after a start. */
  warmUpRest(): Promise<void>;
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

/** How long the start waits for the lists of models. */
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
  "adminKeySha256",
  "keySecret",
  "limits",
  "cache",
  "images",
] as const;

/** The composition root: services that last as long as the process, and a pipeline that the configuration describes. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { log, openUpstream, siblings } = options;
  const services = await openServices(options);
  const { validator, operations, scheduler, admission, ledger, webhooks, signals } = services;
  signals?.configure(targetsOf(options.config), options.config.upstreams);
  const metrics = createMetrics({
    known: {
      isModel: (id) => current.pipeline.config.models.has(id),
      isUpstream: (name) => current.pipeline.config.upstreams.has(name),
    },
    sources: {
      targets: () => scheduler.snapshot(targetsOf(current.pipeline.config)),
      upstreams: () => current.pipeline.config.upstreams.values(),
      queue: () => byConfiguredId(admission.snapshot(), current.pipeline.catalog),
      ledger: () => ledger.snapshot(),
      deletedRows: () => retention.deleted,
      webhooks: () => webhooks.snapshot(),
      diskFreeBytes: () => services.disk.freeBytes,
      uploadBytes: () => services.uploads.bytesInUse,
      droppedSpans: () => services.tracer.dropped(),
      spaceChecks: () => spaces.counts,
      shadows: () => shadow.figures(),
    },
  });
  const reloads = new Reloads({ events: services.events, worker: options.worker.slot, now: Date.now });
  const spaces = openSpaceService({ services, worker: options.worker, siblings, current: () => current });
  await spaces.load();
  const shadow = openShadow({ services, current: () => current });
  siblings?.answer("heal", (target) => scheduler.heal(target as Pick<Target, "upstream" | "model">));
  let isStopping = false;
  const shared = {
    services,
    openUpstream,
    metrics,
    allMetrics: siblings === undefined ? metrics : gatherMetrics(siblings, metrics),
    isStopping: () => isStopping,
    discoveryOf: (upstream: string) => discovery.state(upstream),
    configuration: () => reloads.status(current.config),
    acceptSpace: spaces.accept,
    tellHealed: async (target: Pick<Target, "upstream" | "model">) => siblings?.ask("heal", target),
    observe: observeState(
      () => ({ ...stateOf(current.pipeline, scheduler), shadows: shadow.figures() }),
      siblings,
      options.now,
    ),
    shadow,
  };
  const build = (config: Config, previous: Pipeline["upstreams"]) =>
    createPipeline({ ...shared, config, previous });

  const discovery = new Discovery({
    clock: services.wallClock,
    log,
    onChange: () => {
      const offering = current.apply(() => current.config).then(() => services.events.feed.end());
      offering.catch((failure: unknown) =>
        log.error({ err: failure }, "Discovered models were not offered."),
      );
    },
  });
  const first = await build(spaces.revise(options.config), new Map());
  const current = new CurrentPipeline(
    { pipeline: first, config: options.config },
    {
      services,
      build,
      revise: spaces.revise,
      onReplaced: () => spaces.note(),
      discovered: (config, upstreams) => discovery.modelsFor(discoverySources(config, upstreams)),
    },
  );
  spaces.start();
  const discover = () => discovery.configure(discoverySources(current.config, current.pipeline.upstreams));
  const retention = new Retention({
    store: services.storage.retention,
    keepMs: () => current.pipeline.config.retention?.requestsMs,
    clock: services.wallClock,
    random: Math.random,
    log,
  });
  // The first requests should find the models, but an upstream that stalls must not stop the start.
  await within(
    discoveryMsMax,
    discover().then(() => current.applied),
  );
  spaces.begin();
  const arrivals = new TurnBatch<ServerResponse>((response) => {
    // The caller has left already: its request would never be finished.
    if (response.destroyed || !response.req.socket.writable) return;
    current.inFlight.serve(response.req, response);
  });
  return {
    handle: (response) => arrivals.add(response),
    classes: services.express.classes,
    requestIds: services.requestIds,
    descriptors: services.descriptors,
    catalog: () => current.pipeline.catalog,
    metrics,
    warmUpRest: () => validator.warmUp(operations.filter((operation) => !isNeededFirst(operation))),
    reload: async (wanted) => {
      const config = withRestartSettings(wanted, current.config);
      const ignored = ([...restartKeys, "tls"] as const).filter(
        (key) => !isDeepStrictEqual(wanted[key], config[key]),
      );
      if (ignored.length > 0) log.warn({ ignored }, "Some changed settings take effect after a restart.");
      await current.apply(() => config);
      reloads.accepted();
      // Streams of the old pipeline would keep its upstreams open.
      services.events.feed.end();
      void discover();
      spaces.begin();
    },
    noteRefusal: (faults) => reloads.refused(faults),
    beginStop: () => {
      isStopping = true;
    },
    endStreams: () => services.events.feed.end(),
    close: async (withinMs) => {
      discovery.close();
      await spaces.close();
      await shadow.close();
      // Work of callers that have left is recorded before the storage is closed.
      await current.inFlight.drainWithin(withinMs * drainShare);
      await Promise.all([...current.pipeline.upstreams.values()].map(({ provider }) => provider.close()));
      await retention.close();
      await services.close();
    },
  };
}

/** Waits for work, but not longer than this. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const isDone = new AbortController();
  const timeout = setTimeout(ms, undefined, { signal: isDone.signal, ref: false }).catch(() => undefined);
  await Promise.race([work, timeout]).finally(() => isDone.abort());
}

/** Counts by the ids of the configuration: an id behind a pattern is a text of a caller. */
function byConfiguredId({ waiting, counts }: QueueSnapshot, catalog: Catalog): QueueSnapshot {
  const configured = new Map<string, QueueSnapshot["waiting"][number]>();
  for (const { model: id, interactive, bulk } of waiting) {
    const found = catalog.find(id);
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
function stateOf({ config, catalog }: Pipeline, scheduler: Scheduler): Omit<GatewayState, "shadows"> {
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
