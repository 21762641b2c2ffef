import type { Schemas } from "../operations/schemas.js";
import { Badge, type Tone } from "../parts/badge.js";
import { formatMs, formatSpan, plural } from "../parts/format.js";
import { When } from "../parts/when.js";

type State = Schemas["TargetState"]["state"];

const tones: Readonly<Record<State, Tone>> = {
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
  healthy: "healthy",
  failing: "failing",
  cooling: "paused by the upstream",
  "half-open": "down",
  misconfigured: "misconfigured",
  drifted: "drifted",
  open: "down",
};

/** How long a target has been failing, how often, and when it is tried again. Undefined if it is healthy. */
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
  readonly target: Pick<Schemas["AdminTarget"], "state" | "called">;
}

/** The state of a target. A newer gateway may have states that this page does not know. */
export function TargetStateBadge({ target: { state, called } }: TargetStateBadgeProps) {
  if (state === null) return <Badge tone="quiet">not tracked</Badge>;
  // Nothing shows yet that it works.
  if (state === "healthy" && !called) return <Badge tone="quiet">never called</Badge>;
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
