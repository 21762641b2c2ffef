import { sumOfTallies, type Tally } from "./histogram.js";

/** The metrics of one process as plain data, as a worker sends them to the supervisor, or the sum of all workers. */
export type MetricsReport = readonly Metric[];

/** Reads metrics whose values are kept elsewhere. Called on scrape. */
export type ReadMetrics = () => MetricsReport;

export type Metric = NumberMetric | HistogramMetric;

interface NumberMetric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  readonly merge: Merge;
  readonly samples: readonly Sample<number>[];
}

export interface HistogramMetric {
  readonly name: string;
  readonly help: string;
  readonly type: "histogram";
  readonly bounds: readonly number[];
  readonly samples: readonly Sample<Tally>[];
}

/** All samples of a metric have the same labels in the same order. */
export type Sample<V> = readonly [labels: Labels, value: V];
export type Labels = Readonly<Record<string, string>>;

/** The rule that merges several workers' values. `omit` is for values that say nothing about all of them. */
export type Merge = "sum" | "mean" | "min" | "max" | "omit";

/** A number is a sample without labels. Null is unknown, and so is a number that is not finite. */
type Samples = number | null | Iterable<Sample<number>>;

/** Samples with the same labels are summed. A merge says that it is a gauge, even if its name ends in `_total`. */
export type NumberRow = readonly [name: string, help: string, samples: Samples, merge?: Merge];

/** Counters, whose names end in `_total`, and gauges. */
export function numberMetrics(rows: readonly NumberRow[]): NumberMetric[] {
  return rows.map(([name, help, samples, merge]) => {
    const type = merge === undefined && name.endsWith("_total") ? "counter" : "gauge";
    return { name, help, type, merge: merge ?? "sum", samples: mergeSamples(samplesOf(samples), sum) };
  });
}

function samplesOf(samples: Samples): Sample<number>[] {
  const list: Iterable<Sample<number>> =
    typeof samples === "number" ? [[{}, samples]] : samples === null ? [] : samples;
  return [...list].filter(([, value]) => Number.isFinite(value));
}

/** Several workers' reports as one, with the metrics in the first report's order. */
export function mergeReports(reports: readonly MetricsReport[]): MetricsReport {
  return groupBy(reports.flat(), ({ name }) => name).flatMap(([first, ...others]): Metric[] => {
    if (first.type === "histogram") {
      const more = others.flatMap((metric) => (metric.type === "histogram" ? metric.samples : []));
      return [{ ...first, samples: mergeSamples([...first.samples, ...more], sumOfTallies) }];
    }
    if (first.merge === "omit") return [];
    const more = others.flatMap((metric) => (metric.type === "histogram" ? [] : metric.samples));
    return [{ ...first, samples: mergeSamples([...first.samples, ...more], merges[first.merge]) }];
  });
}

const merges = {
  sum,
  mean: (values: readonly number[]) => sum(values) / values.length,
  min: (values: readonly number[]) => Math.min(...values),
  max: (values: readonly number[]) => Math.max(...values),
};

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function mergeSamples<V>(
  samples: readonly Sample<V>[],
  merge: (values: readonly V[]) => V,
): readonly Sample<V>[] {
  const sameLabels = groupBy(samples, ([labels]) => Object.values(labels).join("\0"));
  return sameLabels.map((same) =>
    same.length === 1 ? same[0] : [same[0][0], merge(same.map(([, value]) => value))],
  );
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
