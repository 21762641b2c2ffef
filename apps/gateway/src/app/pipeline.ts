import { isDeepStrictEqual } from "node:util";
import type { Express } from "express";
import type { Config } from "../config/config.js";
import type { Model, Target, Upstream } from "../domain/model.js";
import { createLearnedLimits } from "../embeddings/coalescing/batches.js";
import { createSendPart } from "../embeddings/coalescing/send-batch.js";
import { createEmbedder } from "../embeddings/create-embedding.js";
import { createVocabularies } from "../embeddings/tokens.js";
import { createExpress } from "../http/express-app.js";
import { createHandlers } from "../http/operations/handlers.js";
import { authenticate, authenticateAdmin } from "../http/request/authenticate.js";
import { createFormReader } from "../http/request/read-form.js";
import { type Catalog, createCatalog } from "../models/catalog.js";
import type { OpenProvider, Unavailability } from "../providers/provider.js";
import { createRelay } from "../relay.js";
import type { OpenUpstream } from "../scheduling/attempt.js";
import { createDispatch } from "../scheduling/dispatch.js";
import type { Scheduler } from "../scheduling/scheduler.js";
import type { TargetSnapshot } from "../scheduling/target-health.js";
import type { Metrics } from "../telemetry/metrics/metrics.js";
import { gatherRows } from "../usage/ledger/ledger.js";
import { UsageMeter } from "../usage/usage-meter.js";
import { createImageService } from "./image-service.js";
import type { Services } from "./services.js";

export interface PipelineOptions {
  readonly config: Config;
  readonly services: Services;
  readonly openUpstream: (upstream: Upstream) => Promise<OpenProvider>;
  readonly metrics: Metrics;
  /** What is answered for a scraper. */
  readonly shownMetrics: Pick<Metrics, "render">;
  readonly isStopping: () => boolean;
  /** What is open already; upstreams that have not changed are taken over. */
  readonly previous: ReadonlyMap<string, OpenUpstream>;
}

/** What one configuration makes of the gateway: its upstreams, its models, and the way of a request to them. */
export interface Pipeline {
  readonly config: Config;
  readonly upstreams: ReadonlyMap<string, OpenUpstream>;
  readonly catalog: Catalog;
  readonly app: Express;
}

export async function createPipeline(needs: PipelineOptions): Promise<Pipeline> {
  const { config, services, isStopping, metrics, shownMetrics } = needs;
  const { log, clock, scheduler, cache, keys, storage, ledger } = services;
  const upstreams = await openAll(needs);

  const catalog = createCatalog(config.models, (model) => unavailable(model, upstreams)?.reason);
  const dispatch = createDispatch({
    ...services,
    upstreams,
    random: Math.random,
    onAttempt: (finished) => metrics.onAttempt(finished),
  });
  const embed = createEmbedder({
    sendPart: createSendPart(dispatch),
    cache,
    limits: createLearnedLimits(),
    openVocabulary: createVocabularies(),
  });
  const images = createImageService({ config, dispatch, stores: services.imageStores });
  const relay = createRelay({ catalog, embed, draw: images.draw });
  const app = createExpress(services.operations, {
    createApp: services.express.create,
    authenticate: {
      key: authenticate(keys.ring, keys.adminKey.opens),
      admin: authenticateAdmin(keys.ring, keys.adminKey.opens),
    },
    validate: services.validate,
    readForm: createFormReader(services.spoolDir, {
      fileBytesMax: config.limits.fileBytesMax,
      filesMax: 17,
    }),
    handlers: createHandlers({
      catalog,
      relay,
      images,
      isStopping,
      targets: () => snapshot(config, scheduler),
      admin: {
        keys: keys.admin,
        ledger: storage.ledger,
        upstreams: () => config.upstreams.values(),
        isPriced: ({ price }) => price !== undefined,
        metrics: shownMetrics,
        now: Date.now,
      },
    }),
    openMeter: (key) => new UsageMeter(key, services.usage),
    accounts: { record: gatherRows(ledger), metrics, tracer: services.tracer },
    limits: config.limits,
    publicUrl: config.publicUrl,
    exposesUpstream: config.exposeUpstream,
    log,
    requestLog: services.requestLog,
    now: clock.now,
  });
  for (const model of config.models.values()) {
    const obstacle = unavailable(model, upstreams);
    if (obstacle !== undefined) log.warn({ model: model.id, ...obstacle }, "A model cannot be served.");
  }
  return { config, upstreams, catalog, app };
}

async function openAll({
  config,
  openUpstream,
  previous,
}: PipelineOptions): Promise<ReadonlyMap<string, OpenUpstream>> {
  const opened = await Promise.all(
    [...config.upstreams.values()].map(async (upstream): Promise<OpenUpstream> => {
      const open = previous.get(upstream.name);
      if (open !== undefined && isDeepStrictEqual(open.upstream, upstream)) return open;
      return { upstream, provider: await openUpstream(upstream) };
    }),
  );
  return new Map(opened.map((one) => [one.upstream.name, one]));
}

/** A model can be served as long as one of its targets can. */
function unavailable(model: Model, upstreams: ReadonlyMap<string, OpenUpstream>): Unavailability | undefined {
  const targets: readonly Target[] = model.targets;
  const obstacles = targets.map(({ upstream, model: name }) =>
    upstreams.get(upstream)?.provider.unavailable(name),
  );
  return obstacles.every((obstacle) => obstacle !== undefined) ? obstacles[0] : undefined;
}

function snapshot(config: Config, scheduler: Scheduler): TargetSnapshot[] {
  return scheduler.snapshot([...config.models.values()].flatMap((model): Target[] => [...model.targets]));
}
