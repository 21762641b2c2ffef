import {
  type ErrorDetail,
  errorOf,
  errorTable,
  GatewayError,
  withContext,
} from "@model-gateway/domain/errors";
import { countedAs, type Model, type Target } from "@model-gateway/domain/model";
import { billedOperations, type ModelOperation } from "@model-gateway/domain/operations";
import type { FailedAttempt } from "@model-gateway/domain/request-failure";
import { BatchTooLargeError } from "@model-gateway/domain/requests";
import type { OpenUpstream } from "@model-gateway/providers/provider";
import { backoffMs } from "@model-gateway/runtime/backoff";
import type { Clock } from "@model-gateway/runtime/clock";
import type { TargetAdmission, TargetLease } from "./admission.js";
import {
  type DispatchRequest,
  describeAttempt,
  openUpstreamOf,
  runAttempt,
  type TargetOf,
} from "./attempt.js";
import { HedgeLostError, Hedging, hedge } from "./hedging.js";
import type { RetryQuotas } from "./retry-quota.js";
import type { Scheduler, UnavailableTarget } from "./scheduler.js";

interface DispatcherOptions {
  readonly upstreams: ReadonlyMap<string, OpenUpstream>;
  readonly scheduler: Scheduler;
  readonly admission: TargetAdmission;
  readonly retryQuotas: RetryQuotas;
  readonly clock: Clock;
  /** From 0 to 1, for the jitter between two attempts. */
  readonly random: () => number;
  readonly onAttempt: (finished: FinishedAttempt) => void;
}

export interface FinishedAttempt {
  readonly operation: ModelOperation;
  readonly upstream: string;
  readonly errorCode: string | null;
  readonly ms: number;
}

export interface Dispatched<R, T extends Target = Target> {
  readonly result: R;
  /** The target that served the request. */
  readonly target: T;
  readonly attempts: number;
  /** The calls that failed before. Undefined if none did. */
  readonly failedAttempts?: readonly FailedAttempt[] | undefined;
}

/** State shared by all attempts of one request. */
interface DispatchProgress<M extends Model> {
  readonly startedAt: number;
  /** Every target that was called, in order. */
  readonly called: TargetOf<M>[];
  /** The calls that have failed, in the order of their ends. */
  readonly failed: FailedAttempt[];
}

const firstBackoffMs = 100;
/** The longest cooldown of a target that a retry waits for. */
const cooldownMsMax = 2000;
/** No attempt begins once 95 % of the deadline is spent: the rest is too short to judge a target by. */
const attemptsWithinShare = 0.95;

/**
 * Sends a request to the targets of its model until one gives a reply that is accepted. This is the one retry loop of
 * the gateway. Every attempt holds a lease on its target, so that the in-flight count and the health of a target
 * cannot disagree.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #hedging = new Map<string, Hedging>();

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  async dispatch<K extends ModelOperation, M extends Model, R>(
    request: DispatchRequest<K, M, R>,
  ): Promise<Dispatched<R, TargetOf<M>>> {
    const { scheduler, admission, retryQuotas, clock, random } = this.#options;
    const { model, operation } = request;
    const { signal, bulk } = request.context;
    const isBulk = bulk !== undefined;
    const targets: readonly TargetOf<M>[] = model.targets;
    const retryQuota = retryQuotas.of(model);
    const attemptsMs = model.deadlineMs * attemptsWithinShare;
    let startedAt = clock.now();
    const called: TargetOf<M>[] = [];
    const failed: FailedAttempt[] = [];
    let lastFailure: unknown;
    for (let retries = 0; ; retries += 1) {
      const queuedAt = isBulk ? clock.now() : 0;
      const lease = await admission.acquire<TargetOf<M>>(request, called, startedAt + attemptsMs);
      // A bulk request may wait longer than its deadline, so the wait does not count.
      if (isBulk) startedAt += clock.now() - queuedAt;
      if (lease === undefined)
        throw lastFailure ?? noTargetAvailable(model, scheduler.unavailableTargets(targets));
      try {
        const { result, target } = await this.#attempt(request, lease, { startedAt, called, failed });
        if (retries === 0) retryQuota.refill();
        else retryQuota.giveBack();
        // A copy: a hedged call that has lost ends later.
        const failedAttempts = failed.length === 0 ? undefined : [...failed];
        return { result, target, attempts: called.length, failedAttempts };
      } catch (failure) {
        lastFailure = failure;
        const isFinal =
          retries >= retriesMax(model) || signal.aborted || !mayRetry(failure, operation, targets.length);
        if (isFinal || clock.now() >= startedAt + attemptsMs || !retryQuota.tryTake()) throw failure;
      }
      // Full jitter: requests that failed together do not come back together.
      const jitterMs = backoffMs(retries + 1, { firstMs: firstBackoffMs, random });
      const freshInMs = scheduler.freshInMs(targets, called);
      await clock.wait(freshInMs > cooldownMsMax ? jitterMs : Math.max(jitterMs, freshInMs), signal);
    }
  }

  /** Calls the leased target, and a second one beside it where hedging is on and the first is slow. */
  #attempt<K extends ModelOperation, M extends Model, R>(
    request: DispatchRequest<K, M, R>,
    lease: TargetLease<TargetOf<M>>,
    progress: DispatchProgress<M>,
  ): Promise<{ result: R; target: TargetOf<M> }> {
    const { admission, clock } = this.#options;
    const { signal } = request.context;
    // A hedge is for callers that are in a hurry.
    const hedging = request.context.bulk === undefined ? this.#hedgingOf(request.model) : undefined;
    hedging?.onRequest();
    const afterMs = hedging?.afterMs;
    if (hedging === undefined || afterMs === undefined)
      return this.#callTarget(request, lease, progress, { hedging, signal });
    return hedge({
      afterMs,
      clock,
      signal,
      first: (until) => this.#callTarget(request, lease, progress, { hedging, signal: until }),
      second: (until) => {
        const other = hedging.trySpend()
          ? admission.acquireOther<TargetOf<M>>(request, progress.called)
          : undefined;
        return other && this.#callTarget(request, other, progress, { hedging, signal: until });
      },
    });
  }

  async #callTarget<K extends ModelOperation, M extends Model, R>(
    request: DispatchRequest<K, M, R>,
    lease: TargetLease<TargetOf<M>>,
    { startedAt, called, failed }: DispatchProgress<M>,
    { hedging, signal }: { hedging: Hedging | undefined; signal: AbortSignal },
  ): Promise<{ result: R; target: TargetOf<M> }> {
    const { upstreams, admission, clock, onAttempt } = this.#options;
    const { operation, context } = request;
    const { target } = lease;
    const beganAt = clock.now();
    called.push(target);
    const open = openUpstreamOf(upstreams, target.upstream);
    const trace = context.trace.beginAttempt({
      upstream: open.upstream,
      model: target.model,
      attempt: called.length,
    });
    const finish = (errorCode: string | null): void =>
      onAttempt({ operation, upstream: target.upstream, errorCode, ms: clock.now() - beganAt });
    try {
      const spentMs = beganAt - startedAt;
      const attempt = { target, signal, spentMs, headers: trace.headers, clock };
      const result = await runAttempt(request, attempt, open);
      admission.release(lease, succeeded);
      trace.end(succeeded);
      hedging?.observe(clock.now() - beganAt);
      finish(null);
      return { result, target };
    } catch (cause) {
      const failure = asUnknownName(cause, request.model);
      const isHedgeLost = signal.aborted && signal.reason instanceof HedgeLostError;
      admission.release(lease, { failure, isAbandoned: signal.aborted, isHedgeLost });
      trace.end({ failure });
      finish(errorCodeOf(failure, signal));
      failed.push(describeAttempt(request.model, target, { failure, signal, ms: clock.now() - beganAt }));
      throw attributedTo(target, failure, { attempts: called.length, failedAttempts: failed });
    }
  }

  #hedgingOf(model: Model): Hedging | undefined {
    if (model.hedge === undefined || model.targets.length < 2) return undefined;
    const id = countedAs(model);
    const hedging = this.#hedging.get(id) ?? new Hedging(model.hedge);
    this.#hedging.set(id, hedging);
    return hedging;
  }
}

const succeeded = Object.freeze({});

/** By default two retries for one target; else one more than there are targets, and five at most. */
function retriesMax({ retries, targets }: Model): number {
  return retries?.max ?? (targets.length === 1 ? 2 : Math.min(targets.length + 1, 5));
}

function errorCodeOf(failure: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "cancelled";
  return failure instanceof GatewayError ? failure.code : "internal_error";
}

/** No target is healthy: the error of the one that will recover first. */
function noTargetAvailable(model: Model, unavailable: readonly UnavailableTarget[]): GatewayError {
  const waitOf = ({ reason: { retryAfterMs = 0 } }: UnavailableTarget) => retryAfterMs;
  const [soonest] = unavailable.toSorted((left, right) => waitOf(left) - waitOf(right));
  const failedAttempts = unavailable.map(({ target, reason: failure, skipped }) =>
    describeAttempt(model, target, { failure, ms: null, skipped }),
  );
  if (soonest !== undefined)
    return soonest.reason.with({ failedAttempts, forOperators: explainSkipped(soonest) });
  return new GatewayError("upstream_unavailable", "No upstream can be reached.", {
    failedAttempts,
    retryAfterMs: 1000,
    nothingBilled: true,
  });
}

/** For operators: with the last real error, which is the cause. */
function explainSkipped({ target, reason, skipped: { lastError } }: UnavailableTarget): string {
  if (lastError === null || lastError.message === reason.operatorMessage) return reason.operatorMessage;
  return `${reason.operatorMessage} The last error of ${target.upstream}: ${lastError.message}`;
}

/**
 * A caller may invent an id that fits a pattern. An upstream that does not know it is not at fault, nor is the
 * configuration.
 */
function asUnknownName(failure: unknown, { id, pattern }: Model): unknown {
  if (
    pattern === undefined ||
    !(failure instanceof GatewayError) ||
    failure.code !== "upstream_model_missing"
  )
    return failure;
  return errorOf("model_not_found", { model: id }, { cause: failure, nothingBilled: true });
}

/** The failure with its target, for the log and for learning batch limits. */
function attributedTo(
  target: Model["targets"][number],
  failure: unknown,
  attempts: Pick<ErrorDetail, "attempts" | "failedAttempts">,
): unknown {
  const context = { upstream: target.upstream, ...attempts };
  return failure instanceof BatchTooLargeError && "maxInputs" in target
    ? failure.with({ ...context, target })
    : withContext(failure, context);
}

/** Another target may succeed where the same one would fail again. */
function mayRetry(failure: unknown, operation: ModelOperation, targetCount: number): boolean {
  if (!(failure instanceof GatewayError)) return false;
  if (!billedOperations[operation].isRepeatable && !failure.nothingBilled) return false;
  const { retry } = errorTable[failure.code];
  const isElsewhere = retry === "elsewhere" || failure.code === "model_not_found";
  return retry === "anywhere" || (isElsewhere && targetCount > 1);
}
