import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "./config/config.js";
import { createValidator, type Operation, operationsOf, readSpec, type Validate } from "./http/openapi.js";
import { createExpressFactory, type ExpressFactory } from "./http/prototypes.js";
import { openSpool, type ProcessIdentity } from "./http/spool.js";
import { type ImageStores, openImageStores } from "./open-image-stores.js";
import { Admission } from "./scheduling/admission.js";
import type { Clock } from "./scheduling/clock.js";
import { RetryBudget } from "./scheduling/retry-budget.js";
import { Scheduler } from "./scheduling/scheduler.js";
import { type OpenVectorCache, openVectorCache } from "./storage/open-vector-cache.js";

export interface FoundationNeeds {
  readonly config: Config;
  readonly log: Logger;
  readonly self: ProcessIdentity;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** The version of Node that runs this. */
  readonly nodeMajor: number;
}

/** What lasts as long as the process, whatever configuration it runs on. */
export interface Foundation {
  readonly log: Logger;
  readonly clock: Clock;
  readonly express: ExpressFactory;
  readonly operations: readonly Operation[];
  readonly validate: Validate;
  readonly spoolDir: string;
  readonly cache: OpenVectorCache;
  readonly imageStores: ImageStores;
  readonly scheduler: Scheduler;
  readonly admission: Admission;
  readonly retryBudget: RetryBudget;
  close(): Promise<void>;
}

export async function openFoundation({
  config,
  log,
  self,
  now,
  nodeMajor,
}: FoundationNeeds): Promise<Foundation> {
  const clock: Clock = { now, wait };
  const scheduler = new Scheduler({ clock, random: Math.random });
  const spec = readSpec();
  const spoolDir = await openSpool(config.dataDir, self);
  const cache = openVectorCache({ config, log });
  const imageStores = await openImageStores({ config, self, log });
  return {
    log,
    clock,
    express: createExpressFactory(nodeMajor),
    operations: operationsOf(spec),
    validate: createValidator(spec),
    spoolDir,
    cache,
    imageStores,
    scheduler,
    admission: new Admission({ scheduler, clock }),
    retryBudget: new RetryBudget(),
    close: async () => {
      await cache.close();
      await imageStores.close();
    },
  };
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
