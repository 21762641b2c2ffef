const retriesPerRequest = 0.2;
const reserve = 10;
const balanceMax = 100;

/**
 * Bounds the load that retries add, so that they cannot multiply an outage: a token bucket that each request fills by a
 * fifth of a retry, and each retry empties by one. The initial reserve lets a gateway with little traffic retry.
 */
export class RetryQuota {
  #balance = reserve;

  onRequest(): void {
    this.#balance = Math.min(balanceMax, this.#balance + retriesPerRequest);
  }

  /** Whether one more retry is within the quota; if so, it is spent. */
  trySpend(): boolean {
    if (this.#balance < 1) return false;
    this.#balance -= 1;
    return true;
  }
}
