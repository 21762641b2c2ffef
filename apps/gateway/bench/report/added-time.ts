import { type Figures, figuresOf } from "../measure/figures.js";
import type { Results } from "../measure/measure-all.js";
import { formatNumber, table } from "./markdown.js";

/** The first section of the page: the time that each process adds to a call of the upstream. */
export function addedTimeSection({ measurements }: Results): string[] {
  const rows = figuresOf(measurements).filter(
    ({ workload, concurrency }) => workload === "small-embedding" && concurrency === 1,
  );
  const added = (rival: string, label: string) => {
    const p50 = (who: string) => rows.find((row) => row.rival === who && row.label === label)?.p50Ms;
    return (p50(rival) ?? Number.NaN) - (p50("direct") ?? Number.NaN);
  };
  const rivals = [...new Set(rows.map(({ rival }: Figures) => rival))].filter((rival) => rival !== "direct");
  return [
    "## Added time",
    "",
    "Milliseconds that each adds to the median of a call, one input at a time, compared with calling the upstream directly.",
    "",
    table(
      ["who", "JSON, ms", "base64, ms"],
      rivals.map((rival) => [
        rival,
        formatNumber(added(rival, "JSON")),
        formatNumber(added(rival, "base64")),
      ]),
    ),
    "",
  ];
}
