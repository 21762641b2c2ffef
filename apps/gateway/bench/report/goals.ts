import { type Figures, figuresOf } from "../measure/figures.js";
import type { Results } from "../measure/measure-all.js";
import { formatMegabytes, formatNumber, table } from "./markdown.js";

interface Goal {
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  /** Undefined if it was not measured. */
  readonly isMet: boolean | undefined;
}

/** The goals of the gateway beside the figures of this run. */
export function goalsTable(results: Results): string {
  const rows = goalsOf(results).map(({ what, goal, measured, isMet }) => [
    what,
    goal,
    measured,
    isMet === undefined ? "not measured" : isMet ? "yes" : "no",
  ]);
  return table(["what", "goal", "measured", "met"], rows);
}

function goalsOf({ measurements, start }: Results): Goal[] {
  const figures = figuresOf(measurements);
  /** The JSON and the base64 case of one workload with one rival. */
  const both = (workload: string, concurrency: number, rival = "ours") =>
    ["JSON", "base64"].map((label) =>
      figures.find(
        (row) =>
          row.workload === workload &&
          row.concurrency === concurrency &&
          row.label === label &&
          row.rival === rival,
      ),
    );
  /** Some cases of a workload with images. */
  const images = (workload: string, concurrency: number, ...labels: readonly string[]) =>
    labels.map((label) =>
      figures.find(
        (row) =>
          row.workload === workload &&
          row.concurrency === concurrency &&
          row.label === label &&
          row.rival === "ours",
      ),
    );
  const fourBatches = both("batch-of-2048", 4);
  const largeEdits = images("edits-8x50-mb", 8, "50 MB");
  const small = both("small-embedding", 32);
  const batch = both("batch-of-2048", 1);
  const direct = both("small-embedding", 1, "direct");
  const added = both("small-embedding", 1).map((ours, index) =>
    difference(ours?.p50Ms, direct[index]?.p50Ms),
  );
  return [
    atLeast(0.7, "one input, 32 at once: × bare proxy", ratiosToBare(small)),
    atLeast(
      8,
      "one input, 32 at once: × Portkey",
      small.map((row) => row?.timesPortkey),
    ),
    under(0.3, "one input, one at a time: p50 added to direct, ms", added),
    atLeast(0.6, "batch of 2,048, one at a time: × bare proxy", ratiosToBare(batch)),
    under(
      50,
      "batch of 2,048, one at a time: longest stall, ms",
      batch.map((row) => row?.stallMs),
    ),
    atLeast(0.65, "batch of 2,048, four at once: × bare proxy", ratiosToBare(fourBatches)),
    under(
      50,
      "batch of 2,048, four at once: longest stall, ms",
      fourBatches.map((row) => row?.stallMs),
    ),
    atLeast(1.3, "full cache hit, 32 at once: × bare proxy", ratiosToBare(both("cache-hit", 32))),
    atLeast(0.7, "joined requests, 32 at once: × bare proxy", ratiosToBare(both("joined-requests", 32))),
    atLeast(
      0.65,
      "generated image without and with alpha, 8 at once: × bare proxy",
      ratiosToBare(images("image-generation", 8, "RGB", "RGBA")),
    ),
    atLeast(
      0.25,
      "the same, and the upstream does not say whether it is transparent",
      ratiosToBare(images("image-generation", 8, "RGBA, silent")),
    ),
    atLeast(0.65, "edit of 10 MB, 8 at once: × bare proxy", ratiosToBare(images("edit-10-mb", 8, "10 MB"))),
    atLeast(0.5, "edits of 50 MB, 8 at once: × bare proxy", ratiosToBare(largeEdits)),
    under(
      400,
      "edits of 50 MB, 8 at once: peak memory, MB",
      largeEdits.map((row) => toMegabytes(row?.peakBytes)),
    ),
    under(
      20,
      "one input beside large edits: longest work on the event loop, ms",
      images("beside-large-edits", 4, "JSON").map((row) => row?.workMs),
    ),
    under(150, "memory when idle, MB", [toMegabytes(start.idleBytes)]),
    under(
      250,
      "peak memory with 256 at once, MB",
      both("small-embedding", 256).map((row) => toMegabytes(row?.peakBytes)),
    ),
    under(1000, "start to first response, ms", [start.firstResponseMs]),
  ];
}

function ratiosToBare(rows: readonly (Figures | undefined)[]): (number | undefined)[] {
  return rows.map((row) => row?.timesBare);
}

function difference(value: number | undefined, base: number | undefined): number | undefined {
  return value === undefined || base === undefined ? undefined : value - base;
}

function atLeast(goal: number, what: string, values: readonly (number | undefined)[]): Goal {
  return {
    what,
    goal: `at least ${goal}`,
    measured: format(values),
    isMet: isMet(values, (value) => value >= goal),
  };
}

function under(goal: number, what: string, values: readonly (number | undefined)[]): Goal {
  return {
    what,
    goal: `under ${goal}`,
    measured: format(values),
    isMet: isMet(values, (value) => value < goal),
  };
}

function format(values: readonly (number | undefined)[]): string {
  return values.map(formatNumber).join(", ");
}

/** A goal is met if every case meets it. */
function isMet(
  values: readonly (number | undefined)[],
  meets: (value: number) => boolean,
): boolean | undefined {
  return values.some((value) => value === undefined)
    ? undefined
    : values.every((value) => value !== undefined && meets(value));
}

function toMegabytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Number(formatMegabytes(bytes));
}
