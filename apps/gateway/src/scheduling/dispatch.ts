import { setTimeout } from "node:timers/promises";
import type { Adapter, Call, Connection } from "../adapters/adapter.js";
import { BatchTooLargeError } from "../domain/batch-too-large-error.js";
import type { Model, Upstream } from "../domain/model.js";
import { errorTable, GatewayError } from "../errors.js";
import type { ModelOperation } from "../operations.js";

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
  readonly signal: AbortSignal;
}

export interface Dispatched<R> {
  readonly result: R;
  readonly upstream: string;
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

const triesMax = 3;
const backoffMs = 100;

export interface DispatchNeeds {
  readonly upstreams: ReadonlyMap<string, OpenUpstream>;
  /** From 0 to 1, for the wait between two tries. */
  readonly random: () => number;
}

export function createDispatch({ upstreams, random }: DispatchNeeds): Dispatch {
  async function attempt<K extends ModelOperation, M extends Model, R>(
    errand: Errand<K, M, R>,
    target: TargetOf<M>,
  ): Promise<R> {
    const { operation, model, signal } = errand;
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
    const call: Call = { model: target.model, signal, timeoutMs: timeoutMs(open.upstream, operation) };
    return errand.accept(await perform(errand.request(target), call), target);
  }

  return async <K extends ModelOperation, M extends Model, R>(
    errand: Errand<K, M, R>,
  ): Promise<Dispatched<R>> => {
    const targets: readonly TargetOf<M>[] = [...errand.model.targets].sort(
      (left, right) => left.tier - right.tier,
    );
    for (let tried = 0; ; tried += 1) {
      const target = targets[tried % targets.length];
      if (target === undefined) throw new Error(`The model ${errand.model.id} has no target.`);
      try {
        return { result: await attempt(errand, target), upstream: target.upstream };
      } catch (failure) {
        blame(failure, target);
        const isLast = tried + 1 >= triesMax;
        if (isLast || errand.signal.aborted || !mayRetry(failure, errand.operation, targets.length))
          throw failure;
      }
      // Full jitter: those who failed together do not come back together.
      await setTimeout(random() * backoffMs * 2 ** tried, undefined, { signal: errand.signal }).catch(
        () => undefined,
      );
      errand.signal.throwIfAborted();
    }
  };
}

/** Tells the failure which target it happened at, for the log and for what can be learned from it. */
function blame<T extends Model["targets"][number]>(failure: unknown, target: T): void {
  if (failure instanceof GatewayError) failure.upstream = target.upstream;
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
