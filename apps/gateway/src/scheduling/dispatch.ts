import type { Adapter, Call, Connection } from "../adapters/adapter.js";
import { BatchTooLargeError } from "../domain/batch-too-large-error.js";
import type { Model, Upstream } from "../domain/model.js";
import { errorTable, GatewayError } from "../errors.js";
import type { ModelOperation } from "../operations.js";
import { Admission } from "./admission.js";
import type { Clock } from "./clock.js";
import { RetryBudget } from "./retry-budget.js";
import type { Scheduler } from "./scheduler.js";
import type { TargetHealth } from "./target-health.js";

type Perform<K extends ModelOperation> = NonNullable<Adapter[K]>;
type Asked<K extends ModelOperation> = Parameters<Perform<K>>[0];
type Answered<K extends ModelOperation> = Awaited<ReturnType<Perform<K>>>;
type TargetOf<M extends Model> = M["targets"][number];

/** An upstream of the configuration with its open connection. */
export interface OpenUpstream {
  readonly upstream: Upstream;
  readonly connection: Connection;
}

export interface Errand<K extends ModelOperation, M extends Model, R> {
  readonly operation: K;
  readonly model: M;
  /** What is asked of a target. It is asked again for every try. */
  readonly request: (target: TargetOf<M>) => Asked<K>;
  /** Turns down an answer by throwing: it is then that target's failure. */
  readonly accept: (answer: Answered<K>, target: TargetOf<M>) => R | Promise<R>;
  /** Who asks, for turns that are fair. */
  readonly caller: string;
  /** How many tokens are asked about, or at most. */
  readonly tokens: number;
  readonly signal: AbortSignal;
}

export interface Dispatched<R> {
  readonly result: R;
  readonly upstream: string;
  /** How many tries it took. */
  readonly attempts: number;
}

/** Sends a request to the targets of its model until one gives an answer that is accepted. */
export type Dispatch = <K extends ModelOperation, M extends Model, R>(
  errand: Errand<K, M, R>,
) => Promise<Dispatched<R>>;

const defaultTimeoutMs: Readonly<Record<ModelOperation, number>> = {
  createEmbedding: 60_000,
  createImage: 300_000,
  createImageEdit: 300_000,
};

/** Two more than there are targets, within bounds: each may have been bad just when it was asked. */
function triesMax(targetCount: number): number {
  return targetCount === 1 ? 3 : Math.min(targetCount + 2, 6);
}

const backoffMs = 100;
const restMsMax = 2000;

export interface DispatchNeeds {
  readonly upstreams: ReadonlyMap<string, OpenUpstream>;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  /** From 0 to 1, for the wait between two tries. */
  readonly random: () => number;
}

/** The one retry loop. Every try is a lease on a target, so that what is under way and how it went can not disagree. */
export function createDispatch(needs: DispatchNeeds): Dispatch {
  const { scheduler, clock, random } = needs;
  const budget = new RetryBudget();
  const admission = new Admission(needs);

  return async <K extends ModelOperation, M extends Model, R>(
    errand: Errand<K, M, R>,
  ): Promise<Dispatched<R>> => {
    const { model, operation, signal } = errand;
    const targets: readonly TargetOf<M>[] = model.targets;
    const startedAt = clock.now();
    const tried = new Set<TargetOf<M>>();
    let last: unknown;
    budget.onRequest();
    for (let attempts = 1; ; attempts += 1) {
      const place = await admission.enter(errand, tried);
      if (place === undefined) throw last ?? nowhereToGo(scheduler.obstacles(targets));
      const { target } = place;
      try {
        const result = await attempt(errand, target, {
          upstreams: needs.upstreams,
          spentMs: clock.now() - startedAt,
        });
        admission.leave(place, {});
        return { result, upstream: target.upstream, attempts };
      } catch (failure) {
        admission.leave(place, { failure, isAbandoned: signal.aborted });
        blame(failure, { target, attempts });
        tried.add(target);
        last = failure;
        const isOver =
          attempts >= triesMax(targets.length) ||
          signal.aborted ||
          !mayRetry(failure, operation, targets.length);
        if (isOver || !budget.trySpend()) throw failure;
      }
      // Full jitter: those who failed together do not come back together.
      const jitterMs = random() * backoffMs * 2 ** (attempts - 1);
      // A target that asked for a short rest is worth waiting for, when all others have failed.
      const freshInMs = scheduler.freshInMs(targets, tried);
      await clock.wait(freshInMs > restMsMax ? jitterMs : Math.max(jitterMs, freshInMs), signal);
    }
  };
}

async function attempt<K extends ModelOperation, M extends Model, R>(
  { operation, model, signal, request, accept }: Errand<K, M, R>,
  target: TargetOf<M>,
  { upstreams, spentMs }: { upstreams: DispatchNeeds["upstreams"]; spentMs: number },
): Promise<R> {
  const open = upstreams.get(target.upstream);
  if (open === undefined) throw new Error(`The upstream ${target.upstream} is not open.`);
  const obstacle = open.connection.unavailable(target.model);
  if (obstacle !== undefined) {
    throw new GatewayError(
      "model_unavailable",
      `The model '${model.id}' can not be served: ${obstacle.reason}`,
      {
        cause: new Error(obstacle.detail),
        retryAfterMs: 60_000,
      },
    );
  }
  const perform = open.connection.adapter[operation] as
    | ((request: Asked<K>, call: Call) => Promise<Answered<K>>)
    | undefined;
  if (perform === undefined) {
    throw new GatewayError(
      "unsupported_operation",
      `The model '${model.id}' does not support this operation.`,
      { param: "model" },
    );
  }
  // All tries together have the time of one.
  const call: Call = {
    model: target.model,
    signal,
    timeoutMs: Math.max(1, Math.ceil(timeoutMs(open.upstream, operation) - spentMs)),
  };
  return accept(await perform(request(target), call), target);
}

/** No target is healthy: what the one says that will be soonest. */
function nowhereToGo(targets: readonly TargetHealth[]): GatewayError {
  const [soonest] = targets
    .map(({ obstacle }) => obstacle)
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
function blame(
  failure: unknown,
  { target, attempts }: { target: Model["targets"][number]; attempts: number },
): void {
  if (failure instanceof GatewayError) Object.assign(failure, { upstream: target.upstream, attempts });
  if (failure instanceof BatchTooLargeError && "space" in target) failure.target = target;
}

/**
 * Another target may be tried after what would fail again on the same one. Pictures are paid for: they are asked for
 * again only when it is certain that none was made.
 */
function mayRetry(failure: unknown, operation: ModelOperation, targetCount: number): boolean {
  if (!(failure instanceof GatewayError)) return false;
  if (operation !== "createEmbedding" && !failure.nothingMade) return false;
  const { retry } = errorTable[failure.code];
  return retry === "anywhere" || (retry === "elsewhere" && targetCount > 1);
}

function timeoutMs(upstream: Upstream, operation: ModelOperation): number {
  const own = upstream.provider === "local" ? undefined : upstream.timeoutMs;
  return own ?? defaultTimeoutMs[operation];
}
