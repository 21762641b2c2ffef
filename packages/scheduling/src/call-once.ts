import { withContext } from "@model-gateway/domain/errors";
import type { Model } from "@model-gateway/domain/model";
import type { ModelOperation } from "@model-gateway/domain/operations";
import type { OpenUpstream } from "@model-gateway/providers/provider";
import type { Clock } from "@model-gateway/runtime/clock";
import type { TargetAdmission } from "./admission.js";
import {
  type DispatchRequest,
  describeAttempt,
  openUpstreamOf,
  runAttempt,
  type TargetOf,
} from "./attempt.js";
import type { Dispatched } from "./dispatch.js";
import type { Scheduler } from "./scheduler.js";

export interface CallOnceOptions {
  readonly upstreams: ReadonlyMap<string, OpenUpstream>;
  readonly scheduler: Pick<Scheduler, "healthOf" | "heal">;
  readonly admission: Pick<TargetAdmission, "release">;
  readonly clock: Clock;
}

/**
 * Calls a model's first target once, even while it is paused. A success ends the pause in this process. A failure
 * counts for the target's health as any other.
 */
export async function callOnce<K extends ModelOperation, M extends Model, R>(
  request: DispatchRequest<K, M, R>,
  { upstreams, scheduler, admission, clock }: CallOnceOptions,
): Promise<Dispatched<R, TargetOf<M>>> {
  const target: TargetOf<M> = request.model.targets[0];
  const { signal } = request.context;
  const [health] = scheduler.healthOf([target]);
  if (health === undefined) throw new Error("A target has no health.");
  const { release } = health.begin({ tokens: request.tokens, priorityClass: "interactive" });
  const lease = { target, health, release };
  const beganAt = clock.now();
  try {
    const attempt = { target, signal, spentMs: 0, headers: {}, clock };
    const result = await runAttempt(request, attempt, openUpstreamOf(upstreams, target.upstream));
    admission.release(lease, {});
    scheduler.heal(target);
    return { result, target, attempts: 1 };
  } catch (failure) {
    admission.release(lease, { failure, isAbandoned: signal.aborted });
    const ended = { failure, signal, ms: clock.now() - beganAt };
    throw withContext(failure, { failedAttempts: [describeAttempt(request.model, target, ended)] });
  }
}
