import { performance } from "node:perf_hooks";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import type { Clock } from "../domain/clock.js";
import { SharedLimits } from "../embeddings/coalescing/shared-limits.js";
import type { Scheduler } from "../scheduling/scheduler.js";
import { TargetSignals, type TellSignal } from "../scheduling/target-signals.js";
import { ResilientRedis } from "../storage/redis/redis.js";
import { RedisSignalBoard } from "../storage/redis/signal-board.js";

/** What replicas tell each other of targets. */
export interface TargetSignalService {
  readonly tell: TellSignal;
  readonly limits: SharedLimits;
  readonly configure: TargetSignals["configure"];
  /** Passes what other replicas find out on to the scheduler, from now on. */
  start(scheduler: Pick<Scheduler, "hear">): void;
  close(): void;
}

export interface TargetSignalServiceOptions {
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
  const signals = new TargetSignals({ board: new RedisSignalBoard(resilient), clock });
  const limits = new SharedLimits(clock, signals.tell);
  const onFailure = (failure: unknown) => log.error({ err: failure }, "Signals could not be read.");
  let timer: NodeJS.Timeout | undefined;
  return {
    tell: signals.tell,
    limits,
    configure: (targets, upstreams) => signals.configure(targets, upstreams),
    start: (scheduler) => {
      const onSignal: TellSignal = (target, signal) => {
        limits.hear(target, signal);
        scheduler.hear(target, signal);
      };
      const exchange = async () => {
        // Before the first connection, and after the loss of one, which has its own line in the log.
        if (redis.status === "ready") await signals.exchange(onSignal);
      };
      timer = setInterval(() => void exchange().catch(onFailure), exchangeEveryMs).unref();
    },
    close: () => clearInterval(timer),
  };
}
