import { type Figures, figuresOf } from "./figures.js";
import { megabytes, numeral } from "./numerals.js";
import type { Results } from "./results.js";
import { table } from "./table.js";

interface Aim {
  readonly what: string;
  readonly aim: string;
  readonly measured: string;
  readonly isMet: boolean | undefined;
}

/** What the gateway means to reach, and what this run says of it. */
export function aimsTable(results: Results): string {
  const rows = aimsOf(results).map(({ what, aim, measured, isMet }) => [
    what,
    aim,
    measured,
    isMet === undefined ? "not measured" : isMet ? "yes" : "no",
  ]);
  return table(["what", "aim", "measured", "met"], rows);
}

function aimsOf({ cells, start }: Results): Aim[] {
  const figures = figuresOf(cells);
  /** JSON and base64 of one workload, as one rival did them. */
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
  const small = both("small-embedding", 32);
  const batch = both("batch-of-2048", 1);
  const direct = both("small-embedding", 1, "direct");
  const added = both("small-embedding", 1).map((ours, place) =>
    difference(ours?.p50Ms, direct[place]?.p50Ms),
  );
  return [
    atLeast(0.7, "one input, 32 at once: × bare proxy", times(small)),
    atLeast(
      8,
      "one input, 32 at once: × Portkey",
      small.map((row) => row?.timesPortkey),
    ),
    below(0.3, "one input, one at a time: p50 added to direct, ms", added),
    atLeast(0.6, "batch of 2,048, one at a time: × bare proxy", times(batch)),
    below(
      50,
      "batch of 2,048, one at a time: longest stall, ms",
      batch.map((row) => row?.stallMs),
    ),
    atLeast(3, "full cache hit, 32 at once: × bare proxy", times(both("cache-hit", 32))),
    below(150, "memory when idle, MB", [inMegabytes(start.idleBytes)]),
    below(
      250,
      "peak memory with 256 at once, MB",
      both("small-embedding", 256).map((row) => inMegabytes(row?.peakBytes)),
    ),
    below(1000, "start to first answer, ms", [start.firstAnswerMs]),
  ];
}

function times(rows: readonly (Figures | undefined)[]): (number | undefined)[] {
  return rows.map((row) => row?.timesBare);
}

function difference(of: number | undefined, less: number | undefined): number | undefined {
  return of === undefined || less === undefined ? undefined : of - less;
}

function atLeast(aim: number, what: string, values: readonly (number | undefined)[]): Aim {
  return {
    what,
    aim: `at least ${aim}`,
    measured: shown(values),
    isMet: verdict(values, (value) => value >= aim),
  };
}

function below(aim: number, what: string, values: readonly (number | undefined)[]): Aim {
  return {
    what,
    aim: `under ${aim}`,
    measured: shown(values),
    isMet: verdict(values, (value) => value < aim),
  };
}

function shown(values: readonly (number | undefined)[]): string {
  return values.map(numeral).join(", ");
}

/** An aim is met when every form of the question meets it. */
function verdict(
  values: readonly (number | undefined)[],
  meets: (value: number) => boolean,
): boolean | undefined {
  return values.some((value) => value === undefined)
    ? undefined
    : values.every((value) => value !== undefined && meets(value));
}

function inMegabytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Number(megabytes(bytes));
}
