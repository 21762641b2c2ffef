import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Command } from "./command-line.js";
import type { BenchGround } from "./measure/bench-ground.js";
import { direct, withEntrants } from "./measure/entrants.js";
import { measureStart } from "./measure/measure-start.js";
import type { Pace } from "./measure/pace.js";
import { type Cell, letCompile, runWorkload } from "./measure/run-workload.js";
import { describeMachine } from "./report/machine.js";
import type { Results } from "./report/results.js";
import { workloadTable } from "./report/workload-table.js";
import { gateway } from "./rivals/gateway.js";
import { findNginx } from "./rivals/nginx.js";
import { bareAnswer, bareProxy, dispatchProxy } from "./rivals/node-proxies.js";
import { findPortkey } from "./rivals/portkey.js";
import type { Absent, Rival } from "./rivals/rival.js";
import type { Workload } from "./workloads/workload.js";

export interface MeasureNeeds {
  readonly ground: BenchGround;
  readonly pace: Pace;
  /** Where rivals are installed, and found again in the next run. */
  readonly cacheFolder: string;
}

/** Asks every question of everybody, and prints each table when it is there. */
export async function measureAll(
  command: Command,
  { ground, pace, cacheFolder }: MeasureNeeds,
): Promise<Results> {
  const { rivals, absent } = chooseRivals(command, cacheFolder);
  const about = {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    versions: `Node ${process.versions.node}, undici ${undiciVersion()}`,
    pinning: ground.pinning,
    pace: pace.description,
  };
  console.log(`${about.machine}; ${about.versions}; ${about.pinning}.`);
  for (const { name, reason } of absent) console.log(`${name} does not take part: ${reason}.`);

  const start = await measureStart(ground, pace.starts);
  const measure = (workloads: readonly Workload[]) =>
    withEntrants(rivals, ground, async (started) => {
      const entrants = [direct(ground), ...started];
      await letCompile({ entrants, pace, ground });
      const cells: Cell[] = [];
      for (const workload of workloads) {
        const measured = await runWorkload(workload, { entrants, pace, ground });
        console.log(`\n${workload.name}: ${workload.question}\n\n${workloadTable(measured)}`);
        cells.push(...measured);
      }
      return cells;
    });
  const groups = pace.startsAnew ? command.workloads.map((workload) => [workload]) : [command.workloads];
  const cells: Cell[] = [];
  for (const group of groups) cells.push(...(await measure(group)));
  return { ...about, rivals, absent, cells, start };
}

function chooseRivals(command: Command, cacheFolder: string): { rivals: Rival[]; absent: Absent[] } {
  const isAsked = (name: string) => command.rivals?.includes(name) ?? true;
  const found = [
    gateway,
    bareProxy,
    // The same proxy twice, and what only answers, are for whoever asks for them.
    ...(command.rivals === undefined ? [] : [dispatchProxy, bareAnswer]),
    ...(isAsked("Portkey") ? [findPortkey(cacheFolder)] : []),
    findNginx(),
  ].filter(({ name }) => isAsked(name));
  return {
    rivals: found.filter((one): one is Rival => "start" in one),
    absent: found.filter((one): one is Absent => "reason" in one),
  };
}

function undiciVersion(): string {
  const path = createRequire(import.meta.url).resolve("undici/package.json");
  return JSON.parse(readFileSync(path, "utf8")).version;
}
