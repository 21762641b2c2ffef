import type { Priority } from "@model-gateway/domain/access-key";
import { GatewayError } from "@model-gateway/domain/errors";
import type { PriorityClass } from "./capacity.js";
import { FairQueue } from "./fair-queue.js";
import type { TargetHealth } from "./target-health.js";

/** Load shedding: a call that finds this many of its priority waiting for its model is refused. One key may have half. */
const waitingMax = 2000;
/** Ageing: after this many interactive calls that bulk calls waited for, one of these goes first. */
const passesMax = 16;

/**
 * The calls that wait for the targets of one model, in a fair queue for each priority. Interactive calls go first, but a
 * bulk call that was passed too often is overdue and goes before them. So bulk calls get one of seventeen turns even
 * where interactive calls alone would fill the targets.
 */
export class ModelQueue<T> {
  /** The health of all the model's targets. */
  targets: ReadonlySet<TargetHealth> = new Set();
  readonly #queues = {
    interactive: new FairQueue<T>({ max: waitingMax, whenFull: () => tooManyWaiting("interactive") }),
    bulk: new FairQueue<T>({ max: waitingMax, whenFull: () => tooManyWaiting("bulk") }),
  } as const;
  #passes = 0;

  waiting(priority: Priority): number {
    return this.#queues[priority].waiting;
  }

  get isEmpty(): boolean {
    return this.waiting("interactive") + this.waiting("bulk") === 0;
  }

  /** The place that a new call would have: 1 for the first. */
  placeOf(caller: string, priority: Priority): number {
    const before = priority === "bulk" ? this.waiting("interactive") : 0;
    return before + this.#queues[priority].placeOf(caller) + 1;
  }

  enter(
    { caller, priority }: { readonly caller: string; readonly priority: Priority },
    tryAcquire: () => T | undefined,
    signal: AbortSignal,
  ): Promise<T> {
    return this.#queues[priority].enter(caller, tryAcquire, signal);
  }

  /** The priority class of its next bulk call. */
  get bulkClass(): PriorityClass {
    return this.isOverdue ? "overdue" : "bulk";
  }

  /** Whether interactive calls must let a bulk call go first. One that waits for other bulk calls is not overdue. */
  get isOverdue(): boolean {
    if (this.#passes < passesMax || this.waiting("bulk") === 0) return false;
    for (const { isHealthy, hasRoomForBulk } of this.targets) if (isHealthy && hasRoomForBulk) return true;
    return false;
  }

  sharesTarget(other: Pick<ModelQueue<T>, "targets">): boolean {
    for (const target of this.targets) if (other.targets.has(target)) return true;
    return false;
  }

  /** Notes an interactive call to a target that bulk calls wait for. */
  onInteractiveCall(target: TargetHealth): void {
    if (this.waiting("bulk") > 0 && this.targets.has(target) && target.hasRoomForBulk) this.#passes += 1;
  }

  onBulkCall(): void {
    this.#passes = 0;
  }

  /** Admits one call of this priority if there is capacity for it. */
  wakeOne(priority: Priority): boolean {
    return this.#queues[priority].wakeOne();
  }
}

function tooManyWaiting(priority: Priority): GatewayError {
  const requests = priority === "bulk" ? "bulk requests" : "requests";
  return new GatewayError("rate_limit_exceeded", `Too many ${requests} are waiting for this model.`, {
    retryAfterMs: priority === "bulk" ? 10_000 : 1000,
    nothingBilled: true,
  });
}
