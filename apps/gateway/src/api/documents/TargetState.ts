import { isPattern, type Model, type Target, targetKey } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import type { SpaceCheck, TargetSnapshot, TargetState } from "@model-gateway/scheduling/target-state";

interface DescribeTargetsOptions {
  /** The gateway's models. */
  readonly models: readonly Model[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The states of targets as the spec describes them. */
export function describeTargets(
  snapshots: readonly TargetSnapshot[],
  { models, now }: DescribeTargetsOptions,
): Schemas["TargetState"][] {
  const served = servedBy(models);
  return snapshots.map((snapshot) => ({
    upstream: snapshot.upstream,
    model: snapshot.model,
    serves: served.get(targetKey(snapshot)) ?? [],
    state: snapshot.state,
    in_flight: snapshot.inFlight,
    ...describeHealth(snapshot, now),
    space_check: snapshot.spaceCheck && describeCheck(snapshot.spaceCheck),
  }));
}

/** A target's health, in the words that all views share. */
export function describeHealth(
  { provenMs, unhealthyMs, failures, latency, lastError, pausedMs }: TargetSnapshot,
  now: number,
): Pick<
  Schemas["TargetState"],
  "proven_at" | "failing_since" | "failures" | "latency" | "last_error" | "paused_until"
> {
  return {
    proven_at: provenMs === null ? null : Math.floor((now - provenMs) / 1000),
    failing_since: unhealthyMs === null ? null : Math.floor((now - unhealthyMs) / 1000),
    failures,
    latency: latency && {
      p50_ms: rounded(latency.p50Ms),
      p95_ms: rounded(latency.p95Ms),
      calls: latency.calls,
      last_at: Math.floor((now - latency.ageMs) / 1000),
    },
    last_error: lastError && {
      at: Math.floor((now - lastError.ageMs) / 1000),
      code: lastError.code,
      status: lastError.status,
      message: lastError.message,
    },
    paused_until: pausedMs === 0 ? null : Math.ceil((now + pausedMs) / 1000),
  };
}

/** Whether a target gets calls and nothing says that it does not work. */
export function isServing({ state, spaceCheck }: Pick<TargetSnapshot, "state" | "spaceCheck">): boolean {
  return !needsAttention(state) || (state === "drifted" && spaceCheck?.isExcluded !== true);
}

/** Whether an operator should look at a target. One without calls may work. */
export function needsAttention(state: TargetState): boolean {
  return state !== "healthy" && state !== "unknown";
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function describeCheck(check: SpaceCheck): Schemas["SpaceCheck"] {
  const { isDrifted, isExcluded, cosineMin, imageCosineMin, checkedAt } = check;
  return {
    drifted: isDrifted,
    excluded: isExcluded,
    cosine_min: roundedCosine(cosineMin),
    image_cosine_min: imageCosineMin === null ? null : roundedCosine(imageCosineMin),
    checked_at: Math.floor(checkedAt / 1000),
  };
}

function roundedCosine(cosine: number): number {
  return Math.round(cosine * 1e6) / 1e6;
}

/** The ids of each target's models. Targets of patterns have no state. */
function servedBy(models: readonly Model[]): ReadonlyMap<string, string[]> {
  const served = new Map<string, string[]>();
  for (const { id, targets } of models) {
    if (isPattern(id)) continue;
    for (const target of targets as readonly Target[]) {
      const ids = served.get(targetKey(target)) ?? [];
      if (!ids.includes(id)) served.set(targetKey(target), [...ids, id]);
    }
  }
  return served;
}
