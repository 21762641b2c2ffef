import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type AbsentRival, direct, type Rival, withRivals } from "../rivals/rival.js";
import { chooseRivals } from "../rivals/rivals.js";
import type { Workload } from "../workloads/workload.js";
import { measureStarts, type StartFigures, type StartKind } from "./measure-start.js";
import type { Plan } from "./plan.js";
import { type Measurement, runWorkload, warmUpCompilers } from "./run-workload.js";
import type { Testbed } from "./testbed.js";

/** Everything that a run measured. */
export interface Results {
  readonly date: string;
  readonly machine: string;
  readonly versions: string;
  readonly pinning: string;
  readonly plan: string;
  readonly rivals: readonly { readonly name: string; readonly description: string }[];
  readonly absent: readonly AbsentRival[];
  readonly measurements: readonly Measurement[];
  readonly starts: Readonly<Record<StartKind, StartFigures>>;
}

export interface MeasureOptions {
  readonly testbed: Testbed;
  readonly plan: Plan;
  readonly workloads: readonly Workload[];
  /** The names of the rivals; all if undefined. */
  readonly rivalNames: readonly string[] | undefined;
  /** Another checkout of this repository, whose gateway is measured as well. */
  readonly otherCheckout: string | undefined;
  /** Install folder of the rivals, reused by later runs. */
  readonly cacheFolder: string;
  /** Called after each workload, so that a long run shows its progress. */
  readonly onMeasured: (workload: Workload, measurements: readonly Measurement[]) => void;
}

/** Measures every workload with every rival. */
export async function measureAll(options: MeasureOptions): Promise<Results> {
  const { testbed, plan, workloads } = options;
  const found = chooseRivals({
    names: options.rivalNames,
    comparesNodes: plan.comparesNodes,
    workloads: workloads.map(({ name }) => name),
    other: options.otherCheckout,
    cacheFolder: options.cacheFolder,
  });
  const rivals = found.filter((one): one is Rival => "start" in one);
  const absent = found.filter((one): one is AbsentRival => "reason" in one);
  const about = {
    date: new Date().toISOString().slice(0, 10),
    machine: testbed.machine,
    versions: `Node ${process.versions.node}, undici ${undiciVersion()}`,
    pinning: testbed.pinning,
    plan: plan.description,
  };
  console.log(`${about.machine}; ${about.versions}; ${about.pinning}.`);
  for (const { name, reason } of absent) console.log(`${name} does not take part: ${reason}.`);

  const starts = {
    remote: await measureStarts({ ...testbed, kind: "remote" }, plan.starts),
    default: await measureStarts({ ...testbed, kind: "default" }, plan.starts),
  };
  const measurements: Measurement[] = [];
  // Each workload has separate processes, so that their memory belongs to it.
  for (const workload of workloads) {
    const present = rivals.filter((rival) => rival.workloads?.includes(workload.name) ?? true);
    await withRivals(present, testbed, async (started) => {
      const contenders = [direct(testbed), ...started];
      await warmUpCompilers({ contenders, plan, testbed });
      const measured = await runWorkload(workload, { contenders, plan, testbed });
      options.onMeasured(workload, measured);
      measurements.push(...measured);
    });
  }
  return { ...about, rivals, absent, measurements, starts };
}

function undiciVersion(): string {
  const path = createRequire(import.meta.url).resolve("undici/package.json");
  return JSON.parse(readFileSync(path, "utf8")).version;
}
