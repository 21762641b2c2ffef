import type { Schemas } from "../../operations.js";
import type { TargetSnapshot } from "../../scheduling/target-health.js";

/**
 * The state of a target as the spec describes it.
 *
 * @param now Milliseconds since 1970.
 */
export function describeTarget(
  { inFlight, latencyMs, lastError, ...target }: TargetSnapshot,
  now: number,
): Schemas["TargetState"] {
  return {
    ...target,
    in_flight: inFlight,
    latency_ms: latencyMs,
    last_error: lastError?.code ?? null,
    last_error_message: lastError?.message ?? null,
    last_error_at: lastError === null ? null : Math.floor((now - lastError.ageMs) / 1000),
  };
}
