import type { LoadReport } from "../load/load.js";
import type { Cell } from "../measure/run-workload.js";
import { median } from "../measure/statistics.js";

/** What is said of a cell: medians over its windows, and its ratios to the bare proxy round by round. */
export interface Figures {
  readonly workload: string;
  readonly label: string;
  readonly concurrency: number;
  readonly rival: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicros?: number;
  readonly peakBytes?: number;
  readonly stallMs?: number;
  /** Requests a second, as a multiple of another's in the same round; the median of all rounds. */
  readonly timesBare?: number;
  readonly timesPortkey?: number;
  /** How many requests it answers in the CPU time that the bare proxy takes for one. */
  readonly cpuTimesBare?: number;
}

export function figuresOf(cells: readonly Cell[]): Figures[] {
  return cells.map((cell) => {
    const sameQuestion = cells.filter(
      ({ workload, label, concurrency }) =>
        workload === cell.workload && label === cell.label && concurrency === cell.concurrency,
    );
    const versus = (rival: string, value: (window: LoadReport) => number | undefined) =>
      ratio(
        cell,
        sameQuestion.find((one) => one.rival === rival),
        value,
      );
    const { windows, ...rest } = cell;
    return {
      ...rest,
      perSecond: median(windows.map(perSecond)),
      p50Ms: median(windows.map(({ p50Ms }) => p50Ms)),
      p99Ms: median(windows.map(({ p99Ms }) => p99Ms)),
      ...known("cpuMicros", middle(windows.map(cpuMicros))),
      ...known("peakBytes", middle(windows.map(({ peakBytes }) => peakBytes))),
      ...known("timesBare", versus("bare proxy", perSecond)),
      ...known("timesPortkey", versus("Portkey", perSecond)),
      ...known(
        "cpuTimesBare",
        versus("bare proxy", (window) => 1 / (cpuMicros(window) ?? Number.NaN)),
      ),
    };
  });
}

function perSecond({ requests, elapsedMs }: LoadReport): number {
  return (requests / elapsedMs) * 1000;
}

function cpuMicros({ cpuMs, requests }: LoadReport): number | undefined {
  return cpuMs === undefined ? undefined : (cpuMs * 1000) / requests;
}

/** Both sides of a ratio come from one round, so that what the machine did to one it did to the other. */
function ratio(
  cell: Cell,
  other: Cell | undefined,
  value: (window: LoadReport) => number | undefined,
): number | undefined {
  return middle(
    cell.windows.map((window, round) => {
      const against = other?.windows[round];
      const [own, its] = [value(window), against === undefined ? undefined : value(against)];
      return own === undefined || its === undefined ? undefined : own / its;
    }),
  );
}

function middle(values: readonly (number | undefined)[]): number | undefined {
  const finite = values.flatMap((value) => (value !== undefined && Number.isFinite(value) ? [value] : []));
  return finite.length === 0 ? undefined : median(finite);
}

function known<K extends string>(name: K, value: number | undefined): Partial<Record<K, number>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, number>);
}
