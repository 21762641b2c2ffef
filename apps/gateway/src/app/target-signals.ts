import { performance } from "node:perf_hooks";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import type { Clock } from "../domain/clock.js";
import { every, type Repetition } from "../domain/every.js";
import { SharedBatchLimits } from "../embeddings/coalescing/shared-batch-limits.js";
import type { Scheduler } from "../scheduling/scheduler.js";
import { type PublishSignal, TargetSignals } from "../scheduling/target-signals.js";
import { ResilientRedis } from "../storage/redis/redis.js";
import { RedisSignalStore } from "../storage/redis/signal-store.js";

/** The state of targets that replicas share. */
export interface TargetSignalService {
  readonly publish: PublishSignal;
  readonly limits: SharedBatchLimits;
  readonly configure: TargetSignals["configure"];
  /** From now on, passes the signals of other replicas on to the scheduler. */
  start(scheduler: Pick<Scheduler, "receive">): void;
  close(): void;
}

interface TargetSignalServiceOptions {
  readonly redis: Redis;
  readonly log: Logger;
  readonly clock: Clock;
}

const exchangeEveryMs = 500;
/** Nothing waits for a reply. */
const timeoutMs = 2000;
const pauseMs = 1000;

export function openTargetSignals(options: TargetSignalServiceOptions): TargetSignalService {
  const { redis, log, clock } = options;
  const resilient = new ResilientRedis(redis, {
    timeoutMs,
    pauseMs,
    now: () => performance.now(),
    onUnavailable: (failure) =>
      log.warn({ err: failure }, "Redis is unavailable: replicas do not share what they learn of targets."),
    onAvailable: () => log.info("Redis is available again: replicas share what they learn of targets."),
  });
  const signals = new TargetSignals({ store: new RedisSignalStore(resilient), clock });
  const limits = new SharedBatchLimits(clock, signals.publish);
  const onFailure = (failure: unknown) => log.error({ err: failure }, "Signals could not be read.");
  let exchanging: Repetition | undefined;
  return {
    publish: signals.publish,
    limits,
    configure: (targets, upstreams) => signals.configure(targets, upstreams),
    start: (scheduler) => {
      const onSignal: PublishSignal = (target, signal) => {
        limits.receive(target, signal);
        scheduler.receive(target, signal);
      };
      const exchange = async () => {
        // Before the first connection, and after the loss of one, which has its own line in the log.
        if (redis.status === "ready") await signals.exchange(onSignal);
      };
      exchanging = every(exchangeEveryMs, exchange, { task: "exchange_target_signals", onFailure });
    },
    close: () => void exchanging?.stop(),
  };
}
