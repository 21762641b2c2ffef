import { performance } from "node:perf_hooks";
import { countedAs, type Target } from "@model-gateway/domain/model";
import { type QueueSnapshot, TargetAdmission } from "@model-gateway/scheduling/admission";
import { RetryQuotas } from "@model-gateway/scheduling/retry-quota";
import { Scheduler } from "@model-gateway/scheduling/scheduler";
import { type PublishSignal, TargetSignals } from "@model-gateway/scheduling/target-signals";
import { LearnedLimits } from "../../embeddings/coalescing/batches.js";
import { SharedBatchLimits } from "../../embeddings/coalescing/shared-batch-limits.js";
import { ResilientRedis } from "../../storage/redis/redis.js";
import { RedisSignalStore } from "../../storage/redis/signal-store.js";
import { stateMetrics } from "../../telemetry/metrics/state-metrics.js";
import type { TargetEvents } from "../../webhooks/target-events.js";
import type { CurrentPipeline } from "../current-pipeline.js";
import { publishTargetChanges } from "../target-changes.js";
import { targetsOf } from "../targets-of.js";
import type { Foundation } from "./foundation.js";
import { defineModule, type Sweep } from "./module.js";

interface SchedulingNeeds extends Foundation {
  readonly targetEvents: TargetEvents;
}

/** Decides when and where a request is served. */
export const scheduling = defineModule({
  name: "scheduling",
  settings: { reload: ["models", "upstreams"] },
  open: (needs: SchedulingNeeds, { models, upstreams }) => {
    const { clock, wallClock, log, targetEvents, current, siblings } = needs;
    const shared = openSignals(needs);
    const scheduler = new Scheduler({
      clock,
      timeOfDay: () => wallClock.now(),
      random: Math.random,
      onStateChange: publishTargetChanges(log, targetEvents),
      ...(shared && { publish: shared.signals.publish }),
    });
    const batchLimits = new LearnedLimits(shared?.limits);
    shared?.signals.configure(targetsOf({ models }), upstreams);
    const admission = new TargetAdmission({ scheduler, clock });
    siblings?.answer("heal", (target) => scheduler.heal(target as Pick<Target, "upstream" | "model">));
    return {
      services: {
        scheduler,
        batchLimits,
        admission,
        retryQuotas: new RetryQuotas(),
        /** Publishes a healthy target to all other workers. */
        publishHealed: async (target: Pick<Target, "upstream" | "model">) => siblings?.ask("heal", target),
      },
      metrics: () =>
        stateMetrics({
          targets: () => scheduler.snapshot(targetsOf(current.served)),
          upstreams: () => current.served.upstreams.values(),
          queue: () => byConfiguredId(admission.snapshot(), current),
        }),
      sweeps: shared === undefined ? [] : [shared.exchangeWith(scheduler)],
      adopt: ({ config, changedUpstreams }) => {
        const targets = targetsOf(config);
        scheduler.adopt(targets, changedUpstreams);
        batchLimits.adopt(targets, changedUpstreams);
        shared?.signals.configure(targets, config.upstreams);
      },
    };
  },
});

/** Counts by the ids of the configuration: an id behind a pattern is a text of a caller. */
function byConfiguredId({ waiting, counts }: QueueSnapshot, current: CurrentPipeline): QueueSnapshot {
  const catalog = current.isOpen ? current.pipeline.catalog : undefined;
  const configured = new Map<string, QueueSnapshot["waiting"][number]>();
  for (const { model: id, interactive, bulk } of waiting) {
    const found = catalog?.find(id);
    const model = found === undefined ? id : countedAs(found);
    const before = configured.get(model) ?? { interactive: 0, bulk: 0 };
    configured.set(model, {
      model,
      interactive: before.interactive + interactive,
      bulk: before.bulk + bulk,
    });
  }
  return { waiting: [...configured.values()], counts };
}

/** The state of targets that replicas share. */
interface SharedSignals {
  readonly signals: TargetSignals;
  readonly limits: SharedBatchLimits;
  /** Passes the signals of other replicas on to the scheduler. */
  readonly exchangeWith: (scheduler: Pick<Scheduler, "receive">) => Sweep;
}

const exchangeEveryMs = 500;
/** Nothing waits for a reply. */
const timeoutMs = 2000;
const pauseMs = 1000;

/** Undefined without Redis. */
function openSignals({ redis, log, clock }: Foundation): SharedSignals | undefined {
  if (redis === undefined) return undefined;
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
  return {
    signals,
    limits,
    exchangeWith: (scheduler) => {
      const onSignal: PublishSignal = (target, signal) => {
        limits.receive(target, signal);
        scheduler.receive(target, signal);
      };
      return {
        task: "exchange_target_signals",
        everyMs: exchangeEveryMs,
        run: async () => {
          // Before the first connection, and after the loss of one, which has its own line in the log.
          if (redis.status === "ready") await signals.exchange(onSignal);
        },
        onFailure: (failure) => log.error({ err: failure }, "Signals could not be read."),
      };
    },
  };
}
