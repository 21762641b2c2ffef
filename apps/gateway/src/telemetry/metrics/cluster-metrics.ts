import { AggregatorRegistry, Registry } from "prom-client";
import type { Siblings } from "../../domain/siblings.js";
import { GatewayError } from "../../errors.js";
import type { Metrics, MetricsReport } from "./metrics.js";

/**
 * Runs in the supervisor. Sums the metrics of all workers. A worker that does not report in time counts with its last
 * report. The last report of a worker that exited stays in the sum: counters never go back.
 */
export class MetricsSum {
  readonly #last = new Map<number, MetricsReport>();
  #departed: MetricsReport[] = [];
  #merging: Promise<void> | undefined;

  add(worker: number, report: MetricsReport): void {
    this.#last.set(worker, report);
  }

  /** Keeps counters and histograms. Gauges describe a live process and go with it. */
  retire(worker: number): void {
    const report = this.#last.get(worker);
    this.#last.delete(worker);
    if (report === undefined) return;
    this.#departed.push(report.filter(({ type }) => ["counter", "histogram"].includes(String(type))));
  }

  async render(): Promise<string> {
    return (await this.#sum()).metrics();
  }

  async report(): Promise<MetricsReport> {
    return (await this.#sum()).getMetricsAsJSON();
  }

  async #sum(): Promise<Registry> {
    this.#merging ??= this.#mergeDeparted().finally(() => {
      this.#merging = undefined;
    });
    await this.#merging;
    return AggregatorRegistry.aggregate([...this.#departed, ...this.#last.values()]);
  }

  /** One at a time: a scrape and an export may come together, and a worker may exit meanwhile. */
  async #mergeDeparted(): Promise<void> {
    const taken = [...this.#departed];
    if (taken.length < 2) return;
    const merged = await AggregatorRegistry.aggregate(taken).getMetricsAsJSON();
    this.#departed = [merged, ...this.#departed.slice(taken.length)];
  }
}

/** Runs in a worker: reports its metrics, and asks for the sum of all workers. */
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
      return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text };
    },
  };
}
