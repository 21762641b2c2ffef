import type { Schemas } from "@model-gateway/domain/operations";
import type { TargetHistory } from "@model-gateway/scheduling/scheduler";

/** The last 24 hours of a target, as the spec describes them. */
export function describeHistory({
  model,
  since,
  halfHours,
  failures,
}: TargetHistory): Schemas["TargetHistory"] {
  return {
    model,
    since: Math.floor(since / 1000),
    half_hours: halfHours.map(({ start, ok, failed, downMs }) => ({
      start: start / 1000,
      ok,
      failed,
      down_seconds: Math.round(downMs / 1000),
    })),
    failures: failures.map((failure) => ({ ...failure, at: Math.floor(failure.at / 1000) })),
  };
}
