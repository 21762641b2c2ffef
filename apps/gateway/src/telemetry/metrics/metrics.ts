import { collectDefaultMetrics, Registry } from "prom-client";
import type { OperationId } from "../../operations.js";
import { scrapedGauge } from "./histogram.js";
import { describeRequests } from "./request-metrics.js";
import { describeState, type StateSources } from "./state-metrics.js";
import { type FinishedAttempt, type FinishedRequest, type KnownNames, RequestTallies } from "./tallies.js";

/** The metrics of one process as plain data, as one worker tells them to another. */
export type MetricsReport = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** What `GET /metrics` answers. */
export interface RenderedMetrics {
  readonly contentType: string;
  readonly text: string;
}

export interface Metrics {
  /** Every request that begins must end. Both take less than a microsecond. */
  begin(operation: OperationId | null): void;
  end(request: FinishedRequest): void;
  onAttempt(finished: FinishedAttempt): void;
  /** Event-loop delay, memory, CPU and garbage collection too. They cannot be taken out again, so it is not done for all. */
  watchProcess(): void;
  render(): Promise<RenderedMetrics>;
  report(): Promise<MetricsReport>;
}

/** Counts what happens, for Prometheus. No label has a value that a caller can make up. */
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
    end: (request) => tallies.end(request),
    onAttempt: (finished) => tallies.onAttempt(finished),
    watchProcess: () => collectDefaultMetrics({ register }),
    render: async () => ({ contentType: register.contentType, text: await register.metrics() }),
    report: () => register.getMetricsAsJSON(),
  };
}
