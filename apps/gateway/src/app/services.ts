import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import type { Clock } from "../domain/clock.js";
import type { ProcessIdentity } from "../domain/process-identity.js";
import type { Siblings } from "../domain/siblings.js";
import type { Tracer } from "../domain/trace.js";
import { LearnedLimits } from "../embeddings/coalescing/batches.js";
import { Descriptors, readDescriptorLimit } from "../execution/descriptors.js";
import type { Arrival } from "../execution/request-context.js";
import { openRequestRules, type RequestRules } from "../execution/validation/validate.js";
import type { FileService } from "../files/file-service.js";
import { openUploadFolder } from "../http/request/read-form.js";
import { RequestIds } from "../http/request/request-id.js";
import { SlowBodies } from "../http/request/slow-body.js";
import { UploadMemory } from "../http/request/upload-memory.js";
import { SlowReaders } from "../http/response/slow-readers.js";
import type { ProviderTools } from "../providers/provider.js";
import { BufferPool } from "../runtime/buffer-pool.js";
import { createExpressFactory, type ExpressFactory } from "../runtime/express-prototypes.js";
import { TurnBatch } from "../runtime/turn-batch.js";
import { wait, waitInBackground } from "../runtime/wait.js";
import { TargetAdmission } from "../scheduling/admission.js";
import { MemoryBudget } from "../scheduling/memory-budget.js";
import { RetryQuotas } from "../scheduling/retry-quota.js";
import { Scheduler } from "../scheduling/scheduler.js";
import type { SecretFilter } from "../secrets/secret-filter.js";
import { DiskSpace, type DiskState } from "../storage/disk-space.js";
import type { Storage } from "../storage/open-storage.js";
import { openRedis } from "../storage/redis/redis.js";
import { openBucket } from "../storage/s3/open-bucket.js";
import { type OpenVectorCache, openVectorCache } from "../storage/vectors/open-vector-cache.js";
import type { LogRequest } from "../telemetry/log.js";
import { type Ledger, openLedger } from "../usage/ledger/ledger.js";
import type { Deliveries } from "../webhooks/deliveries.js";
import type { TargetEvents } from "../webhooks/target-events.js";
import type { WebhookSender } from "../webhooks/webhook-sender.js";
import { ActiveRequests } from "./active-requests.js";
import type { EventService } from "./event-service.js";
import { openFileService } from "./file-service.js";
import { type ImageServices, type ImageServicesOptions, openImageServices } from "./image-services.js";
import { type KeyService, openKeyService } from "./key-service.js";
import { openNotices } from "./notices.js";
import { openSessionService, type SessionService } from "./session-service.js";
import { publishTargetChanges } from "./target-changes.js";
import { openTargetSignals, type TargetSignalService } from "./target-signals.js";
import { openUsageService, type UsageService } from "./usage-service.js";

export interface ServicesOptions extends Pick<ImageServicesOptions, "fetchImage"> {
  readonly config: Config;
  readonly log: Logger;
  readonly logRequest: LogRequest;
  /** Redacts texts before they leave the gateway. */
  readonly secrets: SecretFilter;
  readonly openStorage: (config: Config, log: Logger) => Promise<Storage>;
  readonly tracer: Tracer;
  readonly self: ProcessIdentity;
  /** Which of the workers this is, counted from 1. */
  readonly worker: { readonly slot: number; readonly count: number };
  /** All workers of this gateway, where there are several. */
  readonly siblings?: Siblings;
  /** Called when this start has created the admin key. Its text is not stored. */
  readonly onAdminKeyCreated: (text: string) => void;
  /** Stands for the admin key in requests from this machine. Default: there is none. */
  readonly localSecret?: string | undefined;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** Milliseconds since 1970, for work that runs a few times an hour. Overridden in tests. */
  readonly wallClock?: Clock;
  /** The monotonic clock by which the rates of callers are measured. Overridden in tests. */
  readonly transferClock?: Clock;
  /** Time that the ledger gathers rows before it stores them. Overridden in tests. */
  readonly ledgerGatherMs?: number;
  /** Default: new ones. The gateways of a test process share them, since their schemas take long to compile. */
  readonly requestRules?: RequestRules;
  readonly nodeMajor: number;
  /** The version of the gateway. */
  readonly version: string;
  /** For credentials that a platform provides. Default: none. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Services that last as long as the process, across configurations. */
export interface Services extends RequestRules {
  readonly log: Logger;
  readonly logRequest: LogRequest;
  readonly secrets: SecretFilter;
  readonly requestIds: RequestIds;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly wallClock: Clock;
  readonly tracer: Tracer;
  readonly express: ExpressFactory;
  readonly uploadDir: string;
  readonly uploads: UploadMemory;
  readonly slowBodies: SlowBodies;
  readonly slowReaders: SlowReaders;
  readonly descriptors: Descriptors;
  readonly disk: DiskSpace;
  readonly storage: Storage;
  readonly keys: KeyService;
  readonly localSecret: string | undefined;
  readonly sessions: SessionService;
  readonly events: EventService;
  readonly version: string;
  readonly ledger: Ledger;
  readonly usage: UsageService;
  readonly cache: OpenVectorCache;
  readonly images: ImageServices;
  /** Files of callers, and results of batches. */
  readonly files: FileService;
  readonly providerTools: ProviderTools;
  readonly scheduler: Scheduler;
  readonly admission: TargetAdmission;
  readonly memory: MemoryBudget;
  /** The requests in flight on all pipelines. */
  readonly active: ActiveRequests<Arrival>;
  readonly retryQuotas: RetryQuotas;
  readonly batchLimits: LearnedLimits;
  readonly webhooks: WebhookSender;
  /** Delivers events to webhooks. */
  readonly deliveries: Deliveries;
  /** Absent without Redis. */
  readonly signals: TargetSignalService | undefined;
  close(): Promise<void>;
}

export async function openServices(options: ServicesOptions): Promise<Services> {
  const { config, log, logRequest, secrets, tracer, self, now, version } = options;
  const clock: Clock = { now, wait };
  const { wallClock = { now: Date.now, wait: waitInBackground } } = options;
  const { transferClock = { now, wait: waitInBackground } } = options;
  const descriptors = openDescriptors(log, now);
  const redis = config.redisUrl === undefined ? undefined : await openRedis(config.redisUrl, log);
  // The database opens in other threads or on a server.
  const [storage, { uploadDir, disk, operations, validator }] = await Promise.all([
    options.openStorage(config, log),
    prepareRequests(options),
  ]);
  const { webhooks, deliveries, events, targetEvents } = openNotices({
    ...options,
    storage,
    clock,
    wallClock,
  });
  const scheduling = openScheduling({ config, redis, clock, wallClock, log, targetEvents });
  const keys = await openKeyService({ ...options, storage });
  const ledger = await openLedgerOf(options, storage);
  const usage = openUsageService({ redis, storage, ledger, webhooks, deliveries, log, now });
  const { s3 } = config.images;
  const bucket = s3 && openBucket(s3, { now: Date.now, log });
  const images = await openImageServices({ ...options, storage, disk, bucket });
  const files = await openFileService({ config, storage, self, log, disk, bucket });
  const cache = await openVectorCache({ config, redis, disk, worker: options.worker.slot, log });
  const close = async () => {
    scheduling.signals?.close();
    await deliveries.close();
    await webhooks.close();
    await ledger.close();
    await keys.close();
    await images.close();
    files.close();
    await bucket?.close();
    await cache.close();
    usage.close();
    redis?.disconnect();
    descriptors.close();
    disk.close();
    await storage.close();
    await tracer.close();
  };
  return {
    ...scheduling,
    log,
    logRequest,
    secrets,
    clock,
    wallClock,
    tracer,
    version,
    webhooks,
    deliveries,
    events,
    operations,
    validator,
    descriptors,
    disk,
    storage,
    keys,
    localSecret: options.localSecret,
    ledger,
    usage,
    cache,
    images,
    files,
    close,
    requestIds: new RequestIds(),
    express: createExpressFactory(options.nodeMajor),
    uploadDir,
    uploads: new UploadMemory(config.limits.uploadsBytesMax),
    slowBodies: new SlowBodies(transferClock),
    slowReaders: new SlowReaders({ clock: transferClock, log }),
    sessions: openSessionService({ ...options, storage, keys }),
    providerTools: {
      buffers: new BufferPool(),
      replies: new TurnBatch((begin) => begin()),
      clock,
      timeOfDay: wallClock.now,
      environment: options.environment ?? {},
      secrets,
    },
  };
}

/** Opens what requests need besides the database, and compiles the schemas of the most frequent one. */
async function prepareRequests({ config, self, log, requestRules = openRequestRules() }: ServicesOptions) {
  const uploadDir = await openUploadFolder(config.dataDir, self);
  const disk = await watchDisk(config, log);
  const { operations, validator } = requestRules;
  for (const operation of operations)
    if (operation.id === "createEmbedding") await validator.warmUp(operation);
  return { uploadDir, disk, operations, validator };
}

function openDescriptors(log: Logger, now: () => number): Descriptors {
  return new Descriptors({
    max: readDescriptorLimit(),
    now,
    onRefused: (max) =>
      log.warn(
        { max },
        "The process is close to its limit of open files, so requests and connections are refused. Raise the limit (ulimit -n).",
      ),
  });
}

interface SchedulingOptions {
  readonly config: Config;
  readonly redis: Redis | undefined;
  readonly clock: Clock;
  readonly wallClock: Clock;
  readonly log: Logger;
  readonly targetEvents: TargetEvents;
}

/** Services that decide when and where a request is served. */
function openScheduling({ config, redis, clock, wallClock, log, targetEvents }: SchedulingOptions) {
  const signals = redis && openTargetSignals({ redis, log, clock });
  const scheduler = new Scheduler({
    clock,
    timeOfDay: () => wallClock.now(),
    random: Math.random,
    onStateChange: publishTargetChanges(log, targetEvents),
    ...(signals && { publish: signals.publish }),
  });
  signals?.start(scheduler);
  return {
    scheduler,
    signals,
    admission: new TargetAdmission({ scheduler, clock }),
    memory: new MemoryBudget(config.limits.bodiesBytesMax, clock),
    active: new ActiveRequests<Arrival>(),
    retryQuotas: new RetryQuotas(),
    batchLimits: new LearnedLimits(signals?.limits),
  };
}

const diskMessages: Readonly<Record<DiskState, string>> = {
  ok: "The disk of the data folder has room again.",
  low: "The disk of the data folder will be full soon. Free some space.",
  full: "The disk of the data folder is full. Large files, images as links and images with an Idempotency-Key are refused until there is room.",
};

async function watchDisk({ dataDir, limits }: Config, log: Logger): Promise<DiskSpace> {
  const disk = new DiskSpace({
    folder: dataDir,
    reserveBytes: limits.diskReserveBytes,
    onChange: (state, freeBytes) => {
      const level = { ok: "info", low: "warn", full: "error" } as const;
      log[level[state]]({ freeBytes }, diskMessages[state]);
    },
  });
  await disk.check();
  return disk;
}

/** Every worker has its own spool. The first worker adopts those of workers that no longer run. */
async function openLedgerOf(
  { config, log, worker, ledgerGatherMs }: ServicesOptions,
  storage: Storage,
): Promise<Ledger> {
  const root = join(config.dataDir, "ledger-spool");
  const folders = worker.slot === 1 ? await readdir(root).catch(() => []) : [];
  const orphans = folders.filter((name) => /^\d+$/.test(name) && Number(name) > worker.count);
  return openLedger({
    folder: join(root, String(worker.slot)),
    orphans: orphans.map((name) => join(root, name)),
    store: storage.ledger,
    bytesMax: config.limits.ledgerBytesMax,
    ...(ledgerGatherMs === undefined ? {} : { gatherMs: ledgerGatherMs }),
    log,
    clock: { now: Date.now, wait },
    random: Math.random,
  });
}
