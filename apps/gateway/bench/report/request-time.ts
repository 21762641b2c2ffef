import type { RequestTime } from "../measure/shares.js";
import { formatNumber, table } from "./markdown.js";

/** A section of the page: the cost of each part of the gateway. The site draws a stacked bar from its table. */
export function requestTimeSection(time: RequestTime): string[] {
  return [
    "## Where the time goes",
    "",
    "The CPU time of one request with one input as base64, 32 at once. A CPU profile divides the time of the main thread: a sample belongs to the nearest function of its stack that has an owner, so a system call belongs to the library that made it. The other threads are measured by the system. The bare proxy had the same load in the same minute.",
    "",
    timeTable(time),
    "",
  ];
}

export function timeTable({ micros, bareMicros, parts }: RequestTime): string {
  const percent = (share: number) => (share * 100).toFixed(1);
  return table(
    ["part", "µs per request", "share, %"],
    [
      ...parts.map(({ name, micros: spent, share }) => [name, formatNumber(spent), percent(share)]),
      ["all parts", formatNumber(micros), percent(1)],
      [
        "bare proxy",
        formatNumber(bareMicros),
        micros === undefined || bareMicros === undefined ? "–" : percent(bareMicros / micros),
      ],
    ],
  );
}
