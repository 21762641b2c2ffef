import type { Tally } from "./histogram.js";
import type { HistogramMetric, Labels, Metric, MetricsReport, Sample } from "./metric.js";

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export const prometheusContentType = "text/plain; version=0.0.4; charset=utf-8";

export function writePrometheusText(report: MetricsReport): string {
  return `${report.map(writeMetric).join("\n\n")}\n`;
}

function writeMetric(metric: Metric): string {
  const { name, help, type } = metric;
  const lines =
    metric.type === "histogram"
      ? metric.samples.flatMap((sample) => histogramLines(metric, sample))
      : metric.samples.map(([labels, value]) => line(name, labels, value));
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n");
}

/** Prometheus counts all observations at or below each bound. */
function histogramLines({ name, bounds }: HistogramMetric, [labels, tally]: Sample<Tally>): string[] {
  let below = 0;
  const buckets = bounds.map((bound, index) => {
    below += tally.counts[index] ?? 0;
    return line(`${name}_bucket`, { le: String(bound), ...labels }, below);
  });
  return [
    ...buckets,
    line(`${name}_bucket`, { le: "+Inf", ...labels }, tally.count),
    line(`${name}_sum`, labels, tally.sum),
    line(`${name}_count`, labels, tally.count),
  ];
}

function line(name: string, labels: Labels, value: number): string {
  const written = Object.entries(labels).map(([label, text]) => `${label}="${escapeValue(text)}"`);
  return `${name}${written.length === 0 ? "" : `{${written.join()}}`} ${value}`;
}

function escapeValue(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
