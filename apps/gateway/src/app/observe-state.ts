import type { Siblings } from "@model-gateway/domain/siblings";
import { mergeSnapshots } from "@model-gateway/scheduling/merge-snapshots";
import type { GatewayState, ObserveState } from "../api/operations/checkReadiness.js";
import { sumShadows } from "../embeddings/shadow.js";

/** Time in which callers share one observation. Probes need no key, so they must not cost a round of messages each. */
const reuseMs = 100;

/**
 * The state of the whole gateway. Each worker has its own circuit breakers, so a worker that reported its own state
 * would contradict the next one. A worker that does not report in time is left out.
 *
 * @param own The state of this worker.
 */
export function observeState(
  own: () => GatewayState,
  siblings: Siblings | undefined,
  now: () => number,
): ObserveState {
  if (siblings === undefined) return async () => own();
  siblings.answer("readiness", own);
  const observe = async (): Promise<GatewayState> => {
    // Workers of the same build have sent it. One that still starts reports nothing.
    const reports = ((await siblings.ask("readiness")) ?? []) as (GatewayState | undefined)[];
    const states = reports.filter((report) => report !== undefined && report !== null);
    return states.length === 0 ? own() : mergeStates(own(), states);
  };
  let latest: Promise<GatewayState> | undefined;
  let observedAt = 0;
  return () => {
    if (latest === undefined || now() - observedAt > reuseMs) {
      observedAt = now();
      latest = observe();
    }
    return latest;
  };
}

/** @param states Those of all workers, this one included. */
function mergeStates(own: GatewayState, states: readonly GatewayState[]): GatewayState {
  // Its own snapshots are among the reports, so that they are counted there.
  const frame = own.targets.map((target) => ({ ...target, inFlight: 0, failures: 0, latency: null }));
  return {
    availableModels: [...new Set(states.flatMap(({ availableModels }) => availableModels))],
    targets: mergeSnapshots(
      frame,
      states.flatMap(({ targets }) => targets),
    ),
    shadows: sumShadows(states.flatMap(({ shadows }) => shadows)),
  };
}
