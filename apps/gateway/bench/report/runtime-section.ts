import { figuresOf } from "../measure/figures.js";
import type { Results } from "../measure/measure-all.js";
import { workloads } from "../workloads/index.js";
import { formatMegabytes, formatNumber, table } from "./markdown.js";

const headings = "## On Node ";

/** The heading of the section about the version that runs. */
export function runtimeHeading(): string {
  return `${headings}${process.versions.node.split(".")[0]}`;
}

/** The gateway beside the bare proxy on one version of Node. */
export function runtimeSection({ date, machine, versions, measurements, start }: Results): string {
  const rows = figuresOf(measurements).filter(({ rival }) => rival === "ours");
  return [
    runtimeHeading(),
    "",
    `The gateway beside the bare proxy, both on this version; \`npm run bench -- --runtime\` writes this section. ${date}; ${machine}; ${versions}. Start to first response ${formatNumber(start.firstResponseMs)} ms, ${formatMegabytes(start.idleBytes)} MB when idle.`,
    "",
    table(
      ["workload", "case", "at once", "requests/s", "× bare", "× bare by CPU", "peak RSS MB"],
      rows.map((row) => [
        workloads.find(({ name }) => name === row.workload)?.title ?? row.workload,
        row.label,
        String(row.concurrency),
        formatNumber(row.perSecond),
        formatNumber(row.timesBare),
        formatNumber(row.cpuTimesBare),
        formatMegabytes(row.peakBytes),
      ]),
    ),
    "",
  ].join("\n");
}

/** The sections of this kind in a page, which a whole run on one version does not measure again. */
export function keptSections(page: string): string[] {
  const sections = page.split(/^(?=## )/m);
  return sections
    .filter((section) => section.startsWith(headings))
    .map((section) => `${section.trimEnd()}\n`);
}
