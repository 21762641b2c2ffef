import type { GatewayError } from "@model-gateway/domain/errors";
import type { Target } from "@model-gateway/domain/model";
import type { SkippedTarget, TargetFailure } from "@model-gateway/domain/request-failure";
import type { BreakerState } from "./circuit-breaker.js";

/**
 * A target is `unknown` until a call has ended at it, `failing` while it gets calls and none has succeeded since it was
 * last in doubt, and `drifted` if its vectors have changed.
 */
export type TargetState =
  | "unknown"
  | "healthy"
  | "failing"
  | "cooling"
  | "misconfigured"
  | "drifted"
  | Exclude<BreakerState, "closed">;

/** Reports leave out the state of a target without calls, so its first success does not count as a change. */
export type ReportedState = Exclude<TargetState, "unknown">;

export interface TargetStateChange {
  readonly target: Target;
  readonly previous: ReportedState;
  readonly state: ReportedState;
  /** The last failure of the target; undefined when it is healthy again. */
  readonly failure: GatewayError | undefined;
  /** Time without calls; 0 if it gets some. */
  readonly pauseMs: number;
  /** Time since it was healthy. */
  readonly unhealthyMs: number;
}

/** Called when a target changes its state. A change that comes with time is seen at the next call. */
export type OnTargetStateChange = (change: TargetStateChange) => void;

/** The state of a target, as the admin API and the metrics show it. */
export interface TargetSnapshot {
  readonly upstream: string;
  readonly model: string;
  readonly state: TargetState;
  /** Time since a call last succeeded, one before the start included. Null if no success is known. */
  readonly provenMs: number | null;
  readonly inFlight: number;
  /** The scheduler's average, which fades without calls. Null before the first. */
  readonly averageLatencyMs: number | null;
  /** Null before a call has succeeded. */
  readonly latency: LatencySummary | null;
  /** Time since it was healthy; null where it is, or where nothing is known of it. */
  readonly unhealthyMs: number | null;
  /** Calls that have failed since the last success. */
  readonly failures: number;
  readonly lastError: (Omit<TargetFailure, "at"> & { readonly ageMs: number }) | null;
  /** Time without calls; 0 if it gets some. */
  readonly pausedMs: number;
  /** Null where its vectors are not checked. */
  readonly spaceCheck: SpaceCheck | null;
}

/** The latencies of the last successful calls. */
export interface LatencySummary {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly calls: number;
  /** Time since the last of them. */
  readonly ageMs: number;
}

/** The distance of a target's vectors from those recorded for its space. */
export interface SpaceCheck {
  /** The lowest cosine of all texts. */
  readonly cosineMin: number;
  /** The same of all images. Null if the target takes none. */
  readonly imageCosineMin: number | null;
  /** Milliseconds since 1970. */
  readonly checkedAt: number;
  readonly isDrifted: boolean;
  /** Whether it gets no calls because of that. */
  readonly isExcluded: boolean;
}

/**
 * The state of a target that could not be called, as the ledger keeps it.
 *
 * @param now Milliseconds since 1970.
 */
export function skippedTarget(snapshot: TargetSnapshot, now: number): SkippedTarget {
  const { unhealthyMs, failures, pausedMs, lastError } = snapshot;
  return {
    failingSince: unhealthyMs === null ? null : now - unhealthyMs,
    failures,
    pausedUntil: pausedMs === 0 ? null : now + pausedMs,
    lastError: lastError && failureAt(lastError, now),
  };
}

function failureAt(
  { ageMs, code, status, message }: NonNullable<TargetSnapshot["lastError"]>,
  now: number,
): TargetFailure {
  return { at: now - ageMs, code, status, message };
}
