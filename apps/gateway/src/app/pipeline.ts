import { isDeepStrictEqual } from "node:util";
import type { Config } from "@model-gateway/config/config";
import { isPattern, type Model, type Target } from "@model-gateway/domain/model";
import type { OpenUpstream, Unavailability } from "@model-gateway/providers/provider";
import { Dispatcher } from "@model-gateway/scheduling/dispatch";
import type { Logger } from "pino";
import { type Catalog, createCatalog } from "../api/catalog.js";
import { createDetachedRunner } from "../execution/detached-request.js";
import { createExpressApp } from "../http/express-app.js";
import { createClientAddress } from "../http/request/client-address.js";
import { PatternModels } from "../models/pattern-models.js";
import { findRunningKey } from "../sessions/sessions.js";
import type { Pipeline } from "./current-pipeline.js";
import { discoverySources } from "./discovered-models.js";
import type { Services } from "./gateway-modules.js";
import { InFlight } from "./in-flight.js";
import { createEmbeddings } from "./model-services.js";
import { defineModule } from "./modules/module.js";
import { createServing } from "./serving.js";
import { factsOf } from "./targets-of.js";

/** The pipeline that serves new requests. It uses all other modules, so it is the first one to close. */
export const pipeline = defineModule({
  name: "pipeline",
  open: async (services: Services) => {
    const { current, spaces, discovery } = services;
    await current.open({
      build: (config, previous) => createPipeline(config, { services, previous }),
      revise: spaces.revise,
      discovered: (config, upstreams) => discovery.modelsFor(discoverySources(config, upstreams)),
    });
    return {
      services: {},
      // Work of callers that have left is recorded before the storage is closed.
      drain: async () => {
        await current.applied;
        await current.pipeline.inFlight.drain();
      },
      close: async () => {
        const { upstreams } = current.pipeline;
        await Promise.all([...upstreams.values()].map(({ provider }) => provider.close()));
      },
    };
  },
});

interface PipelineParts {
  readonly services: Services;
  readonly previous: ReadonlyMap<string, OpenUpstream>;
}

async function createPipeline(config: Config, { services, previous }: PipelineParts): Promise<Pipeline> {
  const { operations, keys, active, metrics, log } = services;
  const upstreams = await openUpstreams(config, { services, previous });
  const catalog = openCatalog(config, services, upstreams);
  const { scheduler, admission, retryQuotas, clock } = services;
  const dispatcher = new Dispatcher({
    scheduler,
    admission,
    retryQuotas,
    clock,
    upstreams,
    random: Math.random,
    onAttempt: (finished) => metrics.onAttempt(finished),
  });
  const embeddings = createEmbeddings(dispatcher, { config, services });
  const inFlight = new InFlight(active);
  const clientAddress = createClientAddress(config.trustedProxies);
  const parts = { config, services, upstreams, catalog, dispatcher, embeddings, inFlight, clientAddress };
  const serving = createServing(parts);
  const app = createExpressApp(operations, serving);
  const runDetached = createDetachedRunner(operations, {
    ...serving,
    findKey: (id) => findRunningKey(id, keys.ring),
  });
  warnOfUnavailable(config, upstreams, log);
  return { config, upstreams, catalog, embeddings, inFlight, app, clientAddress, runDetached };
}

async function openUpstreams(
  { upstreams }: Config,
  { previous, services: { openUpstream, providerTools } }: PipelineParts,
): Promise<ReadonlyMap<string, OpenUpstream>> {
  const opened = await Promise.all(
    [...upstreams.values()].map(async (upstream): Promise<OpenUpstream> => {
      const open = previous.get(upstream.name);
      if (open !== undefined && isDeepStrictEqual(open.upstream, upstream)) return open;
      return { upstream, provider: await openUpstream(upstream, providerTools) };
    }),
  );
  return new Map(opened.map((one) => [one.upstream.name, one]));
}

function openCatalog(
  config: Config,
  { scheduler }: Services,
  upstreams: ReadonlyMap<string, OpenUpstream>,
): Catalog {
  return createCatalog({
    models: config.models,
    patterns: new PatternModels({
      patterns: [...config.models.values()].filter(({ id }) => isPattern(id)),
      factsOf: (target) => factsOf(target, config),
      onForgotten: ({ targets }) => scheduler.forget(targets),
    }),
    defaults: config.defaults,
    unavailable: (model) => unavailable(model, upstreams)?.reason,
  });
}

/** Logs each model that cannot be served, now and when upstreams have finished their checks. */
function warnOfUnavailable(
  { models }: Config,
  upstreams: ReadonlyMap<string, OpenUpstream>,
  log: Logger,
): void {
  const warned = new Set<string>();
  const warn = () => {
    for (const model of models.values()) {
      const reason = unavailable(model, upstreams);
      if (reason === undefined || warned.has(model.id)) continue;
      warned.add(model.id);
      log.warn({ model: model.id, ...reason }, "A model is unavailable.");
    }
  };
  warn();
  void Promise.all([...upstreams.values()].map(({ provider }) => provider.checked)).then(warn);
}

/** A model can be served as long as one of its targets can. */
function unavailable(model: Model, upstreams: ReadonlyMap<string, OpenUpstream>): Unavailability | undefined {
  const targets: readonly Target[] = model.targets;
  const reasons = targets.map((target) =>
    upstreams.get(target.upstream)?.provider.unavailable(target, model.type),
  );
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}
