import type { Clock } from "../domain/clock.js";
import type { Target } from "../domain/model.js";
import { errorTable, GatewayError } from "../errors.js";
import { Capacity } from "./capacity.js";
import { type BreakerSettings, type BreakerState, CircuitBreaker } from "./circuit-breaker.js";

const breakerSettings: BreakerSettings = {
  windowMs: 10_000,
  minVolume: 10,
  failureRate: 0.5,
  failuresInARow: 5,
  openMs: 5000,
};
/** How long a target is left alone that refuses our key or does not know its model. */
const misconfiguredMs = 30_000;
const cooldownMsMax = 60_000;

/** What is known of a target now. */
export interface TargetSnapshot {
  readonly upstream: string;
  readonly model: string;
  readonly state: "healthy" | "cooling" | "misconfigured" | Exclude<BreakerState, "closed">;
  readonly inFlight: number;
  readonly latencyMs: number;
  readonly lastError: string | null;
}

/** How a target has done lately: how fast, how often it failed, and whether it asked to be left alone. */
export class TargetHealth {
  #target: Target;
  readonly #clock: Clock;
  readonly #breaker: CircuitBreaker;
  readonly #latency: PeakEwma;
  readonly #capacity: Capacity;
  #inFlight = 0;
  #restsUntil = 0;
  #lastFailure: GatewayError | undefined;

  constructor(target: Target, clock: Clock) {
    this.#target = target;
    this.#clock = clock;
    this.#breaker = new CircuitBreaker(clock, breakerSettings);
    this.#latency = new PeakEwma(clock);
    this.#capacity = new Capacity(target.capacity, clock);
  }

  /** The same place, of which the operator now says something else. */
  adopt(target: Target): void {
    this.#target = target;
    this.#capacity.change(target.capacity);
  }

  get isHealthy(): boolean {
    return this.#clock.now() >= this.#restsUntil && this.#breaker.allows;
  }

  /** For how long it is to be left alone. */
  get restMs(): number {
    return Math.max(0, this.#restsUntil - this.#clock.now());
  }

  /** Whether it may be asked when nobody else is left: it fails, but it has not asked to be left alone. */
  get isLastResort(): boolean {
    return this.restMs === 0;
  }

  /** How long until a call of so many tokens has room here; 0 where it has. */
  waitMs(tokens: number): number {
    return this.#capacity.waitMs(tokens);
  }

  /**
   * What one more call would cost here: the time calls take, for each that is under way, by the share it shall have. A
   * call that fails costs that time and another call, so that failures weigh twice: a target that fails often, but not
   * so often that it is left alone, would else use up what all may try again.
   */
  get cost(): number {
    const successShare = 1 - this.#breaker.failureShare;
    const costOfCall = (this.#latency.ms + 1) / Math.max(0.01, successShare * successShare);
    return (costOfCall * (this.#inFlight + 1)) / this.#target.weight;
  }

  /** Why it is left alone, as an error for whoever has nowhere else to go. */
  get unavailableReason(): GatewayError {
    const until = Math.max(this.#restsUntil, this.#breaker.opensUntil);
    const retryAfterMs = Math.max(1, until - this.#clock.now());
    const last = this.#lastFailure;
    const isTold = last !== undefined && this.#clock.now() < this.#restsUntil;
    return isTold
      ? new GatewayError(last.code, last.message, { retryAfterMs, nothingMade: true })
      : new GatewayError(
          "upstream_unavailable",
          "The upstream has failed too often and is left alone for a moment.",
          {
            retryAfterMs,
            nothingMade: true,
          },
        );
  }

  begin(tokens: number): Lease {
    const startedAt = this.#clock.now();
    this.#inFlight += 1;
    this.#capacity.take(tokens);
    this.#breaker.begin();
    let isOver = false;
    return {
      release: (outcome) => {
        if (isOver) return;
        isOver = true;
        this.#inFlight -= 1;
        this.#capacity.giveBack();
        this.#judge(outcome, this.#clock.now() - startedAt);
      },
    };
  }

  snapshot(): TargetSnapshot {
    const breaker = this.#breaker.state;
    const isResting = this.#clock.now() < this.#restsUntil;
    const resting =
      this.#lastFailure !== undefined && isMisconfigured(this.#lastFailure) ? "misconfigured" : "cooling";
    return {
      upstream: this.#target.upstream,
      model: this.#target.model,
      state: isResting ? resting : breaker === "closed" ? "healthy" : breaker,
      inFlight: this.#inFlight,
      latencyMs: Math.round(this.#latency.ms * 10) / 10,
      lastError: this.#lastFailure?.code ?? null,
    };
  }

  #judge({ failure, isAbandoned = false, isHedgeLost = false }: AttemptResult, latencyMs: number): void {
    // It would have taken at least this long.
    if (isHedgeLost) this.#latency.observe(latencyMs);
    if (isAbandoned) return this.#breaker.abandon();
    const isOwnFault = failure instanceof GatewayError && errorTable[failure.code].retry !== "never";
    // A caller's mistake was answered as fast and as well as anything else.
    if (!isOwnFault) {
      this.#latency.observe(latencyMs);
      this.#breaker.succeed();
      return;
    }
    this.#lastFailure = failure;
    if (failure.code === "rate_limit_exceeded" || isMisconfigured(failure)) {
      const restMs = isMisconfigured(failure) ? misconfiguredMs : (failure.retryAfterMs ?? 1000);
      this.#restsUntil = this.#clock.now() + Math.min(restMs, cooldownMsMax);
      this.#breaker.abandon();
      return;
    }
    this.#latency.observe(latencyMs);
    this.#breaker.fail();
  }
}

export interface AttemptResult {
  readonly failure?: unknown;
  /** Whether the caller left before anything could be said of the target. */
  readonly isAbandoned?: boolean;
  /** Whether another target was asked beside it and was faster. */
  readonly isHedgeLost?: boolean;
}

/** A place on a target; given back exactly once, with what came of it. */
export interface Lease {
  readonly release: (outcome: AttemptResult) => void;
}

function isMisconfigured({ code }: GatewayError): boolean {
  return code === "upstream_auth_error" || code === "upstream_model_missing" || code === "insufficient_quota";
}

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
