import type { Schemas } from "../operations/schemas.js";
import { Badge, type Tone } from "../parts/badge.js";
import { formatMs } from "../parts/format.js";

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

/** The average fades while a target is not called, so that a time near 0 says nothing. */
const latencyMinMs = 0.05;

/** A target's recent latency. */
export function formatLatency(latencyMs: number | null): string {
  return latencyMs === null || latencyMs < latencyMinMs ? "–" : formatMs(latencyMs);
}
