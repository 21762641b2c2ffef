import type { Model, Upstream } from "../domain/model.js";
import type { RequestTrace } from "../domain/trace.js";
import { GatewayError } from "../errors.js";
import type { ModelOperation } from "../operations.js";
import type { Call, OpenProvider, ProviderOperations } from "../providers/provider.js";

type Perform<K extends ModelOperation> = NonNullable<ProviderOperations[K]>;
type Asked<K extends ModelOperation> = Parameters<Perform<K>>[0];
type Answered<K extends ModelOperation> = Awaited<ReturnType<Perform<K>>>;
export type TargetOf<M extends Model> = M["targets"][number];

/** An upstream of the configuration with its open connection. */
export interface OpenUpstream {
  readonly upstream: Upstream;
  readonly provider: OpenProvider;
}

/** What shall be done for a caller, whichever target does it. */
export interface DispatchRequest<K extends ModelOperation, M extends Model, R> {
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
  readonly trace: RequestTrace;
}

export interface Attempt<M extends Model> {
  readonly target: TargetOf<M>;
  /** Aborts when the caller leaves, or this attempt is not needed any more. */
  readonly signal: AbortSignal;
  /** How long the request has been under way. All tries together have the time of one. */
  readonly spentMs: number;
  /** What goes with the call, so that the upstream can continue a trace. */
  readonly headers: Readonly<Record<string, string>>;
}

const defaultTimeoutMs: Readonly<Record<ModelOperation, number>> = {
  createEmbedding: 60_000,
  createImage: 300_000,
  createImageEdit: 300_000,
};

/** Asks one target once. */
export async function attempt<K extends ModelOperation, M extends Model, R>(
  { operation, model, request, accept }: DispatchRequest<K, M, R>,
  { target, signal, spentMs, headers }: Attempt<M>,
  open: OpenUpstream,
): Promise<R> {
  const obstacle = open.provider.unavailable(target.model);
  if (obstacle !== undefined) {
    throw new GatewayError(
      "model_unavailable",
      `The model '${model.id}' cannot be served: ${obstacle.reason}`,
      {
        cause: new Error(obstacle.detail),
        retryAfterMs: 60_000,
      },
    );
  }
  const perform = open.provider.operations[operation] as
    | ((request: Asked<K>, call: Call) => Promise<Answered<K>>)
    | undefined;
  if (perform === undefined) {
    throw new GatewayError(
      "unsupported_operation",
      `The model '${model.id}' does not support this operation.`,
      { param: "model" },
    );
  }
  const timeoutMs = Math.max(1, Math.ceil(timeoutOf(open.upstream, operation) - spentMs));
  const answer = await perform(request(target), { model: target.model, signal, timeoutMs, headers });
  return accept(answer, target);
}

/** Every upstream that a target names is open: the configuration was checked for it. */
export function openAt(upstreams: ReadonlyMap<string, OpenUpstream>, name: string): OpenUpstream {
  const open = upstreams.get(name);
  if (open === undefined) throw new Error(`The upstream ${name} is not open.`);
  return open;
}

/** The longest that a request may take at an upstream. */
export function timeoutOf(upstream: Upstream, operation: ModelOperation): number {
  const own = upstream.provider === "local" ? undefined : upstream.timeoutMs;
  return own ?? defaultTimeoutMs[operation];
}
