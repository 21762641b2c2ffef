import { type Figures, figuresOf } from "../measure/figures.js";
import type { Results } from "../measure/measure-all.js";
import { formatNumber, table } from "./markdown.js";

type Values = readonly (number | undefined)[];

/** The gateway's goals beside this run's figures. */
export function goalsTable({ measurements, starts }: Results): string {
  const figures = figuresOf(measurements);
  /** A figure of some cases, written as `workload at concurrency: label; label`. JSON and base64 without labels. */
  const read = (of: (row: Figures) => number | undefined, cases: string, rival = "ours"): Values => {
    const [, workload, concurrency, labels = "JSON; base64"] =
      /^(\S+) at (\d+)(?:: (.*))?$/.exec(cases) ?? [];
    return labels.split("; ").map((label) => {
      const isCase = (row: Figures) => row.workload === workload && row.concurrency === Number(concurrency);
      const found = figures.find((row) => isCase(row) && row.label === label && row.rival === rival);
      return found && of(found);
    });
  };
  const bare = (cases: string) => read((row) => row.timesBare, cases);
  const byCpu = (cases: string) => read((row) => row.cpuTimesBare, cases);
  const stall = (cases: string) => read((row) => row.stallMs, cases);
  const peak = (cases: string) => read((row) => toMegabytes(row.peakBytes), cases);
  const p50 = (rival: string) => read((row) => row.p50Ms, "small-embedding at 1", rival);
  const p99TimesBare = (cases: string): Values => {
    const p99 = (rival: string) => read((row) => row.p99Ms, cases, rival);
    const bareProxys = p99("bare proxy");
    return p99("ours").map((ms, index) => (ms ?? Number.NaN) / (bareProxys[index] ?? Number.NaN));
  };
  const portkey = read((row) => row.timesPortkey, "small-embedding at 32");
  const fromMemory = read((row) => row.cpuTimesMemory, "cache-hit at 32");
  const work = read((row) => row.workMs, "beside-large-edits at 4: JSON");
  const direct = p50("direct");
  const afterIdle = read((row) => row.cpuTimesBare, "after-idle at 1: JSON", "ours on Node 24");
  const added = p50("ours").map((ms, index) => (ms ?? Number.NaN) - (direct[index] ?? Number.NaN));
  return table(
    ["what", "goal", "measured", "met"],
    [
      atLeast(0.45, "one input, 32 at once: × bare proxy by CPU", byCpu("small-embedding at 32")),
      atLeast(8, "one input, 32 at once: × Portkey", portkey),
      under(0.35, "one input, one at a time: p50 added to direct, ms", added),
      atLeast(0.25, "one input on Node 24 after idle time, one at a time: × bare proxy by CPU", afterIdle),
      under(
        3,
        "one input, 256 at once: p99 as a multiple of the bare proxy's",
        p99TimesBare("small-embedding at 256"),
      ),
      under(
        3,
        "one input, 1,024 at once: p99 as a multiple of the bare proxy's",
        p99TimesBare("crowd at 1024"),
      ),
      atLeast(
        0.35,
        "batch of 100 in base64, 32 at once: × bare proxy by CPU",
        byCpu("batch-of-100 at 32: base64"),
      ),
      atLeast(0.6, "batch of 2,048, one at a time: × bare proxy", bare("batch-of-2048 at 1")),
      under(50, "batch of 2,048, one at a time: longest stall, ms", stall("batch-of-2048 at 1")),
      atLeast(
        0.65,
        "batch of 2,048 in JSON, four at once: × bare proxy by CPU",
        byCpu("batch-of-2048 at 4: JSON"),
      ),
      atLeast(0.4, "the same in base64", byCpu("batch-of-2048 at 4: base64")),
      under(50, "batch of 2,048, four at once: longest stall, ms", stall("batch-of-2048 at 4")),
      atLeast(0.25, "full cache hit, 32 at once: × memory server by CPU", fromMemory),
      atLeast(0.4, "joined requests, 32 at once: × bare proxy by CPU", byCpu("joined-requests at 32")),
      atLeast(
        0.2,
        "64 images of 1 MB embedded at once: × bare proxy by CPU",
        byCpu("embed-64-images at 1: 64 MB"),
      ),
      under(300, "64 images of 1 MB embedded at once: peak memory, MB", peak("embed-64-images at 1: 64 MB")),
      atLeast(
        0.65,
        "generated image without and with alpha, 8 at once: × bare proxy",
        bare("image-generation at 8: RGB; RGBA"),
      ),
      atLeast(
        0.25,
        "the same, and the upstream does not say whether it is transparent",
        bare("image-generation at 8: RGBA, silent"),
      ),
      atLeast(0.65, "edit of 10 MB, 8 at once: × bare proxy", bare("edit-10-mb at 8: 10 MB")),
      atLeast(0.3, "edits of 50 MB, 8 at once: × bare proxy", bare("edits-8x50-mb at 8: 50 MB")),
      under(400, "edits of 50 MB, 8 at once: peak memory, MB", peak("edits-8x50-mb at 8: 50 MB")),
      under(20, "one input beside large edits: longest work on the event loop, ms", work),
      under(150, "memory when idle, without local models, MB", [toMegabytes(starts.remote.idleBytes)]),
      under(250, "peak memory with 256 at once, MB", peak("small-embedding at 256")),
      under(800, "start to first response, without local models, ms", [starts.remote.firstResponseMs]),
      under(1250, "start to first response, default configuration, ms", [starts.default.firstResponseMs]),
    ],
  );
}

function atLeast(goal: number, what: string, values: Values): string[] {
  return [what, `at least ${goal}`, format(values), isMet(values, (value) => value >= goal)];
}

function under(goal: number, what: string, values: Values): string[] {
  return [what, `under ${goal}`, format(values), isMet(values, (value) => value < goal)];
}

function format(values: Values): string {
  return values.map(formatNumber).join(", ");
}

/** A goal is met if every case meets it. */
function isMet(values: Values, meets: (value: number) => boolean): string {
  const known = values.filter((value) => value !== undefined && !Number.isNaN(value));
  if (known.length < values.length) return "not measured";
  return known.every((value) => meets(Number(value))) ? "yes" : "no";
}

function toMegabytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.round(bytes / 2 ** 20);
}
