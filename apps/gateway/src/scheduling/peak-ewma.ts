import type { Clock } from "./clock.js";

/** How long ago a latency was seen for it to count for a third of what it did. */
const decayMs = 10_000;

/**
 * A moving average of latency that follows peaks at once and forgets them slowly. What has not been seen for long fades,
 * so that a target that was slow is tried again.
 */
export class PeakEwma {
  readonly #clock: Clock;
  #value = 0;
  #seenAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get ms(): number {
    return this.#value * Math.exp(-(this.#clock.now() - this.#seenAt) / decayMs);
  }

  observe(latencyMs: number): void {
    const now = this.#clock.now();
    const weight = Math.exp(-(now - this.#seenAt) / decayMs);
    this.#value = latencyMs > this.#value ? latencyMs : this.#value * weight + latencyMs * (1 - weight);
    this.#seenAt = now;
  }
}
