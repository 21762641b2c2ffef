import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "./config/config.js";
import type { Tracer } from "./domain/trace.js";
import type { VectorCache } from "./embeddings/vector-cache.js";
import { type Operation, operationsOf, readSpec } from "./http/openapi.js";
import { createExpressFactory, type ExpressFactory } from "./http/prototypes.js";
import { RequestLog } from "./http/request-log.js";
import { openSpool, type ProcessIdentity } from "./http/spool.js";
import { createValidator, type Validate, warmUp } from "./http/validator.js";
import { type ImageStores, openImageStores } from "./open-image-stores.js";
import { type KeyService, openKeyService } from "./open-key-service.js";
import type { Storage } from "./open-storage.js";
import { openUsage, type UsageService } from "./open-usage.js";
import { Admission } from "./scheduling/admission.js";
import type { Clock } from "./scheduling/clock.js";
import { RetryBudget } from "./scheduling/retry-budget.js";
import { Scheduler } from "./scheduling/scheduler.js";
import { openRedis } from "./storage/open-redis.js";
import { openVectorCache } from "./storage/open-vector-cache.js";
import { type Ledger, openLedger } from "./usage/ledger.js";

export interface FoundationNeeds {
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
export interface Foundation {
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
  readonly admission: Admission;
  readonly retryBudget: RetryBudget;
  close(): Promise<void>;
}

export async function openFoundation(needs: FoundationNeeds): Promise<Foundation> {
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
    admission: new Admission({ scheduler, clock }),
    retryBudget: new RetryBudget(),
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
async function openLedgerOf({ config, log, worker }: FoundationNeeds, storage: Storage): Promise<Ledger> {
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
