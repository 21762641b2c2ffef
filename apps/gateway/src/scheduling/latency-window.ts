const samplesMax = 128;

/** The latencies of the last successful calls. */
export class LatencyWindow {
  readonly #samples: number[] = [];
  #next = 0;

  get size(): number {
    return this.#samples.length;
  }

  observe(latencyMs: number): void {
    this.#samples[this.#next] = latencyMs;
    this.#next = (this.#next + 1) % samplesMax;
  }

  /** The latencies at these percentiles, from 0 to 100. Sorts the samples: not for every call. */
  percentiles(...percentiles: readonly number[]): (number | undefined)[] {
    const sorted = this.#samples.toSorted((left, right) => left - right);
    return percentiles.map((percentile) => sorted[Math.floor((sorted.length * percentile) / 100)]);
  }
}
