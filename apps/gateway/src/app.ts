import { setTimeout } from "node:timers/promises";
import type { Express } from "express";
import type { Logger } from "pino";
import type { Connection, Unavailability } from "./adapters/adapter.js";
import { type Catalog, createCatalog } from "./catalog.js";
import type { Config } from "./config/config.js";
import type { Model, Target, Upstream } from "./domain/model.js";
import { createBatchLimits } from "./embeddings/batch-limits.js";
import { createEmbedder } from "./embeddings/embedder.js";
import { createSendPart } from "./embeddings/send-part.js";
import { createVocabularies } from "./embeddings/vocabulary.js";
import { authenticate } from "./http/authenticate.js";
import { authenticateAdmin } from "./http/authenticate-admin.js";
import { createExpress } from "./http/create-express.js";
import { createHandlers } from "./http/handlers/index.js";
import type { Metrics } from "./http/handlers/readMetrics.js";
import { createValidator, type Operation, operationsOf, readSpec, warmUp } from "./http/openapi.js";
import { createFormReader } from "./http/read-form.js";
import { openSpool, type ProcessIdentity } from "./http/spool.js";
import { openImageService } from "./open-image-service.js";
import { openKeyService } from "./open-key-service.js";
import type { Storage } from "./open-storage.js";
import { createRelay } from "./relay.js";
import { createDispatch, type OpenUpstream } from "./scheduling/dispatch.js";
import { Scheduler } from "./scheduling/scheduler.js";
import type { TargetSnapshot } from "./scheduling/target-health.js";
import { openVectorCache } from "./storage/open-vector-cache.js";

export interface GatewayNeeds {
  readonly config: Config;
  readonly log: Logger;
  readonly openUpstream: (upstream: Upstream) => Promise<Connection>;
  readonly openStorage: (config: Config, log: Logger) => Promise<Storage>;
  readonly self: ProcessIdentity;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
}

export interface Gateway {
  readonly app: Express;
  readonly catalog: Catalog;
  /** The key of the admin API, where this very start has made it. */
  readonly madeAdminKey: string | undefined;
  /** Makes ready for operators, who may come later than callers. */
  warmUpAdmin(): Promise<void>;
  /** From here on the gateway says that it is not ready. */
  beginStop(): void;
  close(): Promise<void>;
}

/** The composition root: what the gateway is made of, and the way of a request, from top to bottom. */
export async function createGateway({
  config,
  log,
  openUpstream,
  openStorage,
  self,
  now,
}: GatewayNeeds): Promise<Gateway> {
  const spoolDir = await openSpool(config.dataDir, self);
  const upstreams = await openAll(config, openUpstream);
  const storage = await openStorage(config, log);
  const keys = await openKeyService({ config, storage, log });
  let isStopping = false;

  const catalog = createCatalog(config.models, (model) => unavailable(model, upstreams)?.reason);
  warnOfUnavailable(config, upstreams, log);
  const clock = { now, wait };
  const scheduler = new Scheduler({ clock, random: Math.random });
  const dispatch = createDispatch({ upstreams, scheduler, clock, random: Math.random });
  const cache = openVectorCache({ config, log });
  const embed = createEmbedder({
    sendPart: createSendPart(dispatch),
    cache,
    limits: createBatchLimits(),
    openVocabulary: createVocabularies(),
  });
  const images = await openImageService({ config, dispatch, self, log });
  const relay = createRelay({ catalog, embed, draw: images.draw });
  const spec = readSpec();
  const operations = operationsOf(spec);
  const validate = createValidator(spec);
  const handlers = createHandlers({
    catalog,
    relay,
    images,
    isStopping: () => isStopping,
    targets: () => snapshot(config, scheduler),
    admin: {
      keys: keys.admin,
      ledger: storage.ledger,
      upstreams: () => config.upstreams.values(),
      isPriced: () => false,
      metrics: nothingMeasured,
      now: Date.now,
    },
  });
  const app = createExpress(operations, {
    authenticate: {
      key: authenticate(keys.ring, keys.adminKey.opens),
      admin: authenticateAdmin(keys.ring, keys.adminKey.opens),
    },
    validate,
    readForm: createFormReader(spoolDir, { fileBytesMax: config.limits.fileBytesMax, filesMax: 17 }),
    handlers,
    limits: config.limits,
    publicUrl: config.publicUrl,
    tellsUpstream: config.tellUpstream,
    log,
    now,
  });
  const isAdmin = ({ access }: Operation) => access === "admin";
  await warmUp(
    validate,
    operations.filter((operation) => !isAdmin(operation)),
    app,
  );
  return {
    app,
    catalog,
    madeAdminKey: keys.adminKey.made,
    warmUpAdmin: () => warmUp(validate, operations.filter(isAdmin), app),
    beginStop: () => {
      isStopping = true;
    },
    close: async () => {
      await Promise.all([...upstreams.values()].map(({ connection }) => connection.close()));
      await cache.close();
      await images.close();
      await keys.close();
      await storage.close();
    },
  };
}

const nothingMeasured: Metrics = {
  render: async () => ({
    contentType: "text/plain; version=0.0.4; charset=utf-8",
    text: "# Nothing is measured.\n",
  }),
};

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

async function openAll(
  config: Config,
  open: GatewayNeeds["openUpstream"],
): Promise<Map<string, OpenUpstream>> {
  const opened = await Promise.all(
    [...config.upstreams.values()].map(async (upstream) => ({ upstream, connection: await open(upstream) })),
  );
  return new Map(opened.map((one) => [one.upstream.name, one]));
}

function warnOfUnavailable(
  { models }: Config,
  upstreams: ReadonlyMap<string, OpenUpstream>,
  log: Logger,
): void {
  for (const model of models.values()) {
    const obstacle = unavailable(model, upstreams);
    if (obstacle !== undefined) log.warn({ model: model.id, ...obstacle }, "A model can not be served.");
  }
}

/** A model can be served as long as one of its targets can. */
function unavailable(model: Model, upstreams: ReadonlyMap<string, OpenUpstream>): Unavailability | undefined {
  const targets: readonly Target[] = model.targets;
  const obstacles = targets.map(({ upstream, model: name }) =>
    upstreams.get(upstream)?.connection.unavailable(name),
  );
  return obstacles.every((obstacle) => obstacle !== undefined) ? obstacles[0] : undefined;
}

function snapshot(config: Config, scheduler: Scheduler): TargetSnapshot[] {
  return scheduler.snapshot([...config.models.values()].flatMap((model): Target[] => [...model.targets]));
}
