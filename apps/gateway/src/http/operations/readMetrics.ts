import type { Handler } from "../handler.js";

/** What is measured, written down for a scraper. */
export interface Metrics {
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export function readMetrics(metrics: Metrics): Handler<"readMetrics"> {
  return () => metrics.render();
}
