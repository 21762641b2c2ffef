import type { IncomingMessage } from "node:http";
import type { AccessKey } from "@model-gateway/domain/access-key";
import { clientNetwork } from "@model-gateway/domain/ip-address";
import { countedAs } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import type { Dispatcher } from "@model-gateway/scheduling/dispatch";
import type { Logger } from "pino";
import type { AuditKey } from "../api/documents/AccessKey.js";
import { describeRequest } from "../api/documents/RequestRecord.js";
import { createHandlers, type HandlerServices } from "../api/operations/handlers.js";
import { withBatchImages } from "../batches/image-links.js";
import { createOwnRunner } from "../execution/own-request.js";
import type { ExpressAppOptions } from "../http/express-app.js";
import { authenticate, authenticateAdmin, authenticateAny } from "../http/request/authenticate.js";
import { authenticateSession, authenticateSignIn } from "../http/request/authenticate-session.js";
import { createOperatorLookup } from "../http/request/local-secret.js";
import { FileFormReader } from "../http/request/read-file-form.js";
import { FormReader } from "../http/request/read-form.js";
import type { ServeOptions } from "../http/serve-operation.js";
import { createLinkReader } from "../images/fetch/read-links.js";
import { createNameKeys } from "../keys/name-keys.js";
import { operatorKey } from "../sessions/sessions.js";
import { gatherRows } from "../usage/ledger/ledger.js";
import type { LedgerRow } from "../usage/ledger/ledger-store.js";
import { UsageMeter } from "../usage/usage-meter.js";
import type { Pipeline } from "./current-pipeline.js";
import { describeProviders } from "./describe-providers.js";
import type { Services } from "./gateway-modules.js";
import { createImages, createProvenanceChecks } from "./model-services.js";
import { createProbe } from "./probe-target.js";

/** An edit has at most 16 images and a mask. */
const formFilesMax = 17;

type Record = (row: LedgerRow) => Promise<void>;

/** Parts of a pipeline that its operations need. */
interface ServingParts extends Omit<Pipeline, "app" | "runDetached"> {
  readonly services: Services;
  readonly dispatcher: Dispatcher;
}

/** All that Express, and requests without a connection, need to serve operations. */
export function createServing(parts: ServingParts): ExpressAppOptions {
  const { config, services, catalog, inFlight, clientAddress } = parts;
  const { validator, slowBodies, descriptors, log, secrets, logRequest, requestIds, memory } = services;
  const record = recordRows(services);
  return {
    createApp: services.express.create,
    servesConsole: config.console,
    authenticate: createAuthentication(services, clientAddress),
    clientAddress,
    validator,
    forms: new FormReader({ fileBytesMax: config.limits.fileBytesMax, filesMax: formFilesMax }, services),
    fileForms: new FileFormReader(services),
    slowBodies,
    descriptors,
    handlers: createHandlers(createHandlerServices(parts, record)),
    openMeter: (key: AccessKey) => new UsageMeter(key, services.usage),
    accounting: {
      record,
      begin: (row: LedgerRow) => services.ledger.begin(row),
      forget: (id: string) => services.ledger.forget(id),
      metrics: services.metrics,
      tracer: services.tracer,
    },
    limits: config.limits,
    publicUrl: config.publicUrl,
    scheme: config.tls === undefined ? "http" : "https",
    exposesUpstream: config.exposeUpstream,
    log,
    secrets,
    logRequest,
    openMemory: () => memory.open(),
    inFlight,
    requestIds,
    countedModel: (name: string) => {
      const model = catalog.find(name);
      return model && countedAs(model);
    },
    now: services.clock.now,
  };
}

function createHandlerServices(parts: ServingParts, record: Record): HandlerServices {
  const { config, services, catalog, embeddings, upstreams, dispatcher } = parts;
  const { shadow, jobs, batches, images, files, storage, observe, isStopping } = services;
  const building = { config, services };
  return {
    catalog,
    embeddings,
    shadow,
    jobs,
    batches,
    files,
    observe,
    isStopping,
    images: createImages(dispatcher, building),
    provenance: createProvenanceChecks(upstreams, building),
    readLinks: createLinkReader(images.fetchImage),
    linkedImages: { ...images.files, store: withBatchImages(images.files.store, files.store) },
    ledger: storage.ledger,
    nameKeys: createNameKeys({
      store: storage.keys,
      others: [...config.keys.map(({ key }) => key), operatorKey],
    }),
    mayReadDetails: createDetailsCheck(services),
    storage: () => describeStorage(services),
    now: Date.now,
    admin: createAdminServices(parts, record),
  };
}

function createAdminServices(
  { config, services, upstreams }: ServingParts,
  record: Record,
): HandlerServices["admin"] {
  const { keys, usage, sessions, discovery, comparisons, spaces, events, operations, version } = services;
  const { observeHistory, configuration, changeConfiguration, tryUpstream } = services;
  return {
    version,
    operations,
    observeHistory,
    configuration,
    changeConfiguration,
    tryUpstream,
    keys: keys.admin,
    fileKeys: config.keys.map(({ key }) => key),
    auditKey: createKeyAudit(services.log),
    budgets: usage.budgets,
    limits: usage.limits,
    upstreams: () => config.upstreams.values(),
    credentialOf: (upstream) => upstreams.get(upstream)?.provider.credential?.() ?? null,
    discoveryOf: (upstream) => discovery.state(upstream),
    metrics: services.allMetrics,
    sessions: sessions.sessions,
    codes: sessions.codes,
    probe: createProbe({
      ...services,
      upstreams,
      runOwn: createOwnRunner({ ...services, record }),
    }),
    compareTargets: comparisons.compare,
    readComparisons: comparisons.read,
    acceptSpace: spaces.accept,
    providers: () => describeProviders(config.catalogue),
    events: events.feed,
  };
}

function createAuthentication(
  { keys, localSecret, sessions: { sessions, attempts, codes } }: Services,
  clientAddress: ServeOptions["clientAddress"],
): ServeOptions["authenticate"] {
  const findOperator = createOperatorLookup({ find: keys.operators.find, localSecret });
  const networkOf = (request: IncomingMessage) => clientNetwork(clientAddress(request) ?? "");
  const options = { keys: keys.ring, findOperator, sessions, networkOf };
  return {
    key: authenticate(options),
    "any-key": authenticateAny(options),
    own: authenticate(options),
    admin: authenticateAdmin(options),
    "sign-in": authenticateSignIn({ ...options, clientAddress, attempts, codes }),
    session: authenticateSession(options),
  };
}

/** As `x-roles` of `checkReadiness` says. Everybody may read the rest. */
function createDetailsCheck({ keys, operations }: Services): (presented: string) => boolean {
  const roles = operations.find(({ id }) => id === "checkReadiness")?.roles ?? [];
  return (presented) => {
    const operator = keys.operators.find(presented);
    return operator !== undefined && roles.includes(operator.role);
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

function describeStorage({ storage, disk }: Services): Schemas["StorageState"] {
  return { database: storage.availability.state(), disk: disk.state, disk_free_bytes: disk.freeBytes };
}
