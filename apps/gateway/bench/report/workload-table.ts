import type { Cell } from "../measure/run-workload.js";
import { type Figures, figuresOf } from "./figures.js";
import { megabytes, numeral } from "./numerals.js";
import { table } from "./table.js";

/** Everything that was measured of one workload. */
export function workloadTable(cells: readonly Cell[]): string {
  const figures = figuresOf(cells);
  const stalls = figures.some(({ stallMs }) => stallMs !== undefined);
  return table(
    [
      "answer",
      "at once",
      "who",
      "requests/s",
      "× bare",
      "p50 ms",
      "p99 ms",
      "CPU µs",
      "× bare by CPU",
      "peak RSS MB",
      ...(stalls ? ["longest stall ms"] : []),
    ],
    figures.map((row) => [...cellsOf(row), ...(stalls ? [numeral(row.stallMs)] : [])]),
  );
}

function cellsOf(row: Figures): string[] {
  return [
    row.label,
    String(row.concurrency),
    row.rival,
    numeral(row.perSecond),
    numeral(row.timesBare),
    numeral(row.p50Ms),
    numeral(row.p99Ms),
    numeral(row.cpuMicros),
    numeral(row.cpuTimesBare),
    megabytes(row.peakBytes),
  ];
}
