import { errorOf, errorTable, GatewayError } from "@model-gateway/domain/errors";
import type { Target } from "@model-gateway/domain/model";
import type { Clock } from "@model-gateway/runtime/clock";
import type { CallHistory } from "./call-history.js";
import { Capacity, type Demand } from "./capacity.js";
import { type BreakerSettings, CircuitBreaker } from "./circuit-breaker.js";
import { LatencyWindow } from "./latency-window.js";
import { PeakEwma } from "./peak-ewma.js";
import type { PublishSignal, TargetSignal } from "./target-signals.js";
import type {
  OnTargetStateChange,
  ReportedState,
  SpaceCheck,
  TargetSnapshot,
  TargetState,
} from "./target-state.js";

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
/** A shorter cooldown is over before other replicas could receive it. */
const publishedCooldownMsMin = 1000;
/** Twice the time that a breaker is open: the open state of a target that stays down is re-sent before this ends. */
const publishedOpenMs = 10_000;
/** Only an operator can end a drift, so a caller need not retry soon. */
const driftRetryMs = 60_000;
/** Cost factor of a target while another replica has seen it fail. */
const cautionCost = 4;

interface TargetHealthOptions {
  readonly clock: Clock;
  readonly onStateChange?: OnTargetStateChange | undefined;
  /** Publishes signals to other replicas. */
  readonly publish?: PublishSignal | undefined;
  /** Its calls of the last 24 hours. */
  readonly history: CallHistory;
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
  readonly #publish: PublishSignal | undefined;
  readonly #breaker: CircuitBreaker;
  /** The fading average that the choice of a target is based on. */
  readonly #latency: PeakEwma;
  readonly #successes = new LatencyWindow();
  readonly #history: CallHistory;
  readonly #capacity: Capacity;
  #inFlight = 0;
  #cooldown: Cooldown | undefined;
  #spaceCheck: SpaceCheck | undefined;
  #lastFailure: GatewayError | undefined;
  #failedAt = 0;
  /** Failed calls since the last success. */
  #failures = 0;
  /** Whether a call has succeeded since the last failure that puts the target in doubt. */
  #isProven = false;
  /** The state that was reported last. */
  #reported: ReportedState = "healthy";
  #unhealthySince = 0;

  constructor(target: Target, { clock, onStateChange, publish, history }: TargetHealthOptions) {
    this.#target = target;
    this.#clock = clock;
    this.#history = history;
    this.#onStateChange = onStateChange;
    this.#publish = publish;
    this.#breaker = new CircuitBreaker(clock, breakerSettings);
    this.#latency = new PeakEwma(clock);
    this.#capacity = new Capacity(target.capacity, clock);
  }

  /** Takes new settings for the same upstream and model. Its history stays. */
  adopt(target: Target): void {
    this.#target = target;
    this.#capacity.change(target.capacity);
  }

  restrict({ capacity }: Target): void {
    this.#capacity.restrict(capacity);
  }

  get isHealthy(): boolean {
    return this.cooldownMs === 0 && this.#breaker.allows;
  }

  /** The remaining cooldown. */
  get cooldownMs(): number {
    return this.#cooldown === undefined ? 0 : Math.max(0, this.#cooldown.until - this.#clock.now());
  }

  /** Whether it may be called when no target is healthy: its breaker may be open, but it is not in cooldown. */
  get isLastResort(): boolean {
    return this.cooldownMs === 0;
  }

  /** Time until it has capacity for a call of this size; 0 if it has now. */
  waitMs(demand: Demand): number {
    return this.#capacity.waitMs(demand);
  }

  /** Whether a bulk call could run beside those in flight. Otherwise none is held up by interactive calls. */
  get hasRoomForBulk(): boolean {
    return !this.#capacity.isBulkShareFull;
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
      return new GatewayError(cause.code, cause.message, {
        forOperators: cause.forOperators,
        retryAfterMs,
        nothingBilled: true,
      });
    return new GatewayError(
      "upstream_unavailable",
      "The upstream has failed too often. The gateway will call it again in a moment.",
      { retryAfterMs, nothingBilled: true },
    );
  }

  /**
   * Takes another replica's signal. A pause that the upstream requested holds for all replicas. A breaker that opened
   * elsewhere is a hint only: the target is less preferred and needs fewer failures here.
   */
  receive({ kind, ms }: TargetSignal): void {
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

  /** A call to it has succeeded somewhere: it is called again at once, whatever it was paused for. */
  heal(): void {
    this.#cooldown = undefined;
    this.#isProven = true;
    this.#failures = 0;
    this.#breaker.succeed();
    if (this.#reported !== "healthy") this.#reportState();
  }

  /**
   * Takes the result of one of the gateway's own calls, which are not sent through here and not counted as traffic. A
   * failure puts the target in doubt until a call succeeds. The breaker and the cooldown stay as they are: only the calls
   * that they guard count. An error for which the target is not to blame says nothing about it.
   */
  noteOwnCall(failure: GatewayError | undefined): void {
    if (failure !== undefined && !isFaultOfTarget(failure)) return;
    if (failure === undefined) {
      this.#failures = 0;
      this.#history.prove();
    } else {
      this.#noteFailure(failure);
      this.#history.explain(describeTargetFailure(failure));
    }
    this.#isProven = failure === undefined;
    this.#reportState();
  }

  /** Takes the result of the last vector check; undefined if vectors are not checked. */
  noteSpaceCheck(check: SpaceCheck | undefined): void {
    this.#spaceCheck = check;
    this.#reportState();
  }

  /** Takes a slot for one call. */
  begin(demand: Demand): Lease {
    const startedAt = this.#clock.now();
    this.#inFlight += 1;
    this.#capacity.acquire(demand);
    this.#breaker.begin();
    if (this.#reported !== "healthy") this.#reportState();
    let isReleased = false;
    return {
      release: (result) => {
        if (isReleased) return;
        isReleased = true;
        this.#inFlight -= 1;
        this.#capacity.release(demand);
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
      provenMs: this.#history.provenMs(this.#spaceCheck?.checkedAt),
      unhealthyMs: reportedState(this.#state) === "healthy" ? null : this.#clock.now() - this.#unhealthySince,
      failures: this.#failures,
      inFlight: this.#inFlight,
      averageLatencyMs: this.#latency.isEmpty ? null : this.#latency.ms,
      latency: this.#successes.summary(this.#clock.now()),
      lastError: failure === undefined ? null : { ...describeTargetFailure(failure), ageMs },
      pausedMs: this.#pausedMs,
      spaceCheck: this.#spaceCheck ?? null,
    };
  }

  get #pausedMs(): number {
    return Math.max(this.cooldownMs, this.#breaker.openUntil - this.#clock.now(), 0);
  }

  get #state(): TargetState {
    const breaker = this.#breaker.state;
    const failure = this.#lastFailure;
    // Without calls, its breaker and its cooldown say nothing any more.
    if (this.#spaceCheck?.isExcluded === true) return "drifted";
    if (this.#cooldown !== undefined && this.cooldownMs > 0)
      return isMisconfigured(this.#cooldown.failure) ? "misconfigured" : "cooling";
    if (breaker !== "closed") return breaker;
    if (this.#spaceCheck?.isDrifted === true) return "drifted";
    // A check of its vectors is a call to it, made here or by another process.
    if (this.#isProven || (failure === undefined && this.#spaceCheck !== undefined)) return "healthy";
    if (failure === undefined) return "unknown";
    // Without a success since, nothing says that the configuration was corrected.
    return isMisconfigured(failure) ? "misconfigured" : "failing";
  }

  #reportState(): void {
    const [state, previous] = [reportedState(this.#state), this.#reported];
    this.#noteDowntime(state);
    if (state === previous) return;
    const now = this.#clock.now();
    if (previous === "healthy") this.#unhealthySince = now;
    this.#reported = state;
    this.#onStateChange?.({
      target: this.#target,
      previous,
      state,
      failure: this.#failureBehind(state),
      pauseMs: this.#pausedMs,
      unhealthyMs: now - this.#unhealthySince,
    });
  }

  /** A pause ends without a call, so its end is noted before. A drifted target that gets calls is not down. */
  #noteDowntime(state: ReportedState): void {
    const isUp = state === "healthy" || (state === "drifted" && this.#spaceCheck?.isExcluded !== true);
    if (isUp) this.#history.comeUp();
    else if (state === "cooling" && this.#isHealthyAfterCooldown) this.#history.goDown(this.cooldownMs);
    else this.#history.goDown();
  }

  get #isHealthyAfterCooldown(): boolean {
    return this.#breaker.state === "closed" && (this.#lastFailure === undefined || this.#isProven);
  }

  #failureBehind(state: ReportedState): GatewayError | undefined {
    if (state === "healthy") return undefined;
    if (state === "drifted") return driftError();
    return this.cooldownMs > 0 ? this.#cooldown?.failure : this.#lastFailure;
  }

  #cool(ms: number, failure: GatewayError): void {
    this.#cooldown = { until: this.#clock.now() + Math.min(ms, cooldownMsMax), failure };
  }

  #record({ failure, isAbandoned = false, isHedgeLost = false }: AttemptResult, latencyMs: number): void {
    // It would have taken at least this long, so the latency counts although the call was aborted.
    if (isHedgeLost) this.#latency.observe(latencyMs);
    if (isAbandoned) return this.#breaker.abandon();
    if (!isFaultOfTarget(failure)) {
      this.#isProven = true;
      this.#failures = 0;
      this.#history.succeed();
      this.#latency.observe(latencyMs);
      this.#breaker.succeed();
      if (failure === undefined) this.#successes.observe(latencyMs, this.#clock.now());
      return;
    }
    this.#noteFailure(failure);
    this.#history.fail(describeTargetFailure(failure));
    if (isMisconfigured(failure)) this.#isProven = false;
    if (failure.code === "rate_limit_exceeded" || isMisconfigured(failure)) {
      const cooldownMs = isMisconfigured(failure)
        ? misconfiguredMs
        : (failure.retryAfterMs ?? defaultCooldownMs);
      this.#cool(cooldownMs, failure);
      this.#breaker.abandon();
      // A problem of this gateway's own key is not published: a replica with an old key must not stop the others.
      if (!isMisconfigured(failure) && cooldownMs > publishedCooldownMsMin)
        this.#publish?.(this.#target, { kind: "cooldown", ms: this.cooldownMs });
      return;
    }
    this.#latency.observe(latencyMs);
    this.#breaker.fail();
    if (this.#breaker.state === "open")
      this.#publish?.(this.#target, { kind: "opened", ms: publishedOpenMs });
  }

  #noteFailure(failure: GatewayError): void {
    this.#lastFailure = failure;
    this.#failedAt = this.#clock.now();
    this.#failures += 1;
  }
}

export interface AttemptResult {
  readonly failure?: unknown;
  /** Whether the call was aborted: then its failure says nothing about the target. */
  readonly isAbandoned?: boolean;
  /** Whether it was aborted because a hedged call to another target was faster. */
  readonly isHedgeLost?: boolean;
}

/** A slot on a target for one call. Only the first release counts. */
export interface Lease {
  readonly release: (result: AttemptResult) => void;
}

/** Why a target gets no calls although it works. */
export function driftError(): GatewayError {
  return errorOf("space_drifted", {}, { retryAfterMs: driftRetryMs, nothingBilled: true });
}

/** An error caused by the caller proves that the target works. */
function isFaultOfTarget(failure: unknown): failure is GatewayError {
  return failure instanceof GatewayError && errorTable[failure.code].retry !== "never";
}

function reportedState(state: TargetState): ReportedState {
  return state === "unknown" ? "healthy" : state;
}

function describeTargetFailure({ code, upstreamStatus, operatorMessage }: GatewayError) {
  return { code, status: upstreamStatus ?? null, message: operatorMessage };
}

function isMisconfigured({ code }: GatewayError): boolean {
  return code === "upstream_auth_error" || code === "upstream_model_missing" || code === "insufficient_quota";
}
