import type { IncomingMessage } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { Express } from "express";
import type { Logger } from "pino";
import type { BatchService } from "../batches/batch-service.js";
import { withBatchImages } from "../batches/image-links.js";
import type { Config } from "../config/config.js";
import type { AccessKey } from "../domain/access-key.js";
import { clientNetwork } from "../domain/ip-address.js";
import { countedAs, isPattern, type Model, type Target } from "../domain/model.js";
import type { EmbeddingService } from "../embeddings/create-embedding.js";
import type { Shadow } from "../embeddings/shadow.js";
import { createDetachedRunner, type RunDetached } from "../execution/detached-request.js";
import { createOwnRunner } from "../execution/own-request.js";
import { type Catalog, createCatalog } from "../http/catalog.js";
import { createExpressApp, type ExpressAppOptions } from "../http/express-app.js";
import type { AcceptSpace } from "../http/operations/acceptSpace.js";
import type { ChangeConfiguration } from "../http/operations/changeConfiguration.js";
import type { ObserveState } from "../http/operations/checkReadiness.js";
import type { CompareTargets } from "../http/operations/compareTargets.js";
import { createHandlers } from "../http/operations/handlers.js";
import type { ObserveHistory } from "../http/operations/listUpstreams.js";
import type { ConfigurationStatus } from "../http/operations/retrieveConfiguration.js";
import type { TryUpstream } from "../http/operations/tryUpstream.js";
import { authenticate, authenticateAdmin, authenticateAny } from "../http/request/authenticate.js";
import { authenticateSession, authenticateSignIn } from "../http/request/authenticate-session.js";
import { type ClientAddress, createClientAddress } from "../http/request/client-address.js";
import { createAdminCheck } from "../http/request/local-secret.js";
import { FileFormReader } from "../http/request/read-file-form.js";
import { FormReader } from "../http/request/read-form.js";
import type { AuditKey } from "../http/schemas/AccessKey.js";
import { describeRequest } from "../http/schemas/RequestRecord.js";
import type { ReadComparisons } from "../http/schemas/SpaceComparison.js";
import type { ServeOptions } from "../http/serve-operation.js";
import { createLinkReader } from "../images/fetch/read-links.js";
import type { Jobs } from "../jobs/jobs.js";
import { createNameKeys } from "../keys/name-keys.js";
import type { DiscoveryState } from "../models/discovery.js";
import { PatternModels } from "../models/pattern-models.js";
import type { FactsOf } from "../models/with-facts.js";
import type { Schemas } from "../operations.js";
import type { OpenUpstream, Unavailability } from "../providers/provider.js";
import type { openUpstream as openByRegistry } from "../providers/registry.js";
import { Dispatcher } from "../scheduling/dispatch.js";
import { findRunningKey, operatorKey } from "../sessions/sessions.js";
import type { Metrics } from "../telemetry/metrics/metrics.js";
import { gatherRows } from "../usage/ledger/ledger.js";
import type { LedgerRow } from "../usage/ledger/ledger-store.js";
import { UsageMeter } from "../usage/usage-meter.js";
import { describeProviders } from "./describe-providers.js";
import { InFlight } from "./in-flight.js";
import { createEmbeddings, createImages, createProvenanceChecks } from "./model-services.js";
import { createProbe } from "./probe-target.js";
import type { Services } from "./services.js";

/** An edit has at most 16 images and a mask. */
const formFilesMax = 17;

interface PipelineOptions {
  readonly config: Config;
  readonly services: Services;
  readonly openUpstream: typeof openByRegistry;
  readonly metrics: Metrics;
  /** The metrics of all workers, for scrapers. */
  readonly allMetrics: Pick<Metrics, "render">;
  readonly isStopping: () => boolean;
  /** The state of the whole gateway. */
  readonly observe: ObserveState;
  readonly observeHistory: ObserveHistory;
  readonly discoveryOf: (upstream: string) => DiscoveryState | null;
  readonly configuration: () => ConfigurationStatus;
  readonly changeConfiguration: ChangeConfiguration;
  readonly tryUpstream: TryUpstream;
  /** Publishes a healthy target to all other workers. */
  readonly publishHealed: (target: Pick<Target, "upstream" | "model">) => Promise<unknown>;
  readonly compareTargets: CompareTargets;
  readonly readComparisons: ReadComparisons;
  readonly acceptSpace: AcceptSpace;
  readonly shadow: Shadow;
  readonly batches: BatchService;
  readonly jobs: Jobs;
  /** Upstreams that are open already. Those that have not changed are taken over. */
  readonly previous: ReadonlyMap<string, OpenUpstream>;
}

/** Everything that one configuration builds: its upstreams, its models, and the routes that lead to them. */
export interface Pipeline {
  readonly config: Config;
  readonly upstreams: ReadonlyMap<string, OpenUpstream>;
  readonly catalog: Catalog;
  readonly embeddings: EmbeddingService;
  readonly inFlight: InFlight;
  readonly app: Express;
  readonly clientAddress: ClientAddress;
  /** For jobs and batches. They take the one of the pipeline that is current when they run. */
  readonly runDetached: RunDetached;
}

export async function createPipeline(options: PipelineOptions): Promise<Pipeline> {
  const { config, services, metrics, isStopping, observe } = options;
  const { log, keys, images } = services;
  const upstreams = await openUpstreams(options);
  const catalog = createCatalog({
    models: config.models,
    patterns: new PatternModels({
      patterns: [...config.models.values()].filter(({ id }) => isPattern(id)),
      factsOf: (target) => factsOf(target, config),
      onForgotten: ({ targets }) => services.scheduler.forget(targets),
    }),
    defaults: config.defaults,
    unavailable: (model) => unavailable(model, upstreams)?.reason,
  });
  const dispatcher = new Dispatcher({
    ...services,
    upstreams,
    random: Math.random,
    onAttempt: (finished) => metrics.onAttempt(finished),
  });
  const record = recordRows(services);
  const embeddings = createEmbeddings(dispatcher, options);
  const inFlight = new InFlight(services.active);
  const clientAddress = createClientAddress(config.trustedProxies);
  const serving = {
    createApp: services.express.create,
    servesConsole: config.console,
    authenticate: createAuthentication(services, clientAddress),
    clientAddress,
    validator: services.validator,
    forms: new FormReader({ fileBytesMax: config.limits.fileBytesMax, filesMax: formFilesMax }, services),
    fileForms: new FileFormReader(services),
    slowBodies: services.slowBodies,
    descriptors: services.descriptors,
    handlers: createHandlers({
      catalog,
      embeddings,
      shadow: options.shadow,
      jobs: options.jobs,
      images: createImages(dispatcher, options),
      provenance: createProvenanceChecks(upstreams, options),
      readLinks: createLinkReader(images.fetchImage),
      linkedImages: {
        ...images.files,
        store: withBatchImages(images.files.store, services.files.store),
      },
      files: services.files,
      batches: options.batches,
      ledger: services.storage.ledger,
      nameKeys: createNameKeys({
        store: services.storage.keys,
        others: [...config.keys.map(({ key }) => key), operatorKey],
      }),
      isStopping,
      observe,
      isAdminKey: keys.adminKey.matches,
      storage: () => describeStorage(services),
      now: Date.now,
      admin: {
        keys: keys.admin,
        fileKeys: config.keys.map(({ key }) => key),
        auditKey: createKeyAudit(log),
        budgets: services.usage.budgets,
        limits: services.usage.limits,
        upstreams: () => config.upstreams.values(),
        discoveryOf: options.discoveryOf,
        observeHistory: options.observeHistory,
        metrics: options.allMetrics,
        sessions: services.sessions.sessions,
        codes: services.sessions.codes,
        version: services.version,
        probe: createProbe({
          ...services,
          upstreams,
          runOwn: createOwnRunner({ ...services, record }),
          publishHealed: options.publishHealed,
        }),
        compareTargets: options.compareTargets,
        readComparisons: options.readComparisons,
        acceptSpace: options.acceptSpace,
        configuration: options.configuration,
        changeConfiguration: options.changeConfiguration,
        tryUpstream: options.tryUpstream,
        providers: () => describeProviders(config.catalogue),
        events: services.events.feed,
      },
    }),
    openMeter: (key: AccessKey) => new UsageMeter(key, services.usage),
    accounting: {
      record,
      begin: (row: LedgerRow) => services.ledger.begin(row),
      forget: (id: string) => services.ledger.forget(id),
      metrics,
      tracer: services.tracer,
    },
    limits: config.limits,
    publicUrl: config.publicUrl,
    scheme: config.tls === undefined ? ("http" as const) : ("https" as const),
    exposesUpstream: config.exposeUpstream,
    log,
    secrets: services.secrets,
    logRequest: services.logRequest,
    openMemory: () => services.memory.open(),
    inFlight,
    requestIds: services.requestIds,
    countedModel: (name: string) => {
      const model = catalog.find(name);
      return model && countedAs(model);
    },
    now: services.clock.now,
  } satisfies ExpressAppOptions;
  const app = createExpressApp(services.operations, serving);
  const runDetached = createDetachedRunner(services.operations, {
    ...serving,
    findKey: (id) => findRunningKey(id, keys.ring),
  });
  warnOfUnavailable(config, upstreams, log);
  return { config, upstreams, catalog, embeddings, inFlight, app, clientAddress, runDetached };
}

function createAuthentication(
  { keys, localSecret, sessions: { sessions, attempts, codes } }: Services,
  clientAddress: ClientAddress,
): ServeOptions["authenticate"] {
  const isAdminKey = createAdminCheck({ matches: keys.adminKey.matches, localSecret });
  const networkOf = (request: IncomingMessage) => clientNetwork(clientAddress(request) ?? "");
  const options = { keys: keys.ring, isAdminKey, sessions, networkOf };
  return {
    key: authenticate(options),
    "any-key": authenticateAny(options),
    own: authenticate(options),
    admin: authenticateAdmin(options),
    "sign-in": authenticateSignIn({ ...options, clientAddress, attempts, codes }),
    session: authenticateSession(options),
  };
}

function createKeyAudit(log: Logger): AuditKey {
  return ({ operation, keyId, context: { id, caller, session } }) =>
    log.info({ id, operation, keyId, by: session?.id ?? caller }, "An operator has changed the keys.");
}

/** Records ledger rows, and notes them as events. */
function recordRows({ ledger, events }: Services): (row: LedgerRow) => Promise<void> {
  const record = gatherRows(ledger);
  const describe = (row: LedgerRow): Schemas["RequestFinishedEvent"] => ({
    type: "request.finished",
    timestamp: new Date().toISOString(),
    data: describeRequest(row),
  });
  return (row) => {
    // Usually there is no reader: then not even a function is created.
    if (events.log.isWanted) events.log.noteRequest(() => describe(row));
    return record(row);
  };
}

async function openUpstreams({
  config,
  openUpstream,
  previous,
  services,
}: PipelineOptions): Promise<ReadonlyMap<string, OpenUpstream>> {
  const opened = await Promise.all(
    [...config.upstreams.values()].map(async (upstream): Promise<OpenUpstream> => {
      const open = previous.get(upstream.name);
      if (open !== undefined && isDeepStrictEqual(open.upstream, upstream)) return open;
      return { upstream, provider: await openUpstream(upstream, services.providerTools) };
    }),
  );
  return new Map(opened.map((one) => [one.upstream.name, one]));
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
  const reasons = targets.map(({ upstream, model: name }) =>
    upstreams.get(upstream)?.provider.unavailable(name),
  );
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}

/** Every target of every model. Patterns are left out: their targets are unknown until a caller names one. */
export function targetsOf({ models }: Config): Target[] {
  return [...models.values()].flatMap((model): Target[] => (isPattern(model.id) ? [] : [...model.targets]));
}

/** Facts about a target whose name was not in the file. */
export function factsOf(
  { upstream: name, model }: Pick<Target, "upstream" | "model">,
  { upstreams, catalogue }: Pick<Config, "upstreams" | "catalogue">,
): ReturnType<FactsOf> {
  const upstream = upstreams.get(name);
  return upstream === undefined ? {} : catalogue.factsOf({ ...upstream, model });
}

function describeStorage({ storage, disk }: Services): Schemas["StorageState"] {
  return { database: storage.availability.state(), disk: disk.state, disk_free_bytes: disk.freeBytes };
}
