import type { Schemas } from "../operations/schemas.js";
import { Badge, type Tone } from "../parts/badge.js";
import { formatMs } from "../parts/format.js";
import { When } from "../parts/when.js";

type State = Schemas["TargetState"]["state"];

const tones: Readonly<Record<State, Tone>> = {
  healthy: "good",
  failing: "warn",
  cooling: "warn",
  "half-open": "warn",
  misconfigured: "bad",
  drifted: "bad",
  open: "bad",
};

/** The state of a target. A newer gateway may have states that this page does not know. */
export function TargetStateBadge({ state }: { readonly state: State | null }) {
  if (state === null) return <Badge tone="quiet">not tracked</Badge>;
  return <Badge tone={tones[state] ?? "quiet"}>{state}</Badge>;
}

/** The latency of a target's last successful calls: the median, the 95th percentile, and how old they are. */
export function TargetLatency({ latency }: Pick<Schemas["TargetState"], "latency">) {
  if (latency === null) return "–";
  const { p50_ms, p95_ms, calls, last_at } = latency;
  return (
    <span title={`Median and 95th percentile of ${calls === 1 ? "one call" : `${calls} calls`}`}>
      {`${formatMs(p50_ms)} / ${formatMs(p95_ms)}`}{" "}
      <span className="quiet">
        <When at={last_at} />
      </span>
    </span>
  );
}
