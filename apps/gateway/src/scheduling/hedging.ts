import type { Hedge } from "../domain/model.js";

const samplesMax = 128;
/** With fewer, nobody knows yet what is slow. */
const samplesMin = 20;
const savingsMax = 10;

/** When a second target is asked beside a slow first one, and how often that may be. */
export class Hedging {
  readonly #settings: Hedge;
  readonly #samples: number[] = [];
  #next = 0;
  #percentileMs: number | undefined;
  #saved = 0;

  constructor(settings: Hedge) {
    this.#settings = settings;
  }

  /** How long a target may take before another one is asked; undefined while that is not known. */
  get afterMs(): number | undefined {
    return "afterMs" in this.#settings ? this.#settings.afterMs : this.#percentileMs;
  }

  onRequest(): void {
    this.#saved = Math.min(savingsMax, this.#saved + this.#settings.maxPercent / 100);
  }

  /** Whether one more hedge stays within its share of all requests; if so, it is spent. */
  trySpend(): boolean {
    // Sums of hundredths miss a whole number by a hair.
    if (this.#saved < 1 - 1e-9) return false;
    this.#saved -= 1;
    return true;
  }

  /** How long an answer took, hedged or not. */
  observe(latencyMs: number): void {
    if (!("percentile" in this.#settings)) return;
    this.#samples[this.#next] = latencyMs;
    this.#next = (this.#next + 1) % samplesMax;
    // Sorting costs more than it tells on every single answer.
    const isDue = this.#next % 16 === 0 || this.#percentileMs === undefined;
    if (!isDue || this.#samples.length < samplesMin) return;
    const sorted = [...this.#samples].sort((left, right) => left - right);
    this.#percentileMs = sorted[Math.floor((sorted.length * this.#settings.percentile) / 100)];
  }
}
