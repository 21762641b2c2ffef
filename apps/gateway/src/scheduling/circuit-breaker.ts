import type { Clock } from "./clock.js";

export interface BreakerSettings {
  /** How far back it looks. */
  readonly windowMs: number;
  /** How many calls there must have been before it judges. */
  readonly minVolume: number;
  /** The share of failures at which it opens. */
  readonly failureRate: number;
  /** How many failures one after the other open it, whatever was before. */
  readonly failuresInARow: number;
  /** How long it stays open before one call may try. */
  readonly openMs: number;
}

export type BreakerState = "closed" | "open" | "half-open";

interface Outcome {
  readonly at: number;
  readonly failed: boolean;
}

/** Keeps calls away from a target that fails, and lets one through now and then to see whether it has recovered. */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #settings: BreakerSettings;
  #outcomes: Outcome[] = [];
  #openedAt: number | undefined;
  #isProbing = false;

  constructor(clock: Clock, settings: BreakerSettings) {
    this.#clock = clock;
    this.#settings = settings;
  }

  get state(): BreakerState {
    if (this.#openedAt === undefined) return "closed";
    return this.#clock.now() - this.#openedAt < this.#settings.openMs ? "open" : "half-open";
  }

  /** Whether a call may be made now. */
  get allows(): boolean {
    return this.state === "closed" || (this.state === "half-open" && !this.#isProbing);
  }

  /** When the next call may be made. */
  get opensUntil(): number {
    return this.#openedAt === undefined ? 0 : this.#openedAt + this.#settings.openMs;
  }

  begin(): void {
    if (this.state === "half-open") this.#isProbing = true;
  }

  succeed(): void {
    if (this.#openedAt !== undefined) this.#outcomes = [];
    this.#openedAt = undefined;
    this.#isProbing = false;
    this.#record(false);
  }

  fail(): void {
    this.#isProbing = false;
    this.#record(true);
    if (this.#openedAt !== undefined || this.#isBad()) this.#openedAt = this.#clock.now();
  }

  /** A call that was given up says nothing of the target. */
  abandon(): void {
    this.#isProbing = false;
  }

  #record(failed: boolean): void {
    const now = this.#clock.now();
    this.#outcomes.push({ at: now, failed });
    const since = now - this.#settings.windowMs;
    const first = this.#outcomes.findIndex(({ at }) => at > since);
    const excess = this.#outcomes.length - outcomesMax;
    this.#outcomes.splice(0, Math.max(first, excess, 0));
  }

  #isBad(): boolean {
    const { minVolume, failureRate, failuresInARow } = this.#settings;
    const last = this.#outcomes.slice(-failuresInARow);
    if (last.length === failuresInARow && last.every(({ failed }) => failed)) return true;
    const failures = this.#outcomes.filter(({ failed }) => failed).length;
    return this.#outcomes.length >= minVolume && failures / this.#outcomes.length >= failureRate;
  }
}

const outcomesMax = 1000;
