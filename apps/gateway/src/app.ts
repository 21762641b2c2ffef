import { setTimeout } from "node:timers/promises";
import express, { type Express } from "express";
import type { Logger } from "pino";
import type { Connection, Unavailability } from "./adapters/adapter.js";
import { type Catalog, createCatalog } from "./catalog.js";
import type { Config } from "./config/config.js";
import type { Model, Target, Upstream } from "./domain/model.js";
import { createBatchLimits } from "./embeddings/batch-limits.js";
import { createEmbedder } from "./embeddings/embedder.js";
import { createSendPart } from "./embeddings/send-part.js";
import { createVocabularies } from "./embeddings/vocabulary.js";
import { GatewayError } from "./errors.js";
import { answerError } from "./http/answer-error.js";
import { authenticate } from "./http/authenticate.js";
import { cors } from "./http/cors.js";
import { createHandlers } from "./http/handlers/index.js";
import { logRequest } from "./http/log-request.js";
import { normaliseRequest } from "./http/normalise-request.js";
import { createValidator, operationsOf, readSpec, warmUp } from "./http/openapi.js";
import { createFormReader } from "./http/read-form.js";
import { beginRequest } from "./http/request-context.js";
import { serveDocs } from "./http/serve-docs.js";
import { type ServeNeeds, serveOperation } from "./http/serve-operation.js";
import { openSpool, type ProcessIdentity } from "./http/spool.js";
import { openImageService } from "./open-image-service.js";
import { createRelay } from "./relay.js";
import { createDispatch, type OpenUpstream } from "./scheduling/dispatch.js";
import { Scheduler } from "./scheduling/scheduler.js";
import type { TargetSnapshot } from "./scheduling/target-health.js";
import { openVectorCache } from "./storage/open-vector-cache.js";

export interface GatewayNeeds {
  readonly config: Config;
  readonly log: Logger;
  readonly openUpstream: (upstream: Upstream) => Promise<Connection>;
  readonly self: ProcessIdentity;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
}

export interface Gateway {
  readonly app: Express;
  readonly catalog: Catalog;
  /** From here on the gateway says that it is not ready. */
  beginStop(): void;
  close(): Promise<void>;
}

/** The composition root: what the gateway is made of, and the way of a request, from top to bottom. */
export async function createGateway({
  config,
  log,
  openUpstream,
  self,
  now,
}: GatewayNeeds): Promise<Gateway> {
  const spoolDir = await openSpool(config.dataDir, self);
  const upstreams = await openAll(config, openUpstream);
  let isStopping = false;

  const catalog = createCatalog(config.models, (model) => unavailable(model, upstreams)?.reason);
  for (const model of config.models.values()) {
    const obstacle = unavailable(model, upstreams);
    if (obstacle !== undefined) log.warn({ model: model.id, ...obstacle }, "A model can not be served.");
  }
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
  const needs: ServeNeeds = {
    authenticate: authenticate(config.keys),
    validate: createValidator(spec),
    readForm: createFormReader(spoolDir, { fileBytesMax: config.limits.fileBytesMax, filesMax: 17 }),
    handlers: createHandlers({
      catalog,
      relay,
      images,
      isStopping: () => isStopping,
      targets: () => snapshot(config, scheduler),
    }),
    limits: config.limits,
    log,
  };

  const app = express();
  app
    .disable("x-powered-by")
    .disable("etag")
    .set("query parser", "simple")
    .set("case sensitive routing", true);
  app.use(
    beginRequest({ now, publicUrl: config.publicUrl, tellsUpstream: config.tellUpstream }),
    logRequest(log, now),
    cors,
    normaliseRequest,
  );
  app.use("/docs", serveDocs());
  for (const operation of operations)
    app[operation.method](operation.path, ...serveOperation(operation, needs));
  for (const { path, method } of operations) {
    app.all(path, (request) => {
      throw new GatewayError(
        "method_not_allowed",
        `The method ${request.method} is not allowed here; use ${method.toUpperCase()}.`,
        {
          headers: { allow: method === "get" ? "GET, HEAD" : "POST" },
        },
      );
    });
  }
  app.use((request) => {
    throw new GatewayError("unknown_url", `Invalid URL (${request.method} ${request.path.slice(0, 200)})`);
  });
  app.use(answerError(log));

  await warmUp(needs.validate, operations, app);
  return {
    app,
    catalog,
    beginStop: () => {
      isStopping = true;
    },
    close: async () => {
      await Promise.all([...upstreams.values()].map(({ connection }) => connection.close()));
      await cache.close();
      await images.close();
    },
  };
}

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

function unavailable(model: Model, upstreams: ReadonlyMap<string, OpenUpstream>): Unavailability | undefined {
  const [target] = model.targets;
  return upstreams.get(target.upstream)?.connection.unavailable(target.model);
}

function snapshot(config: Config, scheduler: Scheduler): TargetSnapshot[] {
  return scheduler.snapshot([...config.models.values()].flatMap((model): Target[] => [...model.targets]));
}
