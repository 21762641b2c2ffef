import { type Attributes, type HrTime, ValueType } from "@opentelemetry/api";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from "@opentelemetry/sdk-metrics";
import { billedOperations } from "../../operations.js";
import type { MetricsReport } from "./metrics.js";

type Metric = MetricsReport[number];

/** The times of all points of one export. */
export interface PointTimes {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/** A value of a metric, as prom-client reports it. */
interface ReportedValue {
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  readonly value: number;
  readonly metricName?: string;
}

/**
 * The metrics of a report under the names that they have on `/metrics`, so that a dashboard works with either way, and
 * those of them that have a name in the semantic conventions under that name as well.
 */
export function toMetricData(report: MetricsReport, times: PointTimes): MetricData[] {
  const data = report.flatMap((metric) => convert(metric, times));
  const attempts = report.find(({ name }) => name === "gateway_upstream_try_seconds");
  const upstreams = report.find(({ name }) => name === "gateway_upstream_info");
  if (attempts === undefined || upstreams === undefined) return data;
  return [...data, operationDuration(attempts, providersOf(upstreams), times)];
}

function convert(metric: Metric, times: PointTimes): MetricData[] {
  const common = {
    descriptor: {
      name: metric.name,
      description: metric.help,
      unit: unitOf(metric.name),
      valueType: ValueType.DOUBLE,
    },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  switch (String(metric.type)) {
    case "counter":
      return [
        { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points(metric, times) },
      ];
    case "gauge":
      return [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints: points(metric, times) }];
    case "histogram":
      return [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(metric, times) }];
    default:
      return [];
  }
}

/** https://unitsofmeasure.org/ucum */
function unitOf(name: string): string {
  if (name.includes("_seconds")) return "s";
  if (name.includes("_bytes")) return "By";
  return name.includes("_dollars") ? "{USD}" : "";
}

function valuesOf({ values }: Metric): readonly ReportedValue[] {
  // The declared type has only what all kinds of metrics have in common.
  return values as readonly ReportedValue[];
}

function points(metric: Metric, times: PointTimes): DataPoint<number>[] {
  return (
    valuesOf(metric)
      // A mean of no values: JSON has no such number.
      .filter(({ value }) => Number.isFinite(value))
      .map(({ labels, value }) => ({ ...times, attributes: attributesOf(labels), value }))
  );
}

/** Prometheus counts what is at or below each bound, OTLP what is between two bounds. */
function histograms(metric: Metric, times: PointTimes): DataPoint<Histogram>[] {
  const byLabels = new Map<string, { attributes: Attributes; values: ReportedValue[] }>();
  for (const value of valuesOf(metric)) {
    const { le: _bound, ...labels } = value.labels;
    const attributes = attributesOf(labels);
    const key = JSON.stringify(Object.entries(attributes).sort());
    const group = byLabels.get(key) ?? { attributes, values: [] };
    byLabels.set(key, group);
    group.values.push(value);
  }
  return [...byLabels.values()].map(({ attributes, values }) => {
    const buckets = values
      .filter(({ labels }) => labels.le !== undefined && labels.le !== "+Inf")
      .sort((one, other) => Number(one.labels.le) - Number(other.labels.le));
    const figure = (suffix: string) =>
      values.find(({ metricName }) => metricName === `${metric.name}_${suffix}`)?.value ?? 0;
    const below = [0, ...buckets.map(({ value }) => value), figure("count")];
    return {
      ...times,
      attributes,
      value: {
        buckets: {
          boundaries: buckets.map(({ labels }) => Number(labels.le)),
          counts: below.slice(1).map((count, index) => count - (below[index] ?? 0)),
        },
        sum: figure("sum"),
        count: figure("count"),
      },
    };
  });
}

function attributesOf(labels: ReportedValue["labels"]): Attributes {
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== undefined));
}

function providersOf(upstreams: Metric): ReadonlyMap<string, string> {
  return new Map(
    valuesOf(upstreams).map(({ labels }) => [String(labels.upstream), String(labels.gen_ai_provider)]),
  );
}

/** https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/#metric-gen_aiclientoperationduration */
function operationDuration(
  attempts: Metric,
  providers: ReadonlyMap<string, string>,
  times: PointTimes,
): MetricData {
  const names: Readonly<Record<string, { genAiName: string } | undefined>> = billedOperations;
  const dataPoints = histograms(attempts, times).map(({ attributes, ...point }) => {
    const { operation, upstream, outcome } = attributes;
    return {
      ...point,
      attributes: {
        "gen_ai.operation.name": names[String(operation)]?.genAiName ?? String(operation),
        "gen_ai.provider.name": providers.get(String(upstream)) ?? "unknown",
        "gateway.upstream": String(upstream),
        "gateway.operation": String(operation),
        ...(outcome === "ok" ? {} : { "error.type": String(outcome) }),
      },
    };
  });
  return {
    descriptor: {
      name: "gen_ai.client.operation.duration",
      description: "Duration of single upstream attempts.",
      unit: "s",
      valueType: ValueType.DOUBLE,
    },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints,
  };
}
