import { billedOperations } from "@model-gateway/domain/operations";
import { type Attributes, type HrTime, ValueType } from "@opentelemetry/api";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from "@opentelemetry/sdk-metrics";
import type { HistogramMetric, Metric, MetricsReport, Sample } from "./metric.js";

/** The times of one export's points. */
interface PointTimes {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/**
 * A report's metrics under their `/metrics` names, so that a dashboard works with either source. Metrics with a name in
 * the semantic conventions are sent under that name as well.
 */
export function toMetricData(report: MetricsReport, times: PointTimes): MetricData[] {
  const data = report.map((metric) => convert(metric, times));
  const attempts = report.find(({ name }) => name === "gateway_upstream_attempt_seconds");
  const upstreams = report.find(({ name }) => name === "gateway_upstream_info");
  if (attempts?.type !== "histogram" || upstreams === undefined) return data;
  return [...data, operationDuration(attempts, providersOf(upstreams), times)];
}

function convert(metric: Metric, times: PointTimes): MetricData {
  const { name, help, type } = metric;
  if (type === "histogram") return histogramData(name, help, histogramPoints(metric, times));
  const common = describe(name, help);
  const dataPoints = metric.samples.map(([labels, value]) => ({
    ...times,
    attributes: { ...labels },
    value,
  }));
  return type === "counter"
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
}

function histogramData(name: string, help: string, dataPoints: DataPoint<Histogram>[]): MetricData {
  return { ...describe(name, help), dataPointType: DataPointType.HISTOGRAM, dataPoints };
}

function describe(name: string, description: string) {
  return {
    descriptor: { name, description, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
}

/** https://unitsofmeasure.org/ucum */
function unitOf(name: string): string {
  if (name.includes("_seconds") || name.endsWith(".duration")) return "s";
  if (name.includes("_bytes")) return "By";
  return name.includes("_dollars") ? "{USD}" : "";
}

function histogramPoints({ bounds, samples }: HistogramMetric, times: PointTimes): DataPoint<Histogram>[] {
  return samples.map(([labels, { counts, count, sum }]) => {
    const above = count - counts.reduce((total, one) => total + one, 0);
    const buckets = { boundaries: [...bounds], counts: [...counts, above] };
    return { ...times, attributes: { ...labels }, value: { buckets, sum, count } };
  });
}

function providersOf({ samples }: Metric): ReadonlyMap<unknown, string> {
  const list: readonly Sample<unknown>[] = samples;
  return new Map(list.map(([labels]) => [labels.upstream, labels.gen_ai_provider ?? "unknown"]));
}

/** https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/#metric-gen_aiclientoperationduration */
function operationDuration(
  attempts: HistogramMetric,
  providers: ReadonlyMap<unknown, string>,
  times: PointTimes,
): MetricData {
  const names: Readonly<Record<string, { genAiName: string } | undefined>> = billedOperations;
  const attributesOf = ({ operation, upstream, outcome }: Attributes): Attributes => ({
    "gen_ai.operation.name": names[String(operation)]?.genAiName ?? String(operation),
    "gen_ai.provider.name": providers.get(upstream) ?? "unknown",
    "gateway.upstream": String(upstream),
    "gateway.operation": String(operation),
    ...(outcome === "ok" ? {} : { "error.type": String(outcome) }),
  });
  const dataPoints = histogramPoints(attempts, times).map((point) => ({
    ...point,
    attributes: attributesOf(point.attributes),
  }));
  return histogramData(
    "gen_ai.client.operation.duration",
    "Duration of single upstream attempts.",
    dataPoints,
  );
}
