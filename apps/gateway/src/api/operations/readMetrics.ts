import type { Handler } from "../../execution/handler.js";

/** The metrics, in a text format for scrapers. */
export interface MetricsRenderer {
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export function readMetrics(metrics: MetricsRenderer): Handler<"readMetrics"> {
  return () => metrics.render();
}
