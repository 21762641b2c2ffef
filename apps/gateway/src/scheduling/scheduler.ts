import type { Clock } from "../domain/clock.js";
import type { Model, Strategy, Target } from "../domain/model.js";
import { TargetHealth, type TargetSnapshot } from "./target-health.js";

export interface SchedulerNeeds {
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** A target that was chosen, and how it does. */
export interface Choice<T extends Target> {
  readonly target: T;
  readonly health: TargetHealth;
}

/** Differences smaller than this are noise, and noise must not send everybody to one of two equals. */
const clearlyBetter = 0.8;

/** Knows how every target does, and chooses the best for the next call. */
export class Scheduler {
  readonly #needs: SchedulerNeeds;
  readonly #health = new Map<string, TargetHealth>();
  /** The same by target: naming a target costs more than choosing it. */
  #known = new WeakMap<Target, TargetHealth>();

  constructor(needs: SchedulerNeeds) {
    this.#needs = needs;
  }

  /**
   * The best healthy target of the lowest tier that has one, and one that was not asked yet where there is any.
   * Undefined where none is healthy and has room.
   */
  pick<T extends Target>(
    model: Pick<Model, "strategy"> & { readonly targets: readonly T[] },
    asked: readonly Target[],
    tokens: number,
  ): Choice<T> | undefined {
    const { targets, strategy } = model;
    const [only] = targets;
    if (only !== undefined && targets.length === 1) return this.#pickOnly(only, tokens);
    const choices = targets
      .map((target) => this.#choice(target))
      .filter(({ health }) => health.waitMs(tokens) === 0);
    const healthy = choices.filter(({ health }) => health.isHealthy);
    // Where several fail, one may have recovered that nobody has asked; where there is only one, nobody asks.
    const lastResorts = choices.filter(({ health }) => health.isLastResort);
    const isFresh = ({ target }: Choice<T>) => !asked.includes(target);
    const candidates =
      [healthy.filter(isFresh), lastResorts.filter(isFresh), healthy, lastResorts].find(
        (list) => list.length > 0,
      ) ?? [];
    const tier = Math.min(...candidates.map(({ target }) => target.tier));
    return this.#choose(
      candidates.filter(({ target }) => target.tier === tier),
      strategy,
    );
  }

  #pickOnly<T extends Target>(target: T, tokens: number): Choice<T> | undefined {
    const choice = this.#choice(target);
    return choice.health.isHealthy && choice.health.waitMs(tokens) === 0 ? choice : undefined;
  }

  /** How long until a target that was not asked yet may be; 0 where one may now, or all were asked. */
  freshInMs(targets: readonly Target[], asked: readonly Target[]): number {
    const rests = targets
      .filter((target) => !asked.includes(target))
      .map((target) => this.#choice(target).health.restMs);
    return rests.length === 0 ? 0 : Math.min(...rests);
  }

  /** How long until a healthy target has room; undefined where none is healthy. */
  busyMs(targets: readonly Target[], tokens: number): number | undefined {
    const waits = targets.map((target) => this.#choice(target).health).filter(({ isHealthy }) => isHealthy);
    return waits.length === 0 ? undefined : Math.min(...waits.map((health) => health.waitMs(tokens)));
  }

  /** The target that will be healthy first, for whoever has nowhere else to go. */
  healthOf(targets: readonly Target[]): TargetHealth[] {
    return targets.map((target) => this.#choice(target).health);
  }

  /** Takes what a new configuration says of its targets, and forgets what was known of upstreams that are others now. */
  adopt(targets: readonly Target[], changedUpstreams: ReadonlySet<string>): void {
    this.#known = new WeakMap();
    const wanted = new Map(targets.map((target) => [keyOf(target), target]));
    for (const [key, health] of this.#health) {
      const target = wanted.get(key);
      if (target === undefined || changedUpstreams.has(target.upstream)) this.#health.delete(key);
      else health.adopt(target);
    }
  }

  snapshot(targets: readonly Target[]): TargetSnapshot[] {
    return targets.map((target) => this.#choice(target).health.snapshot());
  }

  #choose<T extends Target>(candidates: readonly Choice<T>[], strategy: Strategy): Choice<T> | undefined {
    if (candidates.length < 2 || strategy === "ordered") return candidates[0];
    if (strategy === "weighted") return this.#byWeight(candidates);
    return this.#betterOfTwo(candidates);
  }

  #byWeight<T extends Target>(candidates: readonly Choice<T>[]): Choice<T> | undefined {
    const total = candidates.reduce((sum, { target }) => sum + target.weight, 0);
    let point = this.#needs.random() * total;
    for (const candidate of candidates) {
      point -= candidate.target.weight;
      if (point < 0) return candidate;
    }
    return candidates.at(-1);
  }

  /** Comparing two at random is nearly as good as comparing all, and does not send everybody to the same one. */
  #betterOfTwo<T extends Target>(candidates: readonly Choice<T>[]): Choice<T> | undefined {
    const first = Math.floor(this.#needs.random() * candidates.length);
    const step = 1 + Math.floor(this.#needs.random() * (candidates.length - 1));
    const [one, other] = [candidates[first], candidates[(first + step) % candidates.length]];
    if (one === undefined || other === undefined) return one ?? other;
    return other.health.cost < one.health.cost * clearlyBetter ? other : one;
  }

  #choice<T extends Target>(target: T): Choice<T> {
    const known = this.#known.get(target);
    if (known !== undefined) return { target, health: known };
    // Targets of several models that are the same place share what is known of it.
    const key = keyOf(target);
    const health = this.#health.get(key) ?? new TargetHealth(target, this.#needs.clock);
    this.#health.set(key, health);
    this.#known.set(target, health);
    return { target, health };
  }
}

function keyOf({ upstream, model }: Target): string {
  return JSON.stringify([upstream, model]);
}
