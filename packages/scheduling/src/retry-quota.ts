import { countedAs, type Model } from "@model-gateway/domain/model";

/** Number of retries that may fail, or be in flight, before successes refill the quota. */
export const retryQuotaMax = 500;
/** So many successful requests refill the quota by one retry. */
export const successesPerRetry = 5;

/**
 * Bounds the load that retries add, so that they cannot multiply an outage. A retry takes one from the quota and a
 * successful one gives it back, so failover to a healthy target is free and only failed retries are rationed. A request
 * that succeeds without a retry refills a fifth. This is the standard retry mode of the AWS SDKs:
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 */
export class RetryQuota {
  /** In fifths of a retry, because a sum of fractions is not exact. */
  #balance = retryQuotaMax * successesPerRetry;

  /** Takes one retry from the quota, if there is one left. */
  tryTake(): boolean {
    if (this.#balance < successesPerRetry) return false;
    this.#balance -= successesPerRetry;
    return true;
  }

  /** After a retry that succeeded. */
  giveBack(): void {
    this.#add(successesPerRetry);
  }

  /** After a request that succeeded without a retry. */
  refill(): void {
    this.#add(1);
  }

  #add(amount: number): void {
    this.#balance = Math.min(retryQuotaMax * successesPerRetry, this.#balance + amount);
  }
}

/** One quota for each model: an outage of one model does not use up the retries of another. */
export class RetryQuotas {
  readonly #quotas = new Map<string, RetryQuota>();

  of(model: Pick<Model, "id" | "pattern">): RetryQuota {
    const id = countedAs(model);
    const known = this.#quotas.get(id);
    if (known !== undefined) return known;
    const quota = new RetryQuota();
    this.#quotas.set(id, quota);
    return quota;
  }
}
