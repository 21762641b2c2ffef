import type {
  OnTargetStateChange,
  ReportedState,
  TargetStateChange,
} from "@model-gateway/scheduling/target-state";
import type { Logger } from "pino";
import type { TargetEvents } from "../webhooks/target-events.js";

const stateMessages: Readonly<Record<ReportedState, string>> = {
  healthy: "A target is healthy again.",
  failing:
    "No call to a target has succeeded so far, or since a check of the gateway failed. It still gets calls.",
  cooling: "A target asked for a pause. It gets no calls until then.",
  misconfigured:
    "A target or its proxy refuses the gateway's credentials, or it has no such model or no quota left.",
  drifted:
    "The vectors of a target are not those recorded for its space. Accept them as a new revision, or correct the target.",
  open: "A target failed too often. Its circuit breaker is open, and it gets no calls.",
  "half-open": "A target that failed too often gets one call as a probe.",
};

/** Reports every change of a target's state to the log and the webhooks. */
export function publishTargetChanges(
  log: Logger,
  events: Pick<TargetEvents, "publish">,
): OnTargetStateChange {
  return (change) => {
    logChange(log, change);
    events.publish(change);
  };
}

function logChange(log: Logger, change: TargetStateChange): void {
  const { target, previous, state, failure, pauseMs, unhealthyMs } = change;
  const fields = {
    upstream: target.upstream,
    model: target.model,
    state,
    previous,
    ...(failure && { errorCode: failure.code, reason: failure.operatorMessage }),
    pauseMs: Math.round(pauseMs),
    unhealthyMs: Math.round(unhealthyMs),
  };
  if (state === "healthy") log.info(fields, stateMessages[state]);
  else log.warn(fields, stateMessages[state]);
}
