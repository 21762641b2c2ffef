import type { Waiting } from "../domain/call-context.js";
import type { Clock } from "../domain/clock.js";
import type { Model, Target } from "../domain/model.js";
import { GatewayError } from "../errors.js";
import { anySignal } from "../runtime/abort.js";
import { FairQueue } from "./fair-queue.js";
import type { Choice, Scheduler } from "./scheduler.js";
import type { AttemptResult, Lease } from "./target-health.js";

/** Load shedding: a request that finds this many waiting for its model, or waits longer than this, is refused. */
const waitingMax = 1000;
const waitMsMax = 30_000;

/** A target with a slot taken on it. */
export type TargetLease<T extends Target> = Choice<T> & Lease;

export interface AdmissionRequest<T extends Target> {
  readonly model: Pick<Model, "id" | "strategy"> & { readonly targets: readonly T[] };
  readonly context: Waiting;
  readonly tokens: number;
}

/** Leases targets to requests, and queues a request while every target is at its capacity. */
export class TargetAdmission {
  readonly #scheduler: Scheduler;
  readonly #clock: Clock;
  readonly #queues = new Map<string, FairQueue<TargetLease<Target>>>();

  constructor({ scheduler, clock }: { readonly scheduler: Scheduler; readonly clock: Clock }) {
    this.#scheduler = scheduler;
    this.#clock = clock;
  }

  /**
   * A lease on the best target; undefined where no target is healthy.
   *
   * @param called The targets that were called before.
   * @param latestAt The wait ends at this time of the clock: after it, too little of the deadline is left for a call.
   */
  async acquire<T extends Target>(
    request: AdmissionRequest<T>,
    called: readonly Target[],
    latestAt: number,
  ): Promise<TargetLease<T> | undefined> {
    const { model, tokens } = request;
    const queue = this.#queues.get(model.id);
    const lease = queue === undefined ? this.#tryAcquire(request, called) : undefined;
    if (lease !== undefined) return lease;
    const busyMs = this.#scheduler.busyMs(model.targets, tokens);
    if (busyMs === undefined) return undefined;
    const tryAcquire = () => this.#tryAcquire(request, called);
    return this.#wait(request, { busyMs, latestAt, tryAcquire, queue: queue ?? this.#openQueue(model.id) });
  }

  /** A lease on a healthy target that was not called yet; undefined where none has capacity now. */
  acquireOther<T extends Target>(
    { model, tokens }: AdmissionRequest<T>,
    called: readonly Target[],
  ): TargetLease<T> | undefined {
    if (this.#queues.has(model.id)) return undefined;
    const targets = model.targets.filter((target) => !called.includes(target));
    const choice = this.#scheduler.pick({ strategy: model.strategy, targets }, called, tokens);
    return choice?.health.isHealthy ? leaseTarget(choice, tokens) : undefined;
  }

  release(lease: TargetLease<Target>, result: AttemptResult): void {
    lease.release(result);
    if (this.#queues.size > 0) this.#wakeAll();
  }

  /** How many requests wait for a target, by model. */
  waiting(): ReadonlyMap<string, number> {
    return new Map([...this.#queues].map(([model, queue]) => [model, queue.waiting]));
  }

  #tryAcquire<T extends Target>(
    { model, tokens }: AdmissionRequest<T>,
    called: readonly Target[],
  ): TargetLease<T> | undefined {
    const choice = this.#scheduler.pick(model, called, tokens);
    return choice && leaseTarget(choice, tokens);
  }

  async #wait<T extends Target>(
    { model, context: { caller, signal } }: AdmissionRequest<T>,
    { busyMs, latestAt, tryAcquire, queue }: QueuedRequest<T>,
  ): Promise<TargetLease<T>> {
    const timeout = new AbortController();
    const settled = new AbortController();
    const untilSettled = anySignal([signal, settled.signal]);
    const waitMs = Math.min(waitMsMax, Math.max(0, latestAt - this.#clock.now()));
    void this.#clock.wait(waitMs, untilSettled).then(
      () => timeout.abort(allBusy(busyMs)),
      () => undefined,
    );
    if (Number.isFinite(busyMs)) {
      void this.#clock.wait(busyMs, untilSettled).then(
        () => this.#wakeAll(),
        () => undefined,
      );
    }
    try {
      // All leases of a queue are on targets of its model.
      return (await queue.enter(caller, tryAcquire, anySignal([signal, timeout.signal]))) as TargetLease<T>;
    } finally {
      settled.abort();
      if (queue.waiting === 0 && this.#queues.get(model.id) === queue) this.#queues.delete(model.id);
    }
  }

  #openQueue(modelId: string): FairQueue<TargetLease<Target>> {
    const queue = new FairQueue<TargetLease<Target>>({ max: waitingMax, whenFull: tooManyWaiting });
    this.#queues.set(modelId, queue);
    return queue;
  }

  #wakeAll(): void {
    for (const queue of this.#queues.values()) queue.wake();
  }
}

interface QueuedRequest<T extends Target> {
  readonly busyMs: number;
  readonly latestAt: number;
  readonly tryAcquire: () => TargetLease<T> | undefined;
  readonly queue: FairQueue<TargetLease<Target>>;
}

function leaseTarget<T extends Target>({ target, health }: Choice<T>, tokens: number): TargetLease<T> {
  return { target, health, release: health.begin(tokens).release };
}

function allBusy(busyMs: number): GatewayError {
  return new GatewayError("rate_limit_exceeded", "All upstreams of this model are busy.", {
    retryAfterMs: Number.isFinite(busyMs) ? busyMs : 1000,
    nothingBilled: true,
  });
}

function tooManyWaiting(): GatewayError {
  return new GatewayError("rate_limit_exceeded", "Too many requests are waiting for this model.", {
    retryAfterMs: 1000,
    nothingBilled: true,
  });
}
