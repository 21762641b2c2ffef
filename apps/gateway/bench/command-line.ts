import { parseArgs } from "node:util";
import { workloads } from "./workloads/index.js";
import type { Workload } from "./workloads/workload.js";

export interface Command {
  readonly mode: "full" | "quick" | "ci" | "profile" | "local" | "page" | "help";
  readonly workloads: readonly Workload[];
  /** Whether anything but a whole run was asked for, which is printed and not published. */
  readonly isPart: boolean;
  /** The names of those that take part; all where absent. */
  readonly rivals?: readonly string[];
  /** How many processes the gateway runs as. */
  readonly workers: number;
}

export const usage = `Usage: npm run bench -- [options]

  (nothing)           every workload, some 25 minutes; writes apps/docs/benchmarks.md and its chart
  --quick             every workload, under two minutes; prints
  --ci                one workload against the bare proxy, half a minute; fails under a ratio of 0.4
  --profile           where the gateway spends its time; prints, and writes that part of the page
  --local             local models beside a plain loop, and what they do to others, three minutes; the same
  --page              writes the page and the chart again from the last whole run on this machine
  --only <names>      some workloads: ${workloads.map(({ name }) => name).join(", ")}
  --rivals <names>    some rivals: ours, bare proxy, bare dispatch, bare answer, nginx, Portkey
  --workers <n>       runs the gateway with WORKERS=n, on the DATABASE_URL and REDIS_URL of the environment`;

export function readCommand(given: readonly string[]): Command {
  const { values } = parseArgs({
    args: [...given],
    options: {
      quick: { type: "boolean" },
      ci: { type: "boolean" },
      profile: { type: "boolean" },
      local: { type: "boolean" },
      page: { type: "boolean" },
      help: { type: "boolean" },
      only: { type: "string" },
      rivals: { type: "string" },
      workers: { type: "string", default: "1" },
    },
  });
  const mode =
    (["help", "page", "ci", "profile", "local", "quick"] as const).find((name) => values[name] === true) ??
    "full";
  const rivals = values.rivals?.split(",");
  return {
    mode,
    workloads: chosenWorkloads(values.only?.split(",")),
    isPart: mode !== "full" || values.only !== undefined || rivals !== undefined || values.workers !== "1",
    workers: Number(values.workers),
    ...(rivals === undefined ? {} : { rivals }),
  };
}

function chosenWorkloads(names: readonly string[] | undefined): readonly Workload[] {
  if (names === undefined) return workloads;
  return names.map((name) => {
    const found = workloads.find((workload) => workload.name === name);
    if (found === undefined) throw new Error(`There is no workload '${name}'.\n\n${usage}`);
    return found;
  });
}
