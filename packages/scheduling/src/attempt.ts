import type { CallContext, TakeMemory } from "@model-gateway/domain/call-context";
import { GatewayError, withContext } from "@model-gateway/domain/errors";
import type { Model, Target, Upstream } from "@model-gateway/domain/model";
import { billedOperations, type ModelOperation } from "@model-gateway/domain/operations";
import {
  type FailedAttempt,
  recordableName,
  type SkippedTarget,
} from "@model-gateway/domain/request-failure";
import type { EmbeddingBatch, Input } from "@model-gateway/domain/requests";
import type { Call } from "@model-gateway/providers/call";
import type { OpenUpstream, ProviderOperations } from "@model-gateway/providers/provider";
import type { Clock } from "@model-gateway/runtime/clock";

type Perform<K extends ModelOperation> = NonNullable<ProviderOperations[K]>;
type ProviderRequest<K extends ModelOperation> =
  | Parameters<Perform<K>>[0]
  | (Parameters<Perform<K>>[0] extends EmbeddingBatch ? EmbeddingBatch<Input> : never);
type ProviderReply<K extends ModelOperation> = Awaited<ReturnType<Perform<K>>>;
export type TargetOf<M extends Model> = M["targets"][number];

/** A request to a model, for whichever target serves it. */
export interface DispatchRequest<K extends ModelOperation, M extends Model, R> {
  readonly operation: K;
  /** The provider's function for what `request` builds, if it is not that of the operation. */
  readonly method?: "createContentEmbedding" | undefined;
  readonly model: M;
  readonly context: CallContext;
  /** Builds the request for a target. Called for every attempt. */
  readonly request: (target: TargetOf<M>) => ProviderRequest<K>;
  /** Verifies a reply. To reject it, it throws: the attempt is then a failure of its target. */
  readonly accept: (reply: ProviderReply<K>, target: TargetOf<M>) => R | Promise<R>;
  /** Number of input tokens, or an upper bound. */
  readonly tokens: number;
}

interface Attempt<M extends Model> {
  readonly target: TargetOf<M>;
  /** Aborts when the caller leaves, or when a hedged attempt has lost. */
  readonly signal: AbortSignal;
  /** Time that the request has been in flight. All attempts share its model's deadline. */
  readonly spentMs: number;
  /** Trace headers for the upstream. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

/** Calls one target once. */
export async function runAttempt<K extends ModelOperation, M extends Model, R>(
  { operation, method, model, context, request, accept }: DispatchRequest<K, M, R>,
  attempt: Attempt<M>,
  { upstream, provider }: OpenUpstream,
): Promise<R> {
  const { target, spentMs } = attempt;
  const unavailable = provider.unavailable(target, model.type);
  if (unavailable !== undefined) {
    throw new GatewayError(
      "model_unavailable",
      `The model '${model.id}' is unavailable: ${unavailable.reason}`,
      { cause: new Error(unavailable.detail), retryAfterMs: 60_000, nothingBilled: true },
    );
  }
  const perform = provider.operations[method ?? operation] as
    | ((request: ProviderRequest<K>, call: Call) => Promise<ProviderReply<K>>)
    | undefined;
  if (perform === undefined) {
    throw new GatewayError(
      "unsupported_operation",
      `The model '${model.id}' does not support this operation.`,
      { param: "model" },
    );
  }
  // A late attempt gets the rest of the deadline.
  const limitMs = Math.min(timeoutOf(upstream, operation), model.deadlineMs - spentMs);
  const timeoutMs = Math.max(1, Math.ceil(limitMs));
  const call = new AttemptCall(attempt, timeoutMs, context);
  try {
    return await accept(await perform(request(target), call), target);
  } catch (failure) {
    throw call.isCommitted ? withContext(failure, { isCommitted: true }) : failure;
  }
}

interface EndedAttempt {
  readonly failure: unknown;
  /** Null if the target was not called. */
  readonly ms: number | null;
  readonly signal?: AbortSignal;
  readonly skipped?: SkippedTarget;
}

/** A failed attempt as the ledger keeps it. */
export function describeAttempt(
  { pattern }: Pick<Model, "pattern">,
  target: Target,
  { failure, ms, signal, skipped }: EndedAttempt,
): FailedAttempt {
  const isError = failure instanceof GatewayError;
  const fault = signal?.aborted ? "The gateway cancelled the call." : "The gateway had an error.";
  return {
    upstream: target.upstream,
    // Behind a pattern, a caller chooses the name.
    model: pattern === undefined ? target.model : recordableName(target.model),
    status: (isError ? failure.upstreamStatus : undefined) ?? null,
    ms,
    reason: isError ? failure.operatorMessage : fault,
    ...(skipped && { skipped }),
  };
}

/** The call of one attempt, as its provider sees it. */
class AttemptCall implements Call {
  readonly target: Target;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly onActive: (() => void) | undefined;
  readonly takeMemory: TakeMemory | undefined;
  readonly caller: string;
  readonly isBulk: boolean;
  isCommitted = false;
  readonly #clock: Clock;
  readonly #endsAt: number;

  constructor(
    attempt: Attempt<Model>,
    timeoutMs: number,
    { caller, takeMemory, bulk, onActive }: CallContext,
  ) {
    this.target = attempt.target;
    this.signal = attempt.signal;
    this.timeoutMs = timeoutMs;
    this.headers = attempt.headers;
    this.onActive = onActive;
    this.takeMemory = takeMemory;
    this.caller = caller;
    this.isBulk = bulk !== undefined;
    this.#clock = attempt.clock;
    this.#endsAt = attempt.clock.now() + timeoutMs;
  }

  get model(): string {
    return this.target.model;
  }

  get remainingMs(): number {
    return this.#endsAt - this.#clock.now();
  }

  wait(ms: number): Promise<void> {
    return this.#clock.wait(ms, this.signal);
  }

  committed(): void {
    this.isCommitted = true;
  }
}

/** Every upstream that a target names is open: the configuration was checked for it. */
export function openUpstreamOf(upstreams: ReadonlyMap<string, OpenUpstream>, name: string): OpenUpstream {
  const open = upstreams.get(name);
  if (open === undefined) throw new Error(`The upstream ${name} is not open.`);
  return open;
}

/** The longest that one attempt may take at an upstream. */
function timeoutOf(upstream: Upstream, operation: ModelOperation): number {
  return (
    upstream.timeoutMs ?? upstream.defaultTimeoutsMs?.[operation] ?? billedOperations[operation].timeoutMs
  );
}
