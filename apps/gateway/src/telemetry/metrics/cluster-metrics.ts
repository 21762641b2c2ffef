import { GatewayError } from "@model-gateway/domain/errors";
import type { Siblings } from "@model-gateway/domain/siblings";
import { type MetricsReport, mergeReports } from "./metric.js";
import type { Metrics } from "./metrics.js";
import { prometheusContentType, writePrometheusText } from "./prometheus-text.js";

/**
 * Runs in the supervisor. Sums the metrics of all workers. A worker that does not report in time counts with its last
 * report. The last report of a worker that exited stays in the sum: counters never go back.
 */
export class MetricsSum {
  readonly #last = new Map<number, MetricsReport>();
  #departed: MetricsReport = [];

  add(worker: number, report: MetricsReport): void {
    this.#last.set(worker, report);
  }

  /** Keeps counters and histograms. Gauges describe a live process and go with it. */
  retire(worker: number): void {
    const counted = (this.#last.get(worker) ?? []).filter(({ type }) => type !== "gauge");
    this.#departed = mergeReports([this.#departed, counted]);
    this.#last.delete(worker);
  }

  render(): string {
    return writePrometheusText(this.report());
  }

  report(): MetricsReport {
    return mergeReports([this.#departed, ...this.#last.values()]);
  }
}

/** Runs in a worker: reports its metrics, and requests the sum of all workers. */
export function gatherMetrics(siblings: Siblings, metrics: Metrics): Pick<Metrics, "render"> {
  siblings.answer("metrics", () => metrics.report());
  return {
    render: async () => {
      const text = await siblings.ask("metrics");
      if (typeof text !== "string")
        throw new GatewayError(
          "internal_error",
          "The metrics of the workers could not be collected in time.",
        );
      return { contentType: prometheusContentType, text };
    },
  };
}
