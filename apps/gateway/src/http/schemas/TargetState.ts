import type { Schemas } from "../../operations.js";
import type { TargetSnapshot } from "../../scheduling/target-health.js";

/** The state of a target as the spec describes it. */
export function describeTarget({
  inFlight,
  latencyMs,
  lastError,
  ...target
}: TargetSnapshot): Schemas["TargetState"] {
  return { ...target, in_flight: inFlight, latency_ms: latencyMs, last_error: lastError };
}
