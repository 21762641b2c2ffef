import type { GatewayError } from "@model-gateway/domain/errors";
import { type Model, type Strategy, type Target, targetKey } from "@model-gateway/domain/model";
import type { SkippedTarget } from "@model-gateway/domain/request-failure";
import type { Clock } from "@model-gateway/runtime/clock";
import { CallHistory, type CallHistorySnapshot } from "./call-history.js";
import { type Demand, strictest } from "./capacity.js";
import { driftError, TargetHealth } from "./target-health.js";
import type { PublishSignal, TargetSignal } from "./target-signals.js";
import {
  type OnTargetStateChange,
  type SpaceCheck,
  skippedTarget,
  type TargetSnapshot,
} from "./target-state.js";

interface SchedulerOptions {
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly onStateChange?: OnTargetStateChange;
  /** Publishes signals to other replicas. */
  readonly publish?: PublishSignal;
  /** Milliseconds since 1970. Default: those of the clock. */
  readonly timeOfDay?: () => number;
}

/** The last 24 hours of a target. */
export interface TargetHistory extends CallHistorySnapshot, Pick<Target, "upstream" | "model"> {}

/** A target that gets no calls now. */
export interface UnavailableTarget {
  readonly target: Target;
  /** For a caller without another target. */
  readonly reason: GatewayError;
  readonly skipped: SkippedTarget;
}

/** A target and its health. */
export interface Choice<T extends Target> {
  readonly target: T;
  readonly health: TargetHealth;
}

/** A smaller difference in cost is noise, and noise must not send all calls to one of two equal targets. */
const clearlyBetter = 0.8;

/** Keeps the health of all targets, and picks one for the next call. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #health = new Map<string, TargetHealth>();
  /** A target keeps its history when its upstream changes. */
  readonly #histories = new Map<string, CallHistory>();
  /** Histories of an earlier process, until their targets are asked for. */
  readonly #stored = new Map<string, CallHistorySnapshot>();
  /** The same by object: building the key of a target costs more than the whole choice. */
  #byTarget = new WeakMap<Target, TargetHealth>();
  /** Targets that get no calls because of their vectors, if any. */
  #excluded: ReadonlySet<Target> | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /**
   * The best healthy target of the lowest tier that has one, and if possible one that was not called yet. Undefined where
   * none is healthy and has capacity.
   *
   * @param called The targets that were called before for this request.
   */
  pick<T extends Target>(
    model: Pick<Model, "strategy"> & { readonly targets: readonly T[] },
    called: readonly Target[],
    demand: Demand,
  ): Choice<T> | undefined {
    const { strategy } = model;
    const targets = this.#included(model.targets);
    const [only] = targets;
    if (only !== undefined && targets.length === 1) return this.#pickOnly(only, demand);
    const choices = targets
      .map((target) => this.#choice(target))
      .filter(({ health }) => health.waitMs(demand) === 0);
    const healthy = choices.filter(({ health }) => health.isHealthy);
    // If every breaker is open, one of several targets is called all the same: it may have recovered.
    const lastResorts = choices.filter(({ health }) => health.isLastResort);
    const isFresh = ({ target }: Choice<T>) => !called.includes(target);
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

  #pickOnly<T extends Target>(target: T, demand: Demand): Choice<T> | undefined {
    const choice = this.#choice(target);
    return choice.health.isHealthy && choice.health.waitMs(demand) === 0 ? choice : undefined;
  }

  /** The shortest cooldown among the targets that were not called yet; 0 without one. */
  freshInMs(targets: readonly Target[], called: readonly Target[]): number {
    const cooldowns = this.#included(targets)
      .filter((target) => !called.includes(target))
      .map((target) => this.#choice(target).health.cooldownMs);
    return cooldowns.length === 0 ? 0 : Math.min(...cooldowns);
  }

  /** Time until a healthy target has capacity; undefined if none is healthy. */
  busyMs(targets: readonly Target[], demand: Demand): number | undefined {
    const healthy = this.healthOf(this.#included(targets)).filter(({ isHealthy }) => isHealthy);
    return healthy.length === 0 ? undefined : Math.min(...healthy.map((health) => health.waitMs(demand)));
  }

  /** Why each target is not called. */
  unavailableTargets(targets: readonly Target[]): UnavailableTarget[] {
    const now = this.#timeOfDay();
    return targets.map((target) => {
      const { health } = this.#choice(target);
      const reason = this.#excluded?.has(target) ? driftError() : health.unavailableReason;
      return { target, reason, skipped: skippedTarget(health.snapshot(), now) };
    });
  }

  healthOf(targets: readonly Target[]): TargetHealth[] {
    return targets.map((target) => this.#choice(target).health);
  }

  /** Takes the targets of a new configuration. Removed targets and changed upstreams lose their history. */
  adopt(targets: readonly Target[], changedUpstreams: ReadonlySet<string>): void {
    this.#byTarget = new WeakMap();
    const configured = new Map<string, Target>();
    for (const target of targets) {
      const key = targetKey(target);
      const same = configured.get(key);
      const capacity = same === undefined ? target.capacity : strictest(same.capacity, target.capacity);
      configured.set(key, { ...target, capacity });
    }
    for (const [key, health] of this.#health) {
      const target = configured.get(key);
      if (target === undefined || changedUpstreams.has(target.upstream)) this.#health.delete(key);
      else health.adopt(target);
    }
    for (const [key, history] of [...this.#histories]) {
      if (!configured.has(key)) this.#histories.delete(key);
      // A late failure of the old upstream must not count as downtime of the new one.
      else if (!this.#health.has(key)) this.#histories.set(key, this.#createHistory(history.snapshot()));
    }
  }

  /** Drops the history of targets that nothing refers to any more. */
  forget(targets: readonly Target[]): void {
    for (const target of targets) {
      this.#byTarget.delete(target);
      this.#health.delete(targetKey(target));
      this.#histories.delete(targetKey(target));
    }
  }

  /** Takes a signal of another replica. */
  receive(target: Target, signal: TargetSignal): void {
    this.#choice(target).health.receive(signal);
  }

  /** One snapshot for each target, even if several models share it. */
  snapshot(targets: readonly Target[]): TargetSnapshot[] {
    return [...new Set(this.healthOf(targets))].map((health) => health.snapshot());
  }

  /** The last 24 hours of each target, even if several models share it. */
  history(targets: readonly Target[]): TargetHistory[] {
    const distinct = new Map(targets.map((target) => [targetKey(target), target]));
    return [...distinct].map(([key, { upstream, model }]) => ({
      upstream,
      model,
      ...this.#historyOf(key).snapshot(),
    }));
  }

  /** Goes on with the histories that an earlier process has stored. */
  restoreHistory(stored: readonly TargetHistory[]): void {
    for (const history of stored) this.#stored.set(targetKey(history), history);
  }

  /** Takes the latest check of a target's vectors; undefined where they are not checked. */
  noteSpaceCheck(target: Target, check: SpaceCheck | undefined): void {
    this.#choice(target).health.noteSpaceCheck(check);
  }

  /**
   * Sets the targets that get no calls because of their vectors. Two models may share a target whose vectors are right
   * for only one of them: so this depends on the object, and not on the shared health.
   */
  exclude(targets: ReadonlySet<Target>): void {
    this.#excluded = targets.size === 0 ? undefined : targets;
  }

  /** Takes the result of one of the gateway's own calls, which bypass the scheduler. Undefined: it has succeeded. */
  noteOwnCall(target: Target, failure: GatewayError | undefined): void {
    this.#choice(target).health.noteOwnCall(failure);
  }

  /** Takes a target as one that works. Nothing happens where it was never called. */
  heal(target: Pick<Target, "upstream" | "model">): void {
    this.#health.get(targetKey(target))?.heal();
  }

  #included<T extends Target>(targets: readonly T[]): readonly T[] {
    const excluded = this.#excluded;
    return excluded === undefined ? targets : targets.filter((target) => !excluded.has(target));
  }

  #choose<T extends Target>(candidates: readonly Choice<T>[], strategy: Strategy): Choice<T> | undefined {
    if (candidates.length < 2 || strategy === "ordered") return candidates[0];
    if (strategy === "weighted") return this.#weightedRandom(candidates);
    return this.#powerOfTwoChoices(candidates);
  }

  #weightedRandom<T extends Target>(candidates: readonly Choice<T>[]): Choice<T> | undefined {
    const total = candidates.reduce((sum, { target }) => sum + target.weight, 0);
    let point = this.#options.random() * total;
    for (const candidate of candidates) {
      point -= candidate.target.weight;
      if (point < 0) return candidate;
    }
    return candidates.at(-1);
  }

  /**
   * Power of two choices: the cheaper of two random targets is nearly as good as the cheapest of all, and concurrent calls
   * do not all go to the same one. https://www.eecs.harvard.edu/~michaelm/postscripts/tpds2001.pdf
   */
  #powerOfTwoChoices<T extends Target>(candidates: readonly Choice<T>[]): Choice<T> | undefined {
    const first = Math.floor(this.#options.random() * candidates.length);
    const step = 1 + Math.floor(this.#options.random() * (candidates.length - 1));
    const [one, other] = [candidates[first], candidates[(first + step) % candidates.length]];
    if (one === undefined || other === undefined) return one ?? other;
    return other.health.cost < one.health.cost * clearlyBetter ? other : one;
  }

  #choice<T extends Target>(target: T): Choice<T> {
    const known = this.#byTarget.get(target);
    if (known !== undefined) return { target, health: known };
    // Models with the same target share one health record, and the stricter limits.
    const key = targetKey(target);
    const shared = this.#health.get(key);
    const health = shared ?? new TargetHealth(target, { ...this.#options, history: this.#historyOf(key) });
    if (shared === undefined) this.#health.set(key, health);
    else shared.restrict(target);
    this.#byTarget.set(target, health);
    return { target, health };
  }

  #historyOf(key: string): CallHistory {
    const known = this.#histories.get(key);
    if (known !== undefined) return known;
    const history = this.#createHistory(this.#stored.get(key));
    this.#stored.delete(key);
    this.#histories.set(key, history);
    return history;
  }

  #createHistory(stored?: CallHistorySnapshot): CallHistory {
    return new CallHistory(() => this.#timeOfDay(), stored);
  }

  #timeOfDay(): number {
    const { clock, timeOfDay = () => clock.now() } = this.#options;
    return timeOfDay();
  }
}
