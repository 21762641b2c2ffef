import type { Schemas } from "../../operations.js";
import type { TargetSnapshot } from "../../scheduling/target-health.js";

/** How a target does, in the words of the spec. */
export function describeTarget({
  inFlight,
  latencyMs,
  lastError,
  ...target
}: TargetSnapshot): Schemas["TargetState"] {
  return { ...target, in_flight: inFlight, latency_ms: latencyMs, last_error: lastError };
}
