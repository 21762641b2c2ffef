import type { Clock } from "../domain/clock.js";
import type { Model, Target } from "../domain/model.js";
import { BatchTooLargeError } from "../domain/requests.js";
import { errorTable, GatewayError } from "../errors.js";
import type { ModelOperation } from "../operations.js";
import type { TargetAdmission, TargetLease } from "./admission.js";
import {
  attempt,
  type DispatchRequest,
  type OpenUpstream,
  openAt,
  type TargetOf,
  timeoutOf,
} from "./attempt.js";
import { HedgeLostError, Hedging, hedge } from "./hedging.js";
import type { RetryQuota } from "./retry-quota.js";
import type { Scheduler } from "./scheduler.js";
import type { TargetHealth } from "./target-health.js";

export interface Dispatched<R, T extends Target = Target> {
  readonly result: R;
  /** The one that gave the answer. */
  readonly target: T;
  /** How many tries it took. */
  readonly attempts: number;
}

/** Sends a request to the targets of its model until one gives an answer that is accepted. */
export type Dispatch = <K extends ModelOperation, M extends Model, R>(
  errand: DispatchRequest<K, M, R>,
) => Promise<Dispatched<R, TargetOf<M>>>;

/** Where the operator does not say: two for one target; else one more than there are targets, within bounds. */
function retriesMax({ retries, targets }: Model): number {
  return retries?.max ?? (targets.length === 1 ? 2 : Math.min(targets.length + 1, 5));
}

const backoffMs = 100;
const restMsMax = 2000;
/** What is left of the time after this share of it is too little for another target to be judged by. */
const timeWorthTrying = 0.95;

export interface DispatchNeeds {
  readonly upstreams: ReadonlyMap<string, OpenUpstream>;
  readonly scheduler: Scheduler;
  readonly admission: TargetAdmission;
  readonly retryBudget: RetryQuota;
  readonly clock: Clock;
  /** From 0 to 1, for the wait between two tries. */
  readonly random: () => number;
  /** Told of every try that is over. */
  readonly onAttempt: (finished: FinishedAttempt) => void;
}

export interface FinishedAttempt {
  readonly operation: ModelOperation;
  readonly upstream: string;
  readonly errorCode: string | null;
  readonly ms: number;
}

/** The one retry loop. Every try is a lease on a target, so that what is under way and how it went cannot disagree. */
export function createDispatch(needs: DispatchNeeds): Dispatch {
  const { scheduler, admission, retryBudget, clock, random } = needs;
  const ask = createAsk(needs);
  const longestMs = (targets: readonly Target[], operation: ModelOperation): number =>
    Math.max(
      ...targets.map(({ upstream }) => timeoutOf(openAt(needs.upstreams, upstream).upstream, operation)),
    );

  return async <K extends ModelOperation, M extends Model, R>(
    errand: DispatchRequest<K, M, R>,
  ): Promise<Dispatched<R, TargetOf<M>>> => {
    const { model, operation, signal } = errand;
    const targets: readonly TargetOf<M>[] = model.targets;
    const startedAt = clock.now();
    const asked: TargetOf<M>[] = [];
    const progress = { startedAt, asked };
    let last: unknown;
    retryBudget.onRequest();
    for (let retries = 0; ; retries += 1) {
      const entered = admission.enter(errand, asked);
      const place = entered instanceof Promise ? await entered : entered;
      if (place === undefined) throw last ?? noTargetAvailable(scheduler.healthOf(targets));
      try {
        const { result, target } = await ask(errand, place, progress);
        return { result, target, attempts: asked.length };
      } catch (failure) {
        if (failure instanceof GatewayError) failure.attempts = asked.length;
        last = failure;
        const isOver =
          retries >= retriesMax(model) || signal.aborted || !mayRetry(failure, operation, targets.length);
        const isLate = clock.now() - startedAt >= longestMs(targets, operation) * timeWorthTrying;
        if (isOver || isLate || !retryBudget.trySpend()) throw failure;
      }
      // Full jitter: those who failed together do not come back together.
      const jitterMs = random() * backoffMs * 2 ** retries;
      // A target that asked for a short rest is worth waiting for, when all others have failed.
      const freshInMs = scheduler.freshInMs(targets, asked);
      await clock.wait(freshInMs > restMsMax ? jitterMs : Math.max(jitterMs, freshInMs), signal);
    }
  };
}

interface Progress<M extends Model> {
  readonly startedAt: number;
  /** Every target that was asked, in order; whoever asks adds to it. */
  readonly asked: TargetOf<M>[];
}

type Ask = <K extends ModelOperation, M extends Model, R>(
  errand: DispatchRequest<K, M, R>,
  place: TargetLease<TargetOf<M>>,
  progress: Progress<M>,
) => Promise<{ readonly result: R; readonly target: TargetOf<M> }>;

/** Asks the target of a place, and a second one beside it where the operator wants that and the first is slow. */
function createAsk({ upstreams, admission, clock, onAttempt }: DispatchNeeds): Ask {
  const hedges = new Map<string, Hedging>();

  function hedgingOf(model: Model): Hedging | undefined {
    if (model.type !== "embedding" || model.hedge === undefined || model.targets.length < 2) return undefined;
    const hedging = hedges.get(model.id) ?? new Hedging(model.hedge);
    hedges.set(model.id, hedging);
    return hedging;
  }

  async function askAt<K extends ModelOperation, M extends Model, R>(
    errand: DispatchRequest<K, M, R>,
    place: TargetLease<TargetOf<M>>,
    {
      startedAt,
      asked,
      hedging,
      signal,
    }: Progress<M> & { hedging: Hedging | undefined; signal: AbortSignal },
  ): Promise<{ result: R; target: TargetOf<M> }> {
    const { operation, trace } = errand;
    const { target } = place;
    const { upstream } = target;
    const beganAt = clock.now();
    asked.push(target);
    const open = openAt(upstreams, upstream);
    const tried = trace.beginAttempt({ upstream: open.upstream, model: target.model, attempt: asked.length });
    try {
      const spentMs = beganAt - startedAt;
      const result = await attempt(errand, { target, signal, spentMs, headers: tried.headers }, open);
      admission.leave(place, good);
      tried.end(good);
      const ms = clock.now() - beganAt;
      hedging?.observe(ms);
      onAttempt({ operation, upstream, errorCode: null, ms });
      return { result, target };
    } catch (failure) {
      const isHedgeLost = signal.aborted && signal.reason instanceof HedgeLostError;
      admission.leave(place, { failure, isAbandoned: signal.aborted, isHedgeLost });
      tried.end({ failure });
      onAttempt({ operation, upstream, errorCode: codeOf(failure, signal), ms: clock.now() - beganAt });
      attributeTo(failure, target);
      throw failure;
    }
  }

  return (errand, place, { startedAt, asked }) => {
    const { model, signal } = errand;
    const hedging = hedgingOf(model);
    hedging?.onRequest();
    const afterMs = hedging?.afterMs;
    if (hedging === undefined || afterMs === undefined)
      return askAt(errand, place, { startedAt, asked, hedging, signal });
    return hedge({
      afterMs,
      clock,
      signal,
      first: (until) => askAt(errand, place, { startedAt, asked, hedging, signal: until }),
      second: (until) => {
        const other = hedging.trySpend() ? admission.enterOther(errand, asked) : undefined;
        return other && askAt(errand, other, { startedAt, asked, hedging, signal: until });
      },
    });
  };
}

/** How a try ended that was answered. */
const good = Object.freeze({});

/** What went wrong at a target, in a word. */
function codeOf(failure: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "caller_left";
  return failure instanceof GatewayError ? failure.code : "internal_error";
}

/** No target is healthy: what the one says that will be soonest. */
function noTargetAvailable(targets: readonly TargetHealth[]): GatewayError {
  const [soonest] = targets
    .map(({ unavailableReason }) => unavailableReason)
    .sort((left, right) => (left.retryAfterMs ?? 0) - (right.retryAfterMs ?? 0));
  return (
    soonest ??
    new GatewayError("upstream_unavailable", "No upstream can be reached.", {
      retryAfterMs: 1000,
      nothingMade: true,
    })
  );
}

/** Tells the failure which target it happened at, for the log and for what can be learned from it. */
function attributeTo(failure: unknown, target: Model["targets"][number]): void {
  if (failure instanceof GatewayError) failure.upstream = target.upstream;
  if (failure instanceof BatchTooLargeError && "space" in target) failure.target = target;
}

/**
 * Another target may be tried after what would fail again on the same one. Images are paid for: they are asked for
 * again only when it is certain that none was made.
 */
function mayRetry(failure: unknown, operation: ModelOperation, targetCount: number): boolean {
  if (!(failure instanceof GatewayError)) return false;
  if (operation !== "createEmbedding" && !failure.nothingMade) return false;
  const { retry } = errorTable[failure.code];
  return retry === "anywhere" || (retry === "elsewhere" && targetCount > 1);
}
