import type { LoadReport } from "../load/load-job.js";
import type { Measurement } from "./run-workload.js";

/** A measurement in numbers: medians over its windows, and its ratios to the bare proxy in the same rounds. */
export interface Figures {
  readonly workload: string;
  readonly label: string;
  readonly concurrency: number;
  readonly rival: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicros: number | undefined;
  readonly peakBytes: number | undefined;
  readonly stallMs?: number;
  readonly workMs?: number;
  /** Requests per second as a multiple of another rival's in the same round; the median of all rounds. */
  readonly timesBare: number | undefined;
  readonly timesPortkey: number | undefined;
  /** Requests served in the CPU time that the bare proxy needs for one. */
  readonly cpuTimesBare: number | undefined;
  /** The same for the server that answers from memory. */
  readonly cpuTimesMemory: number | undefined;
}

export function figuresOf(measurements: readonly Measurement[]): Figures[] {
  return measurements.map((measurement) => {
    const sameScenario = measurements.filter(
      ({ workload, label, concurrency }) =>
        workload === measurement.workload &&
        label === measurement.label &&
        concurrency === measurement.concurrency,
    );
    const versus = (rival: string, value: (window: LoadReport) => number | undefined) =>
      ratio(
        measurement,
        sameScenario.find((one) => one.rival === rival),
        value,
      );
    const { windows, ...rest } = measurement;
    return {
      ...rest,
      perSecond: median(windows.map(perSecond)),
      p50Ms: median(windows.map(({ p50Ms }) => p50Ms)),
      p99Ms: median(windows.map(({ p99Ms }) => p99Ms)),
      cpuMicros: medianOfKnown(windows.map(cpuMicros)),
      peakBytes: medianOfKnown(windows.map(({ peakBytes }) => peakBytes)),
      timesBare: versus(bareProxyFor(measurement.rival), perSecond),
      timesPortkey: versus("Portkey", perSecond),
      cpuTimesBare: versus(bareProxyFor(measurement.rival), perCpuTime),
      cpuTimesMemory: versus("memory server", perCpuTime),
    };
  });
}

/** A rival on another Node is compared with the bare proxy on that Node. */
function bareProxyFor(rival: string): string {
  const [suffix = ""] = / on Node \d+$/.exec(rival) ?? [];
  return `bare proxy${suffix}`;
}

/** The middle value; for an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + high) / 2 : high;
}

function perSecond({ requests, elapsedMs }: LoadReport): number {
  return (requests / elapsedMs) * 1000;
}

function cpuMicros({ cpuMs, requests }: LoadReport): number | undefined {
  return cpuMs === undefined ? undefined : (cpuMs * 1000) / requests;
}

function perCpuTime(window: LoadReport): number {
  return 1 / (cpuMicros(window) ?? Number.NaN);
}

/** Both sides of a ratio come from one round, so that a busy machine slows both. */
function ratio(
  measurement: Measurement,
  other: Measurement | undefined,
  value: (window: LoadReport) => number | undefined,
): number | undefined {
  return medianOfKnown(
    measurement.windows.map((window, round) => {
      const otherWindow = other?.windows[round];
      const own = value(window);
      const others = otherWindow === undefined ? undefined : value(otherWindow);
      return own === undefined || others === undefined ? undefined : own / others;
    }),
  );
}

function medianOfKnown(values: readonly (number | undefined)[]): number | undefined {
  const finite = values.flatMap((value) => (value !== undefined && Number.isFinite(value) ? [value] : []));
  return finite.length === 0 ? undefined : median(finite);
}
