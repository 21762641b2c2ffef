import type { SiblingTopic } from "@model-gateway/domain/siblings";
import { MetricsSum } from "../../telemetry/metrics/cluster-metrics.js";
import type { MetricsReport } from "../../telemetry/metrics/metric.js";
import type { HubTopic } from "./worker-hub.js";

/** The supervisor's handling of worker reports, by topic. */
export function hubTopics(metrics = new MetricsSum()): Readonly<Record<SiblingTopic, HubTopic>> {
  return {
    metrics: {
      timeoutMs: 1000,
      onReport: (worker, report) => {
        // A worker of the same build has sent it, and sends none before it serves.
        if (report !== undefined) metrics.add(worker, report as MetricsReport);
      },
      onExit: (worker) => metrics.retire(worker),
      merge: () => metrics.render(),
    },
    // A worker reports when it has applied the latest changes of keys.
    keys: { timeoutMs: 1000, merge: () => true },
    // A worker reports when it has forgotten the sessions that it knew.
    sessions: { timeoutMs: 1000, merge: () => true },
    // A worker reports when it calls a paused target again.
    heal: { timeoutMs: 1000, merge: () => true },
    // A worker reports when it has applied the latest checks and accepted revisions.
    spaces: { timeoutMs: 2000, merge: () => true },
    events: { timeoutMs: 1000, merge: (reports) => reports },
    // A probe must not wait long.
    readiness: { timeoutMs: 250, merge: (reports) => reports },
    history: { timeoutMs: 1000, merge: (reports) => reports },
  };
}
