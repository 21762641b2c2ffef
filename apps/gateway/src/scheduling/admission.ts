import { anySignal } from "../domain/abort.js";
import type { Model, Target } from "../domain/model.js";
import { GatewayError } from "../errors.js";
import type { Clock } from "./clock.js";
import type { Choice, Scheduler } from "./scheduler.js";
import type { Lease, Outcome } from "./target-health.js";
import { WaitingRoom } from "./waiting-room.js";

const waitingMax = 1000;
const waitMsMax = 30_000;

/** A target with a place on it that has been taken. */
export type Place<T extends Target> = Choice<T> & { readonly lease: Lease };

export interface AdmissionRequest<T extends Target> {
  readonly model: Pick<Model, "id" | "strategy"> & { readonly targets: readonly T[] };
  readonly caller: string;
  readonly tokens: number;
  readonly signal: AbortSignal;
}

/** Gives out places on targets, and lets requests wait for one where all are taken. */
export class Admission {
  readonly #scheduler: Scheduler;
  readonly #clock: Clock;
  readonly #rooms = new Map<string, WaitingRoom<Place<Target>>>();

  constructor({ scheduler, clock }: { readonly scheduler: Scheduler; readonly clock: Clock }) {
    this.#scheduler = scheduler;
    this.#clock = clock;
  }

  /** A place on the best target; undefined where no target is healthy. */
  async enter<T extends Target>(
    request: AdmissionRequest<T>,
    tried: ReadonlySet<Target>,
  ): Promise<Place<T> | undefined> {
    const { model, caller, tokens } = request;
    const tryEnter = (): Place<T> | undefined => {
      const choice = this.#scheduler.pick(model, tried, tokens);
      return choice && { ...choice, lease: choice.health.begin(tokens) };
    };
    const room = this.#rooms.get(model.id);
    const place = room === undefined ? tryEnter() : undefined;
    if (place !== undefined) return place;
    const busyMs = this.#scheduler.busyMs(model.targets, tokens);
    if (busyMs === undefined) return undefined;
    return this.#wait(request, { busyMs, tryEnter, room: room ?? this.#openRoom(model.id), caller });
  }

  /** A place on a healthy target that was not asked yet, where there is one with room at once. */
  enterOther<T extends Target>(
    { model, tokens }: AdmissionRequest<T>,
    asked: ReadonlySet<Target>,
  ): Place<T> | undefined {
    if (this.#rooms.has(model.id)) return undefined;
    const others = model.targets.filter((target) => !asked.has(target));
    const choice = this.#scheduler.pick({ ...model, targets: others }, asked, tokens);
    if (choice === undefined || !choice.health.isHealthy) return undefined;
    return { ...choice, lease: choice.health.begin(tokens) };
  }

  /** How many requests wait for a place, by model. */
  waiting(): ReadonlyMap<string, number> {
    return new Map([...this.#rooms].map(([model, room]) => [model, room.waiting]));
  }

  leave(place: Place<Target>, outcome: Outcome): void {
    place.lease.release(outcome);
    this.#wakeAll();
  }

  async #wait<T extends Target>(
    { model, signal }: AdmissionRequest<T>,
    { busyMs, tryEnter, room, caller }: Waiting<T>,
  ): Promise<Place<T>> {
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
      return (await room.enter(caller, tryEnter, over)) as Place<T>;
    } finally {
      settled.abort();
      if (room.waiting === 0 && this.#rooms.get(model.id) === room) this.#rooms.delete(model.id);
    }
  }

  #openRoom(modelId: string): WaitingRoom<Place<Target>> {
    const room = new WaitingRoom<Place<Target>>(waitingMax);
    this.#rooms.set(modelId, room);
    return room;
  }

  #wakeAll(): void {
    for (const room of this.#rooms.values()) room.wake();
  }
}

interface Waiting<T extends Target> {
  readonly busyMs: number;
  readonly tryEnter: () => Place<T> | undefined;
  readonly room: WaitingRoom<Place<Target>>;
  readonly caller: string;
}

function busy(busyMs: number): GatewayError {
  return new GatewayError("rate_limit_exceeded", "All upstreams of this model are busy.", {
    retryAfterMs: Number.isFinite(busyMs) ? busyMs : 1000,
    nothingMade: true,
  });
}
