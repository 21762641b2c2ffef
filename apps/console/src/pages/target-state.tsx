import type { Schemas } from "../operations/schemas.js";
import { Badge, type Tone } from "../parts/badge.js";
import { formatMs, formatSpan, plural } from "../parts/format.js";
import { When } from "../parts/when.js";

type State = Schemas["TargetState"]["state"];

const tones: Readonly<Record<State, Tone>> = {
  unknown: "quiet",
  healthy: "good",
  failing: "warn",
  cooling: "warn",
  "half-open": "bad",
  misconfigured: "bad",
  drifted: "bad",
  open: "bad",
};

/** The states in words that need no circuit breaker. */
export const stateWords: Readonly<Record<State, string>> = {
  unknown: "unknown",
  healthy: "healthy",
  failing: "failing",
  cooling: "paused by the upstream",
  "half-open": "down",
  misconfigured: "misconfigured",
  drifted: "drifted",
  open: "down",
};

/** A success that is older proves little. */
const proofSeconds = 3600;

/**
 * Since when no call to a target has succeeded. Undefined if one has lately, and for a target of a pattern, which has no
 * state.
 */
export function describeProof(
  { state, proven_at }: Pick<Schemas["AdminTarget"], "state" | "proven_at">,
  nowMs: number,
  formatClock: (seconds: number) => string,
): string | undefined {
  if (state === null) return undefined;
  if (proven_at === null) return "Never proven: no success is known.";
  const age = nowMs / 1000 - proven_at;
  if (state === "healthy" && age < proofSeconds) return undefined;
  return `Not proven since ${formatClock(proven_at)} (${formatSpan(age)}).`;
}

/** How long a target has been failing, how often, and when it is tried again. Undefined if it is healthy or unknown. */
export function describeFailing(
  { state, failing_since, failures, paused_until }: FailingTarget,
  nowMs: number,
): string | undefined {
  if (failing_since === null) return undefined;
  const now = nowMs / 1000;
  const count = failures > 0 ? `, ${plural(failures, "failure")}` : "";
  const parts = [
    `For ${formatSpan(now - failing_since)}${count}.`,
    paused_until !== null && paused_until > now && `Next try in ${formatSpan(paused_until - now)}.`,
    state === "half-open" && "The next request tries it.",
  ];
  return parts.filter(Boolean).join(" ");
}

type FailingTarget = Pick<Schemas["AdminTarget"], "state" | "failing_since" | "failures" | "paused_until">;

interface TargetStateBadgeProps {
  readonly target: Pick<Schemas["AdminTarget"], "state">;
}

/** The state of a target. A newer gateway may have states that this page does not know. */
export function TargetStateBadge({ target: { state } }: TargetStateBadgeProps) {
  if (state === null) return <Badge tone="quiet">not tracked</Badge>;
  return <Badge tone={tones[state] ?? "quiet"}>{stateWords[state] ?? state}</Badge>;
}

/** The latency of a target's last successful calls: the median, the 95th percentile, and how old they are. */
export function TargetLatency({ latency }: Pick<Schemas["TargetState"], "latency">) {
  if (latency === null) return "–";
  const { p50_ms, p95_ms, calls, last_at } = latency;
  return (
    <div title={`Median and 95th percentile of ${calls === 1 ? "one call" : `${calls} calls`}`}>
      {`${formatMs(p50_ms)} / ${formatMs(p95_ms)}`}
      <p className="quiet small">
        last call <When at={last_at} />
      </p>
    </div>
  );
}
