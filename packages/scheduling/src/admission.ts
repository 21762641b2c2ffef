import type { Priority } from "@model-gateway/domain/access-key";
import type { BulkCall, Waiting } from "@model-gateway/domain/call-context";
import { GatewayError } from "@model-gateway/domain/errors";
import type { Model, Target } from "@model-gateway/domain/model";
import { anySignal, LightAbortController } from "@model-gateway/runtime/abort";
import type { Clock } from "@model-gateway/runtime/clock";
import type { Demand, PriorityClass } from "./capacity.js";
import { ModelQueue } from "./model-queue.js";
import { QueueCounters, type QueueCounts } from "./queue-counters.js";
import type { Choice, Scheduler } from "./scheduler.js";
import type { AttemptResult, Lease } from "./target-health.js";
import { WakeTimer } from "./wake-timer.js";

/** Load shedding: a call that waits longer than this is refused. Bulk callers may wait longer. */
const waitMsMax: Readonly<Record<Priority, number>> = { interactive: 30_000, bulk: 300_000 };
/** A paused target may be back by then. */
const recheckMs = 1000;

/** A target with a slot taken on it. */
export type TargetLease<T extends Target> = Choice<T> & Lease;

interface AdmissionRequest<T extends Target> {
  readonly model: Pick<Model, "id" | "strategy"> & { readonly targets: readonly T[] };
  readonly context: Waiting;
  readonly tokens: number;
}

/**
 * Leases targets to requests, and queues a request while every target is at its capacity. Interactive requests go before
 * bulk ones; `ModelQueue` says when they do not.
 */
export class TargetAdmission {
  readonly #scheduler: Scheduler;
  readonly #clock: Clock;
  readonly #queues = new Map<string, ModelQueue<TargetLease<Target>>>();
  readonly #counters = new QueueCounters();
  readonly #timer: WakeTimer;

  constructor({ scheduler, clock }: { readonly scheduler: Scheduler; readonly clock: Clock }) {
    this.#scheduler = scheduler;
    this.#clock = clock;
    this.#timer = new WakeTimer(clock, () => this.#wakeAll());
  }

  /**
   * A lease on the best target; undefined if no target is healthy.
   *
   * @param called The targets that were called before.
   * @param latestAt The wait ends at this time of the clock: after it, too little of the deadline is left for a call.
   * The deadline of a bulk request does not run while it waits.
   */
  async acquire<T extends Target>(
    request: AdmissionRequest<T>,
    called: readonly Target[],
    latestAt: number,
  ): Promise<TargetLease<T> | undefined> {
    const { model, context, tokens } = request;
    const priority = priorityOf(context);
    const lease = this.#mayGoAtOnce(request) ? this.#tryAcquire(request, called, priority) : undefined;
    if (lease !== undefined) {
      this.#counters.onDirect(priority);
      return lease;
    }
    const busyMs = this.#scheduler.busyMs(model.targets, { tokens, priorityClass: priority });
    if (busyMs === undefined) return undefined;
    return this.#wait(request, { called, latestAt, busyMs });
  }

  /** A lease on a healthy target that was not called yet; undefined where none has capacity now. */
  acquireOther<T extends Target>(
    request: AdmissionRequest<T>,
    called: readonly Target[],
  ): TargetLease<T> | undefined {
    if (!this.#mayGoAtOnce(request)) return undefined;
    const { model, tokens } = request;
    const targets = model.targets.filter((target) => !called.includes(target));
    const demand: Demand = { tokens, priorityClass: "interactive" };
    const choice = this.#scheduler.pick({ strategy: model.strategy, targets }, called, demand);
    return choice?.health.isHealthy ? this.#lease(choice, demand) : undefined;
  }

  release(lease: TargetLease<Target>, result: AttemptResult): void {
    lease.release(result);
    if (this.#queues.size > 0) this.#wakeAll();
  }

  /** Number of calls that wait for a target now, by model and priority, and the counts of all calls. */
  snapshot(): QueueSnapshot {
    const waiting = [...this.#queues].map(([model, queue]) => ({
      model,
      interactive: queue.waiting("interactive"),
      bulk: queue.waiting("bulk"),
    }));
    return { waiting, counts: this.#counters.counts() };
  }

  /** Whether no call waits that should go first. */
  #mayGoAtOnce({ model, context }: AdmissionRequest<Target>): boolean {
    if (this.#queues.size === 0) return true;
    const queue = this.#queues.get(model.id);
    if (queue !== undefined && (context.bulk !== undefined || queue.waiting("interactive") > 0)) return false;
    for (const other of this.#queues.values())
      if (
        other.isOverdue &&
        this.#scheduler.healthOf(model.targets).some((target) => other.targets.has(target))
      )
        return false;
    return true;
  }

  #tryAcquire<T extends Target>(
    { model, tokens }: AdmissionRequest<T>,
    called: readonly Target[],
    priorityClass: PriorityClass,
  ): TargetLease<T> | undefined {
    const demand: Demand = { tokens, priorityClass };
    const choice = this.#scheduler.pick(model, called, demand);
    return choice && this.#lease(choice, demand);
  }

  #lease<T extends Target>({ target, health }: Choice<T>, demand: Demand): TargetLease<T> {
    const { release } = health.begin(demand);
    if (demand.priorityClass === "interactive" && this.#queues.size > 0)
      for (const queue of this.#queues.values()) queue.onInteractiveCall(health);
    return { target, health, release };
  }

  async #wait<T extends Target>(
    request: AdmissionRequest<T>,
    { called, latestAt, busyMs }: QueuedRequest,
  ): Promise<TargetLease<T>> {
    const { model, context } = request;
    const { caller, signal, bulk } = context;
    const priority = priorityOf(context);
    const queue = this.#queueOf(model);
    if (bulk !== undefined) bulk.place = Math.max(bulk.place, queue.placeOf(caller, priority));
    const tryAcquire = () => this.#tryInTurn(request, called, queue);
    const startedAt = this.#clock.now();
    const timeout = new LightAbortController();
    const settled = new LightAbortController();
    const waitMs =
      bulk === undefined
        ? Math.min(waitMsMax.interactive, Math.max(0, latestAt - startedAt))
        : waitMsMax.bulk;
    void this.#clock.wait(waitMs, anySignal([signal, settled.signal])).then(
      () => timeout.abort(allBusy(busyMs, bulk)),
      () => undefined,
    );
    this.#timer.wakeIn(busyMs);
    try {
      const until = anySignal([signal, timeout.signal]);
      // All leases of a queue are on targets of its model.
      const lease = (await queue.enter({ caller, priority }, tryAcquire, until)) as TargetLease<T>;
      this.#counters.onWaited(priority, this.#clock.now() - startedAt);
      return lease;
    } catch (failure) {
      if (!signal.aborted) this.#counters.onRefused(priority);
      // Others may have waited for this call to go first.
      this.#timer.wakeIn(0);
      throw failure;
    } finally {
      settled.abort(undefined);
      if (queue.isEmpty && this.#queues.get(model.id) === queue) this.#queues.delete(model.id);
      if (this.#queues.size === 0) this.#timer.stop();
    }
  }

  /** A lease for a request in the queue, unless others go first or no target has capacity. */
  #tryInTurn<T extends Target>(
    request: AdmissionRequest<T>,
    called: readonly Target[],
    queue: ModelQueue<TargetLease<Target>>,
  ): TargetLease<T> | undefined {
    const { model, context, tokens } = request;
    const priorityClass = context.bulk === undefined ? "interactive" : queue.bulkClass;
    if (this.#mustWait(queue, priorityClass)) return undefined;
    const lease = this.#tryAcquire(request, called, priorityClass);
    if (lease !== undefined && context.bulk !== undefined) queue.onBulkCall();
    if (lease === undefined)
      this.#timer.wakeIn(this.#scheduler.busyMs(model.targets, { tokens, priorityClass }) ?? recheckMs);
    return lease;
  }

  #queueOf(model: AdmissionRequest<Target>["model"]): ModelQueue<TargetLease<Target>> {
    const queue = this.#queues.get(model.id) ?? new ModelQueue<TargetLease<Target>>();
    // A reload may have changed them.
    queue.targets = new Set(this.#scheduler.healthOf(model.targets));
    this.#queues.set(model.id, queue);
    return queue;
  }

  /** Admits as many calls as there is capacity for: overdue bulk calls, then interactive ones, then other bulk calls. */
  #wakeAll(): void {
    const queues = [...this.#queues.values()];
    for (let hasAdmitted = true; hasAdmitted; ) {
      hasAdmitted = false;
      for (const queue of queues) if (queue.isOverdue && queue.wakeOne("bulk")) hasAdmitted = true;
      for (const queue of queues) if (queue.wakeOne("interactive")) hasAdmitted = true;
      if (hasAdmitted) continue;
      for (const queue of queues) if (queue.wakeOne("bulk")) hasAdmitted = true;
    }
  }

  /** Whether calls of this class must let others go first, even if there is capacity for them. */
  #mustWait(queue: ModelQueue<TargetLease<Target>>, priorityClass: PriorityClass): boolean {
    if (priorityClass === "overdue") return false;
    if (priorityClass === "bulk") return queue.waiting("interactive") > 0;
    for (const other of this.#queues.values()) if (other.isOverdue && other.sharesTarget(queue)) return true;
    return false;
  }
}

interface QueuedRequest {
  readonly called: readonly Target[];
  readonly latestAt: number;
  readonly busyMs: number;
}

export interface QueueSnapshot {
  readonly waiting: readonly ({ readonly model: string } & Readonly<Record<Priority, number>>)[];
  readonly counts: Readonly<Record<Priority, QueueCounts>>;
}

function priorityOf({ bulk }: Waiting): Priority {
  return bulk === undefined ? "interactive" : "bulk";
}

function allBusy(busyMs: number, bulk: BulkCall | undefined): GatewayError {
  const place = bulk === undefined ? "" : ` The bulk request was number ${bulk.place} in the queue.`;
  return new GatewayError("rate_limit_exceeded", `All upstreams of this model are busy.${place}`, {
    retryAfterMs: Number.isFinite(busyMs) ? busyMs : 1000,
    nothingBilled: true,
  });
}
