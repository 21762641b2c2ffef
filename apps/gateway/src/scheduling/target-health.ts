import type { Clock } from "../domain/clock.js";
import type { Target } from "../domain/model.js";
import { errorTable, GatewayError } from "../errors.js";
import { Capacity } from "./capacity.js";
import { type BreakerSettings, type BreakerState, CircuitBreaker } from "./circuit-breaker.js";
import type { TargetSignal, TellSignal } from "./target-signals.js";

const breakerSettings: BreakerSettings = {
  windowMs: 10_000,
  minVolume: 10,
  failureRate: 0.5,
  consecutiveFailures: 5,
  cautiousFailures: 2,
  openMs: 5000,
};
/** The cooldown of a target that refuses the gateway's credentials, does not know its model, or has no quota left. */
const misconfiguredMs = 30_000;
const defaultCooldownMs = 1000;
const cooldownMsMax = 60_000;
/** A shorter cooldown is over before other replicas hear of it. */
const toldCooldownMsMin = 1000;
/** Twice the time that a breaker is open: a target that stays away is told again before this ends. */
const toldOpenMs = 10_000;
/** How many times as costly a target is while another replica has seen it fail. */
const cautionCost = 4;

/** A target is `failing` while it gets calls and none has succeeded so far. */
export type TargetState =
  | "healthy"
  | "failing"
  | "cooling"
  | "misconfigured"
  | Exclude<BreakerState, "closed">;

export interface TargetStateChange {
  readonly target: Target;
  readonly previous: TargetState;
  readonly state: TargetState;
  /** The last failure of the target; undefined when it is healthy again. */
  readonly failure: GatewayError | undefined;
  /** How long it gets no calls; 0 if it gets some. */
  readonly pauseMs: number;
  /** How long ago it was healthy. */
  readonly unhealthyMs: number;
}

/** Called when a target changes its state. A change that comes with time is seen at the next call. */
export type OnTargetStateChange = (change: TargetStateChange) => void;

/** The state of a target, as the admin API and the metrics show it. */
export interface TargetSnapshot {
  readonly upstream: string;
  readonly model: string;
  readonly state: TargetState;
  readonly inFlight: number;
  readonly latencyMs: number;
  readonly lastError: { readonly code: string; readonly message: string; readonly ageMs: number } | null;
}

export interface TargetHealthOptions {
  readonly clock: Clock;
  readonly onStateChange?: OnTargetStateChange | undefined;
  /** Tells other replicas what this one has found out. */
  readonly tell?: TellSignal | undefined;
}

/** Why a target is not called for a time. */
interface Cooldown {
  readonly until: number;
  readonly failure: GatewayError;
}

/**
 * The health of one target: its circuit breaker, its cooldown, its latency and its free capacity. A target is in
 * cooldown after it throttled a call or refused the gateway itself: it is not called until the cooldown is over.
 */
export class TargetHealth {
  #target: Target;
  readonly #clock: Clock;
  readonly #onStateChange: OnTargetStateChange | undefined;
  readonly #tell: TellSignal | undefined;
  readonly #breaker: CircuitBreaker;
  readonly #latency: PeakEwma;
  readonly #capacity: Capacity;
  #inFlight = 0;
  #cooldown: Cooldown | undefined;
  #lastFailure: GatewayError | undefined;
  #failedAt = 0;
  #hasSucceeded = false;
  /** The state that was reported last. */
  #reported: TargetState = "healthy";
  #unhealthySince = 0;

  constructor(target: Target, { clock, onStateChange, tell }: TargetHealthOptions) {
    this.#target = target;
    this.#clock = clock;
    this.#onStateChange = onStateChange;
    this.#tell = tell;
    this.#breaker = new CircuitBreaker(clock, breakerSettings);
    this.#latency = new PeakEwma(clock);
    this.#capacity = new Capacity(target.capacity, clock);
  }

  /** Takes new settings for the same upstream and model. Its history stays. */
  adopt(target: Target): void {
    this.#target = target;
    this.#capacity.change(target.capacity);
  }

  get isHealthy(): boolean {
    return this.cooldownMs === 0 && this.#breaker.allows;
  }

  /** What is left of its cooldown. */
  get cooldownMs(): number {
    return this.#cooldown === undefined ? 0 : Math.max(0, this.#cooldown.until - this.#clock.now());
  }

  /** Whether it may be called when no target is healthy: its breaker may be open, but it is not in cooldown. */
  get isLastResort(): boolean {
    return this.cooldownMs === 0;
  }

  /** How long until it has capacity for a call of this size; 0 if it has now. */
  waitMs(tokens: number): number {
    return this.#capacity.waitMs(tokens);
  }

  /**
   * The expected cost of one more call: latency × calls in flight ÷ weight. The success rate counts squared, since a
   * failed call costs its own time and a retry. Otherwise a target that fails often, but not often enough to open its
   * breaker, would keep its share.
   */
  get cost(): number {
    const successRate = 1 - this.#breaker.failureRate;
    const costOfCall = (this.#latency.ms + 1) / Math.max(0.01, successRate * successRate);
    const caution = this.#breaker.isCautious ? cautionCost : 1;
    return (costOfCall * caution * (this.#inFlight + 1)) / this.#target.weight;
  }

  /** Why it is not called, for a caller without another target: the failure behind the cooldown, or the open breaker. */
  get unavailableReason(): GatewayError {
    const { cooldownMs } = this;
    const retryAfterMs = Math.max(1, cooldownMs, this.#breaker.openUntil - this.#clock.now());
    const cause = this.#cooldown?.failure;
    if (cause !== undefined && cooldownMs > 0)
      return new GatewayError(cause.code, cause.message, { retryAfterMs, nothingBilled: true });
    return new GatewayError(
      "upstream_unavailable",
      "The upstream has failed too often. The gateway will call it again in a moment.",
      { retryAfterMs, nothingBilled: true },
    );
  }

  /**
   * Another replica has found out something. A pause that the upstream asked for holds for all replicas. A breaker that
   * opened elsewhere is a hint only: the target is less preferred and needs fewer failures here.
   */
  hear({ kind, ms }: TargetSignal): void {
    if (kind === "opened") this.#breaker.warn(ms);
    if (kind !== "cooldown" || ms <= this.cooldownMs) return;
    this.#cool(
      ms,
      new GatewayError(
        "rate_limit_exceeded",
        "The upstream asked another replica of the gateway for a pause.",
      ),
    );
    this.#reportState();
  }

  /** Takes a slot for one call. */
  begin(tokens: number): Lease {
    const startedAt = this.#clock.now();
    this.#inFlight += 1;
    this.#capacity.acquire(tokens);
    this.#breaker.begin();
    if (this.#reported !== "healthy") this.#reportState();
    let isReleased = false;
    return {
      release: (result) => {
        if (isReleased) return;
        isReleased = true;
        this.#inFlight -= 1;
        this.#capacity.release();
        this.#record(result, this.#clock.now() - startedAt);
        // Only a failure ends the state healthy, so a success of a healthy target costs one comparison.
        if (result.failure !== undefined || this.#reported !== "healthy") this.#reportState();
      },
    };
  }

  snapshot(): TargetSnapshot {
    const failure = this.#lastFailure;
    const ageMs = this.#clock.now() - this.#failedAt;
    return {
      upstream: this.#target.upstream,
      model: this.#target.model,
      state: this.#state,
      inFlight: this.#inFlight,
      latencyMs: Math.round(this.#latency.ms * 10) / 10,
      lastError: failure === undefined ? null : { code: failure.code, message: failure.message, ageMs },
    };
  }

  get #state(): TargetState {
    const breaker = this.#breaker.state;
    const failure = this.#lastFailure;
    if (this.#cooldown !== undefined && this.cooldownMs > 0)
      return isMisconfigured(this.#cooldown.failure) ? "misconfigured" : "cooling";
    if (breaker !== "closed") return breaker;
    if (failure === undefined || this.#hasSucceeded) return "healthy";
    // Without a success since, nothing says that the configuration was corrected.
    return isMisconfigured(failure) ? "misconfigured" : "failing";
  }

  #reportState(): void {
    const [state, previous] = [this.#state, this.#reported];
    if (state === previous) return;
    const now = this.#clock.now();
    if (previous === "healthy") this.#unhealthySince = now;
    this.#reported = state;
    this.#onStateChange?.({
      target: this.#target,
      previous,
      state,
      failure: state === "healthy" ? undefined : this.#currentFailure,
      pauseMs: Math.max(this.cooldownMs, this.#breaker.openUntil - now),
      unhealthyMs: now - this.#unhealthySince,
    });
  }

  get #currentFailure(): GatewayError | undefined {
    return this.cooldownMs > 0 ? this.#cooldown?.failure : this.#lastFailure;
  }

  #cool(ms: number, failure: GatewayError): void {
    this.#cooldown = { until: this.#clock.now() + Math.min(ms, cooldownMsMax), failure };
  }

  #record({ failure, isAbandoned = false, isHedgeLost = false }: AttemptResult, latencyMs: number): void {
    // It would have taken at least this long, so the latency counts although the call was aborted.
    if (isHedgeLost) this.#latency.observe(latencyMs);
    if (isAbandoned) return this.#breaker.abandon();
    const isOwnFault = failure instanceof GatewayError && errorTable[failure.code].retry !== "never";
    // An error caused by the caller proves that the target works.
    if (!isOwnFault) {
      this.#hasSucceeded = true;
      this.#latency.observe(latencyMs);
      this.#breaker.succeed();
      return;
    }
    this.#lastFailure = failure;
    this.#failedAt = this.#clock.now();
    if (isMisconfigured(failure)) this.#hasSucceeded = false;
    if (failure.code === "rate_limit_exceeded" || isMisconfigured(failure)) {
      const cooldownMs = isMisconfigured(failure)
        ? misconfiguredMs
        : (failure.retryAfterMs ?? defaultCooldownMs);
      this.#cool(cooldownMs, failure);
      this.#breaker.abandon();
      // What only concerns this gateway's own key is not told: a replica with an old key must not stop the others.
      if (!isMisconfigured(failure) && cooldownMs > toldCooldownMsMin)
        this.#tell?.(this.#target, { kind: "cooldown", ms: this.cooldownMs });
      return;
    }
    this.#latency.observe(latencyMs);
    this.#breaker.fail();
    if (this.#breaker.state === "open") this.#tell?.(this.#target, { kind: "opened", ms: toldOpenMs });
  }
}

export interface AttemptResult {
  readonly failure?: unknown;
  /** Whether the call was aborted: then its failure tells nothing about the target. */
  readonly isAbandoned?: boolean;
  /** Whether it was aborted because a hedged call to another target was faster. */
  readonly isHedgeLost?: boolean;
}

/** A slot on a target for one call. Only the first release counts. */
export interface Lease {
  readonly release: (result: AttemptResult) => void;
}

function isMisconfigured({ code }: GatewayError): boolean {
  return code === "upstream_auth_error" || code === "upstream_model_missing" || code === "insufficient_quota";
}

/** The time constant of the average: the weight of an observation falls to 1/e in this time. */
const decayMs = 10_000;

/**
 * An exponentially weighted moving average (EWMA) of latency that follows peaks at once and forgets them slowly. It also
 * decays without observations, so that a target that was slow is called again.
 */
export class PeakEwma {
  readonly #clock: Clock;
  #value = 0;
  #observedAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get ms(): number {
    return this.#value * Math.exp(-(this.#clock.now() - this.#observedAt) / decayMs);
  }

  observe(latencyMs: number): void {
    const now = this.#clock.now();
    const weight = Math.exp(-(now - this.#observedAt) / decayMs);
    this.#value = latencyMs > this.#value ? latencyMs : this.#value * weight + latencyMs * (1 - weight);
    this.#observedAt = now;
  }
}
