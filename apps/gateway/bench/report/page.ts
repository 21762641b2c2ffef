import { type Figures, figuresOf, median } from "../measure/figures.js";
import type { Results } from "../measure/measure-all.js";
import type { Measurement } from "../measure/run-workload.js";
import type { RequestTime } from "../measure/shares.js";
import type { Workload } from "../workloads/workload.js";
import { addedTimeSection } from "./added-time.js";
import { goalsTable } from "./goals.js";
import { formatMegabytes, formatNumber, table } from "./markdown.js";
import { requestTimeSection } from "./request-time.js";

export interface PageContents {
  readonly results: Results;
  readonly workloads: readonly Workload[];
  readonly requestTime: RequestTime;
}

/** Writes the page of results, apps/docs/benchmarks.md. The site draws charts from its tables. */
export function writePage({ results, workloads, requestTime }: PageContents): string {
  return [
    "# Benchmarks",
    "",
    "The cost of the gateway, measured beside a bare proxy in Node, a proxy in C and another gateway, in one run on one machine. `npm run bench` writes this page.",
    "",
    ...addedTimeSection(results),
    ...requestTimeSection(requestTime),
    ...methodSection(results),
    "## Goals",
    "",
    "Where there are two figures, the first is for JSON and the second for base64.",
    "",
    goalsTable(results),
    "",
    ...workloads.flatMap((workload) => workloadSection(workload, results)),
    ...howToRun,
  ].join("\n");
}

/** All measurements of one workload. */
export function workloadTable(measurements: readonly Measurement[]): string {
  const figures = figuresOf(measurements);
  const hasStalls = figures.some(({ stallMs }) => stallMs !== undefined);
  return table(
    [
      "case",
      "at once",
      "who",
      "requests/s",
      "× bare",
      "p50 ms",
      "p99 ms",
      "CPU µs",
      "× bare by CPU",
      "peak RSS MB",
      ...(hasStalls ? ["longest stall ms", "longest work ms"] : []),
    ],
    figures.map((row) => [
      ...rowOf(row),
      ...(hasStalls ? [formatNumber(row.stallMs), formatNumber(row.workMs)] : []),
    ]),
  );
}

function rowOf(row: Figures): string[] {
  return [
    row.label,
    String(row.concurrency),
    row.rival,
    formatNumber(row.perSecond),
    formatNumber(row.timesBare),
    formatNumber(row.p50Ms),
    formatNumber(row.p99Ms),
    formatNumber(row.cpuMicros),
    formatNumber(row.cpuTimesBare),
    formatMegabytes(row.peakBytes),
  ];
}

function workloadSection({ name, title, description }: Workload, { measurements }: Results): string[] {
  const own = measurements.filter(({ workload }) => workload === name);
  return own.length === 0 ? [] : [`## ${title}`, "", description, "", workloadTable(own), ""];
}

function methodSection(results: Results): string[] {
  const { date, machine, versions, pinning, plan, rivals, absent, measurements } = results;
  const loads = measurements.flatMap(({ windows }) =>
    windows.flatMap(({ backgroundLoad }) => backgroundLoad ?? []),
  );
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
  const others =
    loads.length === 0
      ? ""
      : ` Unrelated processes used ${percent(median(loads))} of the machine in the median window and ${percent(Math.max(...loads))} in the worst.`;
  return [
    "## How it was measured",
    "",
    `${date}; ${machine}; ${versions}; ${pinning}; ${plan}.${others}`,
    "",
    table(
      ["who", "what it is"],
      [
        ["direct", "no proxy: the load generator calls the upstream"],
        ...rivals.map(({ name, description }) => [name, description]),
      ],
    ),
    "",
    ...absent.map(({ name, reason }) => `${name} did not take part: ${reason}.\n`),
    ...method,
  ];
}

const method = [
  "Each row is a separate process on the loopback device. In every round each gets the same load for the same time, one after the other, so that a busy machine slows all of them. A ratio compares two windows of one round, and the figure is the median of all rounds; other figures are medians as well. Requests per second depend on the machine. Ratios do too, though less: one commit has had 0.83 of the bare proxy on a Neoverse-N1 and 0.55 on a Xeon, so compare figures of one run only. **Differences below a fifth are noise.**",
  "",
  "A load generator sends prepared requests over raw sockets, and the upstream replies from memory at once. The status and length of every response are checked; samples are parsed, and each vector and image in them is compared with the expected one. A single wrong response ends the run. The gateway runs as an operator runs it: keys, validation against the spec, verification of the upstream's replies, and a log line per request. The proxies do none of that.",
  "",
  "`CPU µs` is the CPU time of all threads of the process per request. `× bare by CPU` is how many requests it serves in the CPU time that the bare proxy needs for one; other load on the machine hardly changes it. `peak RSS` is the highest memory in a window. `longest stall` is how long a due timer waited. `longest work` is how much of such a time the main thread was working; for the rest it waited for its core, which the other threads of the gateway use as well.",
  "",
];

const howToRun = [
  "## How to run it",
  "",
  "```sh",
  "npm run bench                            # everything, about 40 minutes; writes this page",
  "npm run bench -- --some                  # the same with fewer cases, about 20 minutes",
  "npm run bench -- --quick                 # every workload, about three minutes; prints",
  "npm run bench -- --only small-embedding  # one workload",
  "npm run bench -- --other ../before       # beside the build of another checkout",
  "npm run bench -- --start                 # ten starts: time, CPU time and idle memory",
  "npm run bench -- --profile               # the parts of a request's CPU time, and a CPU profile",
  "npm run bench -- --soak 10               # small requests among large and hostile ones, ten minutes",
  "npm run bench -- --local                 # gte-small beside bare onnxruntime-node",
  "npm run bench -- --ci                    # ours against the bare proxy; fails below a ratio of 0.3",
  "```",
  "",
  "It needs only Node and npm. The benchmark installs Portkey and Node 24 itself, into folders outside the workspace. nginx takes part if it is installed. With `taskset`, the measured process has a core to itself.",
  "",
];
