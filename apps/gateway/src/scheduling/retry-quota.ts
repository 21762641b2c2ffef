/** The share of requests that may be tried again. */
const share = 0.2;
const reserve = 10;
const savingsMax = 100;

/**
 * Bounds the load that retries add: every request saves a fifth of a retry. While upstreams are down the savings run
 * out, and what would multiply the outage does not happen. A small reserve lets a quiet gateway retry.
 */
export class RetryQuota {
  #saved = reserve;

  onRequest(): void {
    this.#saved = Math.min(savingsMax, this.#saved + share);
  }

  /** Whether there is enough for one more retry; if so, it is spent. */
  trySpend(): boolean {
    if (this.#saved < 1) return false;
    this.#saved -= 1;
    return true;
  }
}
