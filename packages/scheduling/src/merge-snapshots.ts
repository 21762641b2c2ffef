import { targetKey } from "@model-gateway/domain/model";
import type { LatencySummary, TargetSnapshot, TargetState } from "./target-state.js";

/** From the state that needs an operator most to the one that needs none. */
const bySeverity: readonly TargetState[] = [
  "misconfigured",
  "drifted",
  "open",
  "half-open",
  "cooling",
  "failing",
  "healthy",
  // A call of one worker is enough to know.
  "unknown",
];

/**
 * One view of the targets that several workers call, each with its own circuit breaker: the worst state, all calls in
 * flight, the highest latencies, the latest failure and the longest pause.
 *
 * @param own The snapshots of this worker, which decide about the targets and their order.
 */
export function mergeSnapshots(
  own: readonly TargetSnapshot[],
  others: readonly TargetSnapshot[],
): TargetSnapshot[] {
  const byKey = new Map<string, TargetSnapshot[]>();
  for (const snapshot of others) {
    const key = targetKey(snapshot);
    byKey.set(key, [...(byKey.get(key) ?? []), snapshot]);
  }
  return own.map((snapshot) => [...(byKey.get(targetKey(snapshot)) ?? [])].reduce(mergeTwo, snapshot));
}

function mergeTwo(left: TargetSnapshot, right: TargetSnapshot): TargetSnapshot {
  const isWorse = bySeverity.indexOf(right.state) < bySeverity.indexOf(left.state);
  return {
    upstream: left.upstream,
    model: left.model,
    state: isWorse ? right.state : left.state,
    provenMs: lowest(left.provenMs, right.provenMs),
    unhealthyMs: highest(left.unhealthyMs, right.unhealthyMs),
    failures: left.failures + right.failures,
    inFlight: left.inFlight + right.inFlight,
    averageLatencyMs: highest(left.averageLatencyMs, right.averageLatencyMs),
    latency: mergeLatencies(left.latency, right.latency),
    lastError: latestError(left.lastError, right.lastError),
    pausedMs: Math.max(left.pausedMs, right.pausedMs),
    // All workers read it from the same table, so they differ for a moment only.
    spaceCheck: latestCheck(left.spaceCheck, right.spaceCheck),
  };
}

function lowest(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.min(left, right);
}

function highest(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.max(left, right);
}

function mergeLatencies(left: LatencySummary | null, right: LatencySummary | null): LatencySummary | null {
  if (left === null || right === null) return left ?? right;
  return {
    p50Ms: Math.max(left.p50Ms, right.p50Ms),
    p95Ms: Math.max(left.p95Ms, right.p95Ms),
    calls: left.calls + right.calls,
    ageMs: Math.min(left.ageMs, right.ageMs),
  };
}

function latestCheck(
  left: TargetSnapshot["spaceCheck"],
  right: TargetSnapshot["spaceCheck"],
): TargetSnapshot["spaceCheck"] {
  if (left === null || right === null) return left ?? right;
  return left.checkedAt >= right.checkedAt ? left : right;
}

function latestError(
  left: TargetSnapshot["lastError"],
  right: TargetSnapshot["lastError"],
): TargetSnapshot["lastError"] {
  if (left === null || right === null) return left ?? right;
  return left.ageMs <= right.ageMs ? left : right;
}
