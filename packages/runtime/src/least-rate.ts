import type { Clock } from "./clock.js";

export interface RequiredRate {
  readonly bytesPerSecond: number;
  /** The rate is an average over so long: a shorter pause is allowed. */
  readonly windowMs: number;
}

/** A look this often is enough for a window. */
const samplesPerWindow = 6;

/**
 * Whether the other end of a connection sends or reads at a least rate. It is looked at now and then: a timer for each
 * chunk would cost more than the chunk.
 */
export class LeastRate {
  readonly #rate: RequiredRate;
  readonly #clock: Pick<Clock, "now">;
  readonly #samples: { readonly ms: number; readonly bytes: number }[];
  /** Only time in which the other end is at fault counts. */
  #ms = 0;
  #lookedAt: number;

  /** @param bytes Number of bytes that had passed when this begins. */
  constructor(rate: RequiredRate, clock: Pick<Clock, "now">, bytes = 0) {
    this.#rate = rate;
    this.#clock = clock;
    this.#lookedAt = clock.now();
    this.#samples = [{ ms: 0, bytes }];
  }

  /**
   * Returns whether fewer bytes than the rate asks for passed in the window that ends now.
   * @param bytes All bytes that have passed.
   * @param isCounted Whether the time since the last look counts. It does not where the gateway was what was slow.
   */
  isBelow(bytes: number, isCounted = true): boolean {
    const { bytesPerSecond, windowMs } = this.#rate;
    const now = this.#clock.now();
    if (isCounted) this.#ms += now - this.#lookedAt;
    this.#lookedAt = now;
    const [first] = this.#startOfWindow();
    const ms = this.#ms - first.ms;
    const isBelow = ms >= windowMs && (bytes - first.bytes) * 1000 < bytesPerSecond * windowMs;
    const last = this.#samples.at(-1) ?? first;
    if (this.#ms - last.ms >= windowMs / samplesPerWindow) this.#samples.push({ ms: this.#ms, bytes });
    return isBelow;
  }

  /** Forgets samples that are older than needed. */
  #startOfWindow() {
    const samples = this.#samples;
    const startMs = this.#ms - this.#rate.windowMs;
    while ((samples[1]?.ms ?? Infinity) <= startMs) samples.shift();
    return samples as [(typeof samples)[number]];
  }
}
