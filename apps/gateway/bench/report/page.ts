import { median } from "../measure/statistics.js";
import type { Workload } from "../workloads/workload.js";
import { aimsTable } from "./aims.js";
import type { Results } from "./results.js";
import { table } from "./table.js";
import { workloadTable } from "./workload-table.js";

/** The page of results. */
export function writePage(
  results: Results,
  { workloads, sections }: { workloads: readonly Workload[]; sections: readonly string[] },
): string {
  return [
    "# Benchmarks",
    "",
    "What the gateway costs, measured beside a proxy that does nothing, a proxy in C and another gateway, in one run on one machine. This page and its chart are written by `npm run bench`.",
    "",
    "![Requests a second as multiples of a bare proxy's, by workload](benchmarks.svg)",
    "",
    ...howMeasured(results),
    "## What was aimed at",
    "",
    "Two figures are those of JSON and of base64.",
    "",
    aimsTable(results),
    "",
    ...workloads.flatMap((workload) => section(workload, results)),
    ...sections,
    ...howToRun,
  ].join("\n");
}

/** Puts a section into the page that is there, in place of the one of the same heading or before the last of all. */
export function replaceSection(page: string, heading: string, section: string): string {
  const begin = page.indexOf(heading);
  const last = page.lastIndexOf("\n## ") + 1;
  if (begin === -1) return `${page.slice(0, last)}${section}\n${page.slice(last)}`;
  const end = page.indexOf("\n## ", begin + 1) + 1;
  return `${page.slice(0, begin)}${section}\n${page.slice(end)}`;
}

function howMeasured({ date, machine, versions, pinning, pace, rivals, absent, cells }: Results): string[] {
  const noise = cells.flatMap(({ windows }) => windows.flatMap(({ noise }) => noise ?? []));
  const others =
    noise.length === 0
      ? ""
      : ` In the middle window other processes took ${(median(noise) * 100).toFixed(0)} % of the machine, in the worst ${(Math.max(...noise) * 100).toFixed(0)} %.`;
  return [
    "## How it was measured",
    "",
    `${date}; ${machine}; ${versions}; ${pinning}; ${pace}.${others}`,
    "",
    table(
      ["who", "what it is"],
      [
        ["direct", "no proxy at all: the generator asks the upstream"],
        ...rivals.map(({ name, description }) => [name, description]),
      ],
    ),
    "",
    ...absent.map(({ name, reason }) => `${name} did not take part: ${reason}.\n`),
    "Each is a process of its own on the loopback device. In every round each gets the same load for the same time, in turn, so that what else the machine does falls on all of them. A ratio is that of two windows of one round, and the figure is the median of all rounds; other figures are medians as well. Ratios travel: they come out about the same on another machine, while requests a second do not. **Differences below a fifth are noise.**",
    "",
    "Callers are a process that sends prepared requests over raw sockets; the upstream is one that answers from memory at once. Every answer is checked for its status and length, some in every window are read whole and each vector and image in them compared; a single wrong one ends the run. The gateway runs as an operator would run it: keys, validation against the spec, verification of what the upstream answers, a line of log a request. The proxies do none of that.",
    "",
    "`CPU µs` is the time that all threads of the process spent on a processor for one request; `× bare by CPU` is how many requests it answers in the time that the bare proxy takes for one, and is hardly touched by what else runs. `peak RSS` is the most memory in a window.",
    "",
  ];
}

function section({ name, title, question }: Workload, { cells }: Results): string[] {
  const own = cells.filter(({ workload }) => workload === name);
  return own.length === 0 ? [] : [`## ${title}`, "", question, "", workloadTable(own), ""];
}

const howToRun = [
  "## How to run it",
  "",
  "```sh",
  "npm run bench                            # everything, some 25 minutes; writes this page",
  "npm run bench -- --quick                 # everything once, under two minutes; prints",
  "npm run bench -- --only small-embedding  # one question",
  "npm run bench -- --profile               # where the time goes",
  "npm run bench -- --local                 # local models, three minutes",
  "npm run bench -- --ci                    # ours against the bare proxy; fails under 0.4",
  "```",
  "",
  "It needs nothing but Node and npm. Portkey is installed by the benchmark itself, into a folder that is no part of the workspace; nginx takes part where it is installed; where there is `taskset`, what is measured has a core to itself.",
  "",
];
