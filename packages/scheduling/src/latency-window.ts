import type { LatencySummary } from "./target-state.js";

const samplesMax = 128;

/** The latencies of the last successful calls. */
export class LatencyWindow {
  readonly #samples = new Float64Array(samplesMax);
  #count = 0;
  #next = 0;
  #observedAt = 0;
  /** Empty where a sample has come since the last sort. */
  #sorted = new Float64Array();

  get size(): number {
    return this.#count;
  }

  /** @param now When the call ended, by the caller's clock. */
  observe(latencyMs: number, now = 0): void {
    this.#samples[this.#next] = latencyMs;
    this.#next = (this.#next + 1) % samplesMax;
    this.#count = Math.min(samplesMax, this.#count + 1);
    this.#observedAt = now;
    if (this.#sorted.length > 0) this.#sorted = new Float64Array();
  }

  /** From 0 to 100; undefined without samples. */
  percentile(percent: number): number | undefined {
    // A probe without a key may ask for it, so samples that were sorted are not sorted again.
    if (this.#sorted.length === 0) this.#sorted = this.#samples.slice(0, this.#count).sort();
    return this.#sorted[Math.floor((this.#count * percent) / 100)];
  }

  /** Null without samples. */
  summary(now: number): LatencySummary | null {
    const [p50Ms, p95Ms] = [this.percentile(50), this.percentile(95)];
    if (p50Ms === undefined || p95Ms === undefined) return null;
    return { p50Ms, p95Ms, calls: this.#count, ageMs: now - this.#observedAt };
  }
}
