import type { Clock } from "@model-gateway/runtime/clock";

/** The time constant of the average: the weight of an observation falls to 1/e in this time. */
const decayMs = 10_000;

/**
 * An exponentially weighted moving average (EWMA) of latency that follows peaks at once and forgets them slowly. It
 * decays even without observations, so that a slow target is called again.
 */
export class PeakEwma {
  readonly #clock: Clock;
  #value = 0;
  #observedAt = 0;
  #isEmpty = true;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get ms(): number {
    return this.#value * Math.exp(-(this.#clock.now() - this.#observedAt) / decayMs);
  }

  /** Whether nothing was observed yet. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  observe(latencyMs: number): void {
    const now = this.#clock.now();
    const weight = Math.exp(-(now - this.#observedAt) / decayMs);
    this.#value = latencyMs > this.#value ? latencyMs : this.#value * weight + latencyMs * (1 - weight);
    this.#observedAt = now;
    this.#isEmpty = false;
  }
}
