import type { Clock } from "../domain/clock.js";
import type { Model, Target } from "../domain/model.js";
import { GatewayError } from "../errors.js";
import { anySignal } from "../runtime/abort.js";
import type { Choice, Scheduler } from "./scheduler.js";
import type { AttemptResult, Lease } from "./target-health.js";

const waitingMax = 1000;
const waitMsMax = 30_000;

/** A target with a place on it that has been taken. */
export type TargetLease<T extends Target> = Choice<T> & { readonly lease: Lease };

export interface AdmissionRequest<T extends Target> {
  readonly model: Pick<Model, "id" | "strategy"> & { readonly targets: readonly T[] };
  readonly caller: string;
  readonly tokens: number;
  readonly signal: AbortSignal;
}

/** Gives out places on targets, and lets requests wait for one where all are taken. */
export class TargetAdmission {
  readonly #scheduler: Scheduler;
  readonly #clock: Clock;
  readonly #rooms = new Map<string, FairQueue<TargetLease<Target>>>();

  constructor({ scheduler, clock }: { readonly scheduler: Scheduler; readonly clock: Clock }) {
    this.#scheduler = scheduler;
    this.#clock = clock;
  }

  /**
   * A place on the best target; undefined where no target is healthy. It is a promise only where the request must wait.
   *
   * @param asked The targets that were asked before.
   */
  enter<T extends Target>(
    request: AdmissionRequest<T>,
    asked: readonly Target[],
  ): TargetLease<T> | undefined | Promise<TargetLease<T>> {
    const { model, tokens } = request;
    const room = this.#rooms.get(model.id);
    const place = room === undefined ? this.#tryEnter(request, asked) : undefined;
    if (place !== undefined) return place;
    const busyMs = this.#scheduler.busyMs(model.targets, tokens);
    if (busyMs === undefined) return undefined;
    const tryEnter = () => this.#tryEnter(request, asked);
    return this.#wait(request, { busyMs, tryEnter, room: room ?? this.#openRoom(model.id) });
  }

  /** A place on a healthy target that was not asked yet, where there is one with room at once. */
  enterOther<T extends Target>(
    { model, tokens }: AdmissionRequest<T>,
    asked: readonly Target[],
  ): TargetLease<T> | undefined {
    if (this.#rooms.has(model.id)) return undefined;
    const targets = model.targets.filter((target) => !asked.includes(target));
    const choice = this.#scheduler.pick({ strategy: model.strategy, targets }, asked, tokens);
    return choice?.health.isHealthy ? leaseTarget(choice, tokens) : undefined;
  }

  #tryEnter<T extends Target>(
    { model, tokens }: AdmissionRequest<T>,
    asked: readonly Target[],
  ): TargetLease<T> | undefined {
    const choice = this.#scheduler.pick(model, asked, tokens);
    return choice && leaseTarget(choice, tokens);
  }

  /** How many requests wait for a place, by model. */
  waiting(): ReadonlyMap<string, number> {
    return new Map([...this.#rooms].map(([model, room]) => [model, room.waiting]));
  }

  leave(place: TargetLease<Target>, outcome: AttemptResult): void {
    place.lease.release(outcome);
    if (this.#rooms.size > 0) this.#wakeAll();
  }

  async #wait<T extends Target>(
    { model, caller, signal }: AdmissionRequest<T>,
    { busyMs, tryEnter, room }: Waiting<T>,
  ): Promise<TargetLease<T>> {
    const patience = new AbortController();
    const over = anySignal([signal, patience.signal]);
    const settled = new AbortController();
    const untilSettled = anySignal([signal, settled.signal]);
    void this.#clock.wait(waitMsMax, untilSettled).then(
      () => patience.abort(busy(busyMs)),
      () => undefined,
    );
    if (Number.isFinite(busyMs)) {
      void this.#clock.wait(busyMs, untilSettled).then(
        () => this.#wakeAll(),
        () => undefined,
      );
    }
    try {
      // A room holds places of one model, so that what comes out is of its targets.
      return (await room.enter(caller, tryEnter, over)) as TargetLease<T>;
    } finally {
      settled.abort();
      if (room.waiting === 0 && this.#rooms.get(model.id) === room) this.#rooms.delete(model.id);
    }
  }

  #openRoom(modelId: string): FairQueue<TargetLease<Target>> {
    const room = new FairQueue<TargetLease<Target>>(waitingMax);
    this.#rooms.set(modelId, room);
    return room;
  }

  #wakeAll(): void {
    for (const room of this.#rooms.values()) room.wake();
  }
}

interface Waiting<T extends Target> {
  readonly busyMs: number;
  readonly tryEnter: () => TargetLease<T> | undefined;
  readonly room: FairQueue<TargetLease<Target>>;
}

function leaseTarget<T extends Target>({ target, health }: Choice<T>, tokens: number): TargetLease<T> {
  return { target, health, lease: health.begin(tokens) };
}

function busy(busyMs: number): GatewayError {
  return new GatewayError("rate_limit_exceeded", "All upstreams of this model are busy.", {
    retryAfterMs: Number.isFinite(busyMs) ? busyMs : 1000,
    nothingMade: true,
  });
}

interface Waiter<T> {
  readonly tryEnter: () => T | undefined;
  readonly admit: (place: T) => void;
}

/**
 * Where requests wait for a place, fairly between callers: whoever sends a thousand requests waits behind its own, not
 * in front of everybody else's.
 */
export class FairQueue<T> {
  readonly #max: number;
  readonly #queues = new Map<string, Waiter<T>[]>();
  #waiting = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Gives a place at once where there is one and nobody waits for it; else waits until the signal aborts. */
  async enter(caller: string, tryEnter: () => T | undefined, signal: AbortSignal): Promise<T> {
    const place = this.#waiting === 0 ? tryEnter() : undefined;
    if (place !== undefined) return place;
    if (this.#waiting >= this.#max) {
      throw new GatewayError("rate_limit_exceeded", "Too many requests wait for this model.", {
        retryAfterMs: 1000,
        nothingMade: true,
      });
    }
    return new Promise<T>((resolve, reject) => {
      const leave = () => {
        this.#remove(caller, waiter);
        reject(signal.reason);
      };
      const waiter: Waiter<T> = {
        tryEnter,
        admit: (given) => {
          signal.removeEventListener("abort", leave);
          resolve(given);
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#queues.set(caller, [...(this.#queues.get(caller) ?? []), waiter]);
      this.#waiting += 1;
    });
  }

  /** Lets in whoever has a place now, one of each caller in turn. */
  wake(): void {
    for (let hasMoved = true; hasMoved; ) {
      hasMoved = false;
      for (const [caller, [first]] of [...this.#queues]) {
        const place = first?.tryEnter();
        if (first === undefined || place === undefined) continue;
        this.#remove(caller, first);
        // The caller goes to the end of the round.
        const rest = this.#queues.get(caller);
        if (rest !== undefined && this.#queues.delete(caller)) this.#queues.set(caller, rest);
        first.admit(place);
        hasMoved = true;
      }
    }
  }

  #remove(caller: string, waiter: Waiter<T>): void {
    const queue = this.#queues.get(caller) ?? [];
    const rest = queue.filter((other) => other !== waiter);
    if (rest.length === queue.length) return;
    this.#waiting -= 1;
    if (rest.length === 0) this.#queues.delete(caller);
    else this.#queues.set(caller, rest);
  }
}
