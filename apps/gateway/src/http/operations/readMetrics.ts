import type { Handler } from "../handler.js";

/** The metrics, in a text format for scrapers. */
export interface Metrics {
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export function readMetrics(metrics: Metrics): Handler<"readMetrics"> {
  return () => metrics.render();
}
