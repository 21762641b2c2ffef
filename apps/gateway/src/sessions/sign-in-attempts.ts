import { LRUCache } from "lru-cache";
import { GatewayError } from "../errors.js";

const freeFailures = 5;
const firstWaitMs = 1000;
const waitMsMax = 60_000;
const addressesMax = 10_000;
/** Failures are forgotten after this time without another. */
const forgetMs = 10 * 60_000;

interface Failures {
  readonly count: number;
  /** No attempt is taken before this time. */
  readonly until: number;
}

/** Slows down callers that try key after key: after five failures from one address, each attempt has to wait longer. */
export class SignInAttempts {
  readonly #now: () => number;
  readonly #failures: LRUCache<string, Failures>;

  /** @param now Milliseconds of the monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
    this.#failures = new LRUCache({ max: addressesMax, ttl: forgetMs, perf: { now } });
  }

  /** Throws while the address has to wait. Also a right key is refused then, so that a refusal tells nothing. */
  check(address: string): void {
    const waitMs = (this.#failures.get(address)?.until ?? 0) - this.#now();
    if (waitMs <= 0) return;
    throw new GatewayError(
      "rate_limit_exceeded",
      `There were too many attempts with a wrong key. Try again in ${Math.ceil(waitMs / 1000)} s.`,
      { retryAfterMs: waitMs },
    );
  }

  fail(address: string): void {
    const count = (this.#failures.get(address)?.count ?? 0) + 1;
    const waitMs = count < freeFailures ? 0 : Math.min(waitMsMax, firstWaitMs * 2 ** (count - freeFailures));
    this.#failures.set(address, { count, until: waitMs === 0 ? 0 : this.#now() + waitMs });
  }

  succeed(address: string): void {
    this.#failures.delete(address);
  }
}
