import { parseArgs } from "node:util";
import { workloads } from "./workloads/index.js";
import type { Workload } from "./workloads/workload.js";

export interface Command {
  readonly mode:
    | "full"
    | "quick"
    | "ci"
    | "profile"
    | "local"
    | "soak"
    | "cache"
    | "bulk"
    | "runtime"
    | "page"
    | "help";
  readonly workloads: readonly Workload[];
  /** Whether this is less than a whole run. Its results are printed, but do not replace the page. */
  readonly isPartial: boolean;
  /** Whether a whole run leaves out some cases. */
  readonly isShort: boolean;
  /** The names of the rivals; all if absent. */
  readonly rivalNames?: readonly string[];
  /** Another checkout of this repository, whose gateway takes part too. */
  readonly otherCheckout?: string;
  /** How long the mixed load of `--soak` lasts. */
  readonly soakMinutes: number;
  /** How many vectors the cache of `--cache` holds. */
  readonly cachedVectors: number;
  /** How many inputs the job of `--bulk` has. */
  readonly bulkInputs: number;
  /** How many processes the gateway runs as. */
  readonly workers: number;
}

export const usage = `Usage: npm run bench -- [options]

  (no option)         every workload, about 40 minutes; writes apps/docs/benchmarks.md and its chart
  --some              the same with fewer cases, about 20 minutes
  --quick             every workload, some minutes; prints the tables
  --ci                small embeddings and generated images against the bare proxy, a minute; fails far below them
  --profile           where the gateway spends its time; prints that section and writes it into the page
  --local             local models beside a plain loop, and their effect on other requests, three minutes;
                      prints that section and writes it into the page
  --soak <minutes>    small embeddings among large batches, edits, local models, hostile bodies, slow and broken
                      uploads and an upstream that floods; fails if they suffer from it, or if the memory is not back
                      a minute later
  --cache <vectors>   fills the cache on disk with vectors of 1,536 numbers, and looks some up in a new process;
                      a million take about 9 GB of the temporary folder and some minutes
  --bulk <inputs>     interactive requests alone and beside a bulk job of so many inputs, such as 200000, on an upstream
                      of a fixed capacity
  --runtime           ours beside the bare proxy on the Node that runs this, about ten minutes; prints that section and
                      writes it into the page
  --page              writes the page and the chart again from the last whole run on this machine
  --only <names>      some workloads: ${workloads.map(({ name }) => name).join(", ")}
  --rivals <names>    some rivals: ours, bare proxy, bare dispatch, bare answer, nginx, Portkey
  --other <folder>    another checkout of this repository, built: its gateway takes part as \`other\`
  --workers <n>       runs the gateway with WORKERS=n and the DATABASE_URL and REDIS_URL of the environment
  --help              prints this text

Names are separated by commas, without spaces between.`;

export function readCommand(given: readonly string[]): Command {
  const { values } = parseArgs({
    args: [...given],
    options: {
      quick: { type: "boolean" },
      some: { type: "boolean" },
      ci: { type: "boolean" },
      profile: { type: "boolean" },
      local: { type: "boolean" },
      soak: { type: "string" },
      cache: { type: "string" },
      bulk: { type: "string" },
      runtime: { type: "boolean" },
      page: { type: "boolean" },
      help: { type: "boolean" },
      only: { type: "string" },
      rivals: { type: "string" },
      other: { type: "string" },
      workers: { type: "string", default: "1" },
    },
  });
  const mode =
    (["help", "page", "ci", "profile", "local", "quick", "runtime"] as const).find(
      (name) => values[name] === true,
    ) ??
    (["soak", "cache", "bulk"] as const).find((name) => values[name] !== undefined) ??
    "full";
  const rivalNames = values.rivals?.split(",");
  return {
    mode,
    workloads: chooseWorkloads(values.only?.split(",")),
    isPartial:
      mode !== "full" ||
      [values.only, values.rivals, values.other].some((value) => value !== undefined) ||
      values.workers !== "1",
    isShort: values.some === true,
    soakMinutes: Number(values.soak ?? 0),
    cachedVectors: Number(values.cache ?? 0),
    bulkInputs: Number(values.bulk ?? 0),
    workers: Number(values.workers),
    ...(rivalNames === undefined ? {} : { rivalNames }),
    ...(values.other === undefined ? {} : { otherCheckout: values.other }),
  };
}

function chooseWorkloads(names: readonly string[] | undefined): readonly Workload[] {
  if (names === undefined) return workloads;
  return names.map((name) => {
    const found = workloads.find((workload) => workload.name === name);
    if (found === undefined) throw new Error(`There is no workload '${name}'.\n\n${usage}`);
    return found;
  });
}
