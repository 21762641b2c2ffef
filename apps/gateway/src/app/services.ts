import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import type { Clock } from "../domain/clock.js";
import type { Tracer } from "../domain/trace.js";
import type { VectorCache } from "../embeddings/cache/vector-cache.js";
import { openSpool, type ProcessIdentity } from "../http/request/read-form.js";
import { type Operation, operationsOf, readSpec } from "../http/request/spec.js";
import { createValidator, type Validate, warmUp } from "../http/request/validate.js";
import { openBudgets } from "../limits/budgets.js";
import { openLimits } from "../limits/shared-limits.js";
import { createExpressFactory, type ExpressFactory } from "../runtime/express-prototypes.js";
import { TargetAdmission } from "../scheduling/admission.js";
import { RetryQuota } from "../scheduling/retry-quota.js";
import { Scheduler } from "../scheduling/scheduler.js";
import type { Storage } from "../storage/open-storage.js";
import { openSharedUsage } from "../storage/redis/open-shared-usage.js";
import { openRedis } from "../storage/redis/redis.js";
import { openVectorCache } from "../storage/vectors/open-vector-cache.js";
import { RequestLog } from "../telemetry/request-log.js";
import { type Ledger, openLedger } from "../usage/ledger/ledger.js";
import type { UsageMeterOptions } from "../usage/usage-meter.js";
import { type ImageStores, openImageStores } from "./image-service.js";
import { type KeyService, openKeyService } from "./key-service.js";

export interface ServicesOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly openStorage: (config: Config, log: Logger) => Promise<Storage>;
  readonly tracer: Tracer;
  readonly self: ProcessIdentity;
  /** Which of the workers this is, counted from 1. */
  readonly worker: { readonly slot: number; readonly count: number };
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** The version of Node that runs this. */
  readonly nodeMajor: number;
}

/** What lasts as long as the process, whatever configuration it runs on. */
export interface Services {
  readonly log: Logger;
  readonly requestLog: RequestLog;
  readonly clock: Clock;
  readonly tracer: Tracer;
  readonly express: ExpressFactory;
  readonly operations: readonly Operation[];
  readonly validate: Validate;
  readonly spoolDir: string;
  readonly storage: Storage;
  readonly keys: KeyService;
  readonly ledger: Ledger;
  readonly usage: UsageService;
  readonly cache: VectorCache;
  readonly imageStores: ImageStores;
  readonly scheduler: Scheduler;
  readonly admission: TargetAdmission;
  readonly retryBudget: RetryQuota;
  close(): Promise<void>;
}

export async function openServices(needs: ServicesOptions): Promise<Services> {
  const { config, log, tracer, self, now, nodeMajor } = needs;
  const clock: Clock = { now, wait };
  const scheduler = new Scheduler({ clock, random: Math.random });
  const spec = readSpec();
  const spoolDir = await openSpool(config.dataDir, self);
  const redis = config.redisUrl === undefined ? undefined : await openRedis(config.redisUrl, log);
  const operations = operationsOf(spec);
  const validate = createValidator(spec);
  // The database opens in a thread or a server of its own; there is work to be done here meanwhile.
  const [storage] = await Promise.all([
    needs.openStorage(config, log),
    warmUp(
      validate,
      operations.filter(({ access }) => access !== "admin"),
    ),
  ]);
  const keys = await openKeyService({ config, storage, log });
  const ledger = await openLedgerOf(needs, storage);
  const usage = openUsage({ redis, storage, ledger, log });
  const imageStores = await openImageStores({ config, storage, self, log });
  return {
    log,
    requestLog: new RequestLog(log),
    clock,
    tracer,
    express: createExpressFactory(nodeMajor),
    operations,
    validate,
    spoolDir,
    storage,
    keys,
    ledger,
    usage,
    cache: openVectorCache({ bytesMax: config.limits.cacheBytesMax, redis, log }),
    imageStores,
    scheduler,
    admission: new TargetAdmission({ scheduler, clock }),
    retryBudget: new RetryQuota(),
    close: async () => {
      await ledger.close();
      await keys.close();
      await imageStores.close();
      usage.close();
      redis?.disconnect();
      await storage.close();
      await tracer.close();
    },
  };
}

/** Every worker has a folder of its own; the first takes over those of workers that are no more. */
async function openLedgerOf({ config, log, worker }: ServicesOptions, storage: Storage): Promise<Ledger> {
  const root = join(config.dataDir, "ledger-spool");
  const folders = worker.slot === 1 ? await readdir(root).catch(() => []) : [];
  const orphans = folders.filter((name) => /^\d+$/.test(name) && Number(name) > worker.count);
  return openLedger({
    folder: join(root, String(worker.slot)),
    orphans: orphans.map((name) => join(root, name)),
    store: storage.ledger,
    bytesMax: config.limits.ledgerBytesMax,
    log,
    clock: { now: Date.now, wait },
    random: Math.random,
  });
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

export interface UsageNeeds {
  readonly redis: Redis | undefined;
  readonly storage: Storage;
  readonly ledger: Ledger;
  readonly log: Logger;
}

/** What lets requests in, and counts what they use. */
export interface UsageService extends UsageMeterOptions {
  close(): void;
}

const lookMs = 50;

export function openUsage({ redis, storage, ledger, log }: UsageNeeds): UsageService {
  const shared = redis && openSharedUsage(redis, log);
  const startedAt = Date.now();
  /** What was written before this start is what no counter knows. */
  const untilShipped = async (): Promise<void> => {
    for (;;) {
      const { oldestAgeMs } = ledger.snapshot();
      if (oldestAgeMs === null || Date.now() - oldestAgeMs >= startedAt) return;
      await setTimeout(lookMs, undefined, { ref: false });
    }
  };
  return {
    limits: openLimits({ now: Date.now, ...(shared && { shared: shared.counters }) }),
    budgets: openBudgets({
      now: Date.now,
      spentSince: (keyId, since) => storage.ledger.spentSince(keyId, since),
      untilShipped,
      onLedgerAway: (failure) =>
        log.warn(
          { err: failure },
          "The ledger does not say what a key has spent; its budget counts from now.",
        ),
      ...(shared && { shared: shared.spending }),
    }),
    close: () => shared?.close(),
  };
}
