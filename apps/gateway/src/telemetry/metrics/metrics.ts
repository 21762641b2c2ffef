import { collectDefaultMetrics, Registry } from "prom-client";
import type { Priority } from "../../domain/access-key.js";
import type { OperationId } from "../../operations.js";
import type { FinishedAttempt } from "../../scheduling/dispatch.js";
import { scrapedGauge } from "./histogram.js";
import { describeRequests } from "./request-metrics.js";
import { describeState, type StateSources } from "./state-metrics.js";
import { type FinishedRequest, type KnownNames, RequestTallies } from "./tallies.js";

/** The metrics of one process as plain data, as a worker sends them to the primary. */
export type MetricsReport = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** The body of `GET /metrics`. */
export interface RenderedMetrics {
  readonly contentType: string;
  readonly text: string;
}

export interface Metrics {
  /** Every request that begins must end. Both take less than a microsecond. */
  begin(operation: OperationId | null): void;
  end(request: FinishedRequest, priority?: Priority): void;
  onAttempt(finished: FinishedAttempt): void;
  /** Adds event-loop delay, memory, CPU and garbage collection. They cannot be removed again, so tests leave them out. */
  watchProcess(): void;
  render(): Promise<RenderedMetrics>;
  report(): Promise<MetricsReport>;
}

/** Metrics for Prometheus. No label takes a value that a caller can invent. */
export function createMetrics({ known, sources }: { known: KnownNames; sources: StateSources }): Metrics {
  const register = new Registry();
  const tallies = new RequestTallies(known);
  describeRequests(register, tallies);
  describeState(register, sources);
  scrapedGauge(register, {
    name: "gateway_workers",
    help: "Processes that serve requests.",
    labels: [],
    read: (add) => add({}, 1),
  });
  return {
    begin: (operation) => tallies.begin(operation),
    end: (request, priority) => tallies.end(request, priority),
    onAttempt: (finished) => tallies.onAttempt(finished),
    watchProcess: () => collectDefaultMetrics({ register }),
    render: async () => ({ contentType: register.contentType, text: await register.metrics() }),
    report: () => register.getMetricsAsJSON(),
  };
}
