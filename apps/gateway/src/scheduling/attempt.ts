import type { CallContext } from "../domain/call-context.js";
import type { Model, Upstream } from "../domain/model.js";
import { GatewayError } from "../errors.js";
import { billedOperations, type ModelOperation } from "../operations.js";
import type { Call, OpenUpstream, ProviderOperations } from "../providers/provider.js";

type Perform<K extends ModelOperation> = NonNullable<ProviderOperations[K]>;
type ProviderRequest<K extends ModelOperation> = Parameters<Perform<K>>[0];
type ProviderReply<K extends ModelOperation> = Awaited<ReturnType<Perform<K>>>;
export type TargetOf<M extends Model> = M["targets"][number];

/** A request to a model, for whichever target serves it. */
export interface DispatchRequest<K extends ModelOperation, M extends Model, R> {
  readonly operation: K;
  readonly model: M;
  readonly context: CallContext;
  /** Builds the request for a target. Called for every attempt. */
  readonly request: (target: TargetOf<M>) => ProviderRequest<K>;
  /** Verifies a reply. To reject it, it throws: the attempt is then a failure of its target. */
  readonly accept: (reply: ProviderReply<K>, target: TargetOf<M>) => R | Promise<R>;
  /** How many tokens go in, or an upper bound. */
  readonly tokens: number;
}

export interface Attempt<M extends Model> {
  readonly target: TargetOf<M>;
  /** Aborts when the caller leaves, or when a hedged attempt has lost. */
  readonly signal: AbortSignal;
  /** How long the request has been in flight. All attempts share the deadline of its model. */
  readonly spentMs: number;
  /** Trace headers for the upstream. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Calls one target once. */
export async function runAttempt<K extends ModelOperation, M extends Model, R>(
  { operation, model, context, request, accept }: DispatchRequest<K, M, R>,
  { target, signal, spentMs, headers }: Attempt<M>,
  { upstream, provider }: OpenUpstream,
): Promise<R> {
  const unavailable = provider.unavailable(target.model);
  if (unavailable !== undefined) {
    throw new GatewayError(
      "model_unavailable",
      `The model '${model.id}' is unavailable: ${unavailable.reason}`,
      { cause: new Error(unavailable.detail), retryAfterMs: 60_000 },
    );
  }
  const perform = provider.operations[operation] as
    | ((request: ProviderRequest<K>, call: Call) => Promise<ProviderReply<K>>)
    | undefined;
  if (perform === undefined) {
    throw new GatewayError(
      "unsupported_operation",
      `The model '${model.id}' does not support this operation.`,
      { param: "model" },
    );
  }
  // A late attempt gets what is left of the deadline.
  const limitMs = Math.min(timeoutOf(upstream, operation), model.deadlineMs - spentMs);
  const timeoutMs = Math.max(1, Math.ceil(limitMs));
  const { takeMemory } = context;
  const reply = await perform(request(target), {
    model: target.model,
    signal,
    timeoutMs,
    headers,
    takeMemory,
  });
  return accept(reply, target);
}

/** Every upstream that a target names is open: the configuration was checked for it. */
export function openUpstreamOf(upstreams: ReadonlyMap<string, OpenUpstream>, name: string): OpenUpstream {
  const open = upstreams.get(name);
  if (open === undefined) throw new Error(`The upstream ${name} is not open.`);
  return open;
}

/** The longest that one attempt may take at an upstream. */
function timeoutOf(upstream: Upstream, operation: ModelOperation): number {
  return upstream.timeoutMs ?? billedOperations[operation].timeoutMs;
}
