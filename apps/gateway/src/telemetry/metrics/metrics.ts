import type { Priority } from "@model-gateway/domain/access-key";
import type { OperationId } from "@model-gateway/domain/operations";
import type { FinishedAttempt } from "@model-gateway/scheduling/dispatch";
import { type MetricsReport, numberMetrics, type ReadMetrics } from "./metric.js";
import { prometheusContentType, writePrometheusText } from "./prometheus-text.js";
import { durationMetrics, requestMetrics } from "./request-metrics.js";
import { type Stall, StallTallies } from "./stall-tallies.js";
import { type FinishedRequest, type KnownNames, RequestTallies } from "./tallies.js";

/** The body of `GET /metrics`. */
interface RenderedMetrics {
  readonly contentType: string;
  readonly text: string;
}

export interface Metrics {
  /** Every request that begins must end. Both take less than a microsecond. */
  begin(operation: OperationId | null): void;
  end(request: FinishedRequest, priority?: Priority): void;
  onAttempt(finished: FinishedAttempt): void;
  onStall(stall: Stall): void;
  /** Adds metrics that the gateway does not count itself, such as the process's. */
  include(more: ReadMetrics): void;
  render(): Promise<RenderedMetrics>;
  report(): MetricsReport;
}

/** Metrics for Prometheus. No label takes a value that a caller can invent. */
export function createMetrics(known: KnownNames): Metrics {
  const tallies = new RequestTallies(known);
  const stalls = new StallTallies();
  const included: ReadMetrics[] = [];
  const report = () => [
    ...requestMetrics(tallies),
    ...durationMetrics(tallies),
    ...included.flatMap((read) => read()),
    ...numberMetrics([["gateway_workers", "Processes that serve requests.", 1]]),
    ...stalls.read(),
  ];
  return {
    begin: (operation) => tallies.begin(operation),
    end: (request, priority) => tallies.end(request, priority),
    onAttempt: (finished) => tallies.onAttempt(finished),
    onStall: (stall) => stalls.note(stall),
    include: (more) => void included.push(more),
    render: async () => ({ contentType: prometheusContentType, text: writePrometheusText(report()) }),
    report,
  };
}
