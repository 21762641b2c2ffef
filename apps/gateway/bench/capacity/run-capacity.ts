import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Testbed } from "../measure/testbed.js";
import { openBackingServices } from "./backing-services.js";
import { capacityTables, withTables } from "./capacity-tables.js";
import { comparePoint, isOff, worstOf } from "./compare-points.js";
import { type CapacityConstants, type MeasuredPoint, readConstants } from "./constants.js";
import { measureConstants, warmUp } from "./measure-constants.js";
import { measurePoints } from "./measure-points.js";
import { measureBase } from "./meter.js";
import { startReplicas } from "./replicas.js";
import { RequestSender } from "./send-request.js";

/** From the compiled file: the sources are beside `dist`. */
const constantsFile = fileURLToPath(new URL("../../capacity/constants.json", import.meta.url));
const page = fileURLToPath(new URL("../../../../docs/guides/capacity.md", import.meta.url));

/**
 * Measures what requests cost PostgreSQL, Redis and the bucket, writes the constants and the tables of the page, and
 * returns false if the simulation is too far from a measured point.
 */
export async function runCapacity(testbed: Testbed, replicas: number): Promise<boolean> {
  if (!Number.isInteger(replicas) || replicas < 1) throw new Error("--replicas takes a number from 1.");
  const alone = await withServices(testbed, 1, ({ points }) => points());
  const { measured, together } = await withServices(testbed, replicas, async ({ constants, points }) => ({
    measured: await constants(),
    together: await points(),
  }));
  const constants: CapacityConstants = {
    machine: testbed.machine,
    date: new Date().toISOString().slice(0, 10),
    ...measured,
    points: [...alone, ...(replicas === 1 ? [] : together)],
  };
  writeFileSync(constantsFile, `${JSON.stringify(constants, undefined, 2)}\n`);
  return showCapacity(constants);
}

/** Writes the tables from the constants of the last measurement to the page, and prints them. */
export function showCapacity(constants = readConstants(constantsFile)): boolean {
  const tables = capacityTables(constants);
  writeFileSync(page, withTables(readFileSync(page, "utf8"), tables));
  for (const [heading, table] of Object.entries(tables)) console.log(`\n${heading}\n\n${table}`);
  const compared = constants.points.flatMap((point) => comparePoint(constants, point));
  const worst = worstOf(compared.filter(({ figure }) => figure !== "cpuUs"));
  if (worst === undefined) return false;
  const { service, figure, measured, simulated, deviation } = worst;
  console.log(
    `\nThe largest deviation is ${(100 * deviation).toFixed(0)} %: ${service}, ${figure}, measured ${Math.round(measured)}, simulated ${Math.round(simulated)}.`,
  );
  return !compared.some(isOff);
}

interface Measurements {
  readonly constants: () => ReturnType<typeof measureConstants>;
  readonly points: () => Promise<readonly MeasuredPoint[]>;
}

/** A database, a Redis, a bucket and replicas, all of them new. */
async function withServices<T>(
  testbed: Testbed,
  count: number,
  use: (measurements: Measurements) => Promise<T>,
): Promise<T> {
  const services = await openBackingServices();
  try {
    const base = await measureBase(services);
    const replicas = await startReplicas(count, testbed, services);
    try {
      const options = { services, replicas, sender: new RequestSender(replicas), base };
      const say = (line: string) => console.error(`${count} replicas: ${line}`);
      return await use({
        constants: () => measureConstants({ ...options, say }),
        points: async () => {
          say("measuring mixed load");
          await warmUp(options);
          return measurePoints(options);
        },
      });
    } finally {
      await replicas.close();
    }
  } finally {
    await services.close();
  }
}
