/** `npm run bench`: measures the gateway beside its rivals, and prints or publishes the results. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { besideBatchTable, ratioMax, runBesideBatch } from "./beside-batch/run-beside-batch.js";
import { runCapacity, showCapacity } from "./capacity/run-capacity.js";
import { passesCiCheck } from "./ci-check.js";
import {
  type LocalMeasurement,
  lowestRatio,
  ratioMin,
  singlesTable,
  throughputTable,
} from "./local/local-tables.js";
import { runLocal } from "./local/run-local.js";
import { compareStarts } from "./measure/compare-starts.js";
import { measureAll } from "./measure/measure-all.js";
import { fullPlan, quickPlan, shortPlan } from "./measure/plan.js";
import { takeProfile } from "./measure/take-profile.js";
import { openTestbed, type Testbed } from "./measure/testbed.js";
import { goalsTable } from "./report/goals.js";
import { workloadTable, writePage } from "./report/page.js";
import { timeTable } from "./report/request-time.js";
import { runSoak } from "./soak/run-soak.js";
import { soakTable } from "./soak/soak-result.js";
import { workloads } from "./workloads/images.js";
import type { Workload } from "./workloads/workload.js";

const usage = `Usage: npm run bench -- [options]

  (no option)         every workload, about 40 minutes; writes apps/docs/benchmarks.md
  --some              the same with fewer cases, about 20 minutes
  --quick             every workload, some minutes; prints the tables
  --ci                small embeddings and generated images against the bare proxy, a minute; fails far below them
  --start             ten starts, with upstreams and with the local models: time to the first response, CPU time and
                      idle memory; with --other beside another build
  --profile           the parts of a request's CPU time; also writes a CPU profile of the gateway under small
                      embeddings, for a browser's developer tools
  --soak <minutes>    small embeddings among large batches, edits, local models, hostile bodies, slow and broken
                      uploads and an upstream that floods, beside five keys and three strangers that attack; fails if
                      they suffer from it, if an image is bought twice or is not in the ledger, or if the memory is
                      not back a minute later
  --beside-batch      live requests to an upstream of fixed capacity, alone and beside a running batch; fails if
                      their p99 beside it is above 1.5 times that alone
  --local             gte-small through bare onnxruntime-node, the engine and the gateway: 1, 32 and 512 texts a call,
                      on one core and on all, and single texts beside bulk calls; some minutes. With --other beside
                      the engine of another checkout. Fails if the engine is below 0.9 of the bare runtime,
                      text by text, in throughput and in CPU time
  --replicas <count>  round trips, bytes and CPU time of PostgreSQL, Redis and a bucket for one request of each kind,
                      and mixed load on one replica and on so many; about ten minutes. Writes the page of capacity;
                      fails if its simulation is 20 % off a measured point. Needs a PostgreSQL at 127.0.0.1:5432
                      that trusts the user postgres, and redis-server
  --capacity          writes and prints the tables of that page from the last measurement
  --only <names>      some workloads: ${workloads.map(({ name }) => name).join(", ")}
  --rivals <names>    some rivals: ours, bare proxy, memory server, nginx, Portkey, ours on Node 24, bare proxy on Node 24
  --other <folder>    another checkout of this repository, built: its gateway takes part as \`other\`
  --help              prints this text

Names are separated by commas, without spaces between.`;

const cacheFolder = fileURLToPath(new URL("../../../../node_modules/.cache/bench", import.meta.url));
const page = fileURLToPath(new URL("../../../docs/benchmarks.md", import.meta.url));

// Every child process adds a listener that kills it when this process exits.
process.setMaxListeners(100);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean" },
    some: { type: "boolean" },
    ci: { type: "boolean" },
    start: { type: "boolean" },
    profile: { type: "boolean" },
    soak: { type: "string" },
    "beside-batch": { type: "boolean" },
    local: { type: "boolean" },
    replicas: { type: "string" },
    capacity: { type: "boolean" },
    only: { type: "string" },
    rivals: { type: "string" },
    other: { type: "string" },
    help: { type: "boolean" },
  },
});
if (options.help === true) console.log(usage);
else if (options.capacity === true) process.exitCode = showCapacity() ? 0 : 1;
else {
  mkdirSync(cacheFolder, { recursive: true });
  const testbed = await openTestbed();
  try {
    await run(testbed);
  } finally {
    await testbed.close();
  }
}

async function run(testbed: Testbed): Promise<void> {
  if (options.ci === true) process.exitCode = (await passesCiCheck(testbed)) ? 0 : 1;
  else if (options.start === true) console.log(await compareStarts(testbed, options.other));
  else if (options.profile === true) {
    const file = join(cacheFolder, "small-embedding.cpuprofile");
    const { profile, time } = await takeProfile(testbed);
    writeFileSync(file, JSON.stringify(profile));
    console.log(`${timeTable(time)}\n\n${file}`);
  } else if (options.soak !== undefined) {
    const result = await runSoak(testbed, Number(options.soak));
    console.log(soakTable(result));
    process.exitCode = result.failures.length === 0 ? 0 : 1;
  } else if (options["beside-batch"] === true) {
    const result = await runBesideBatch(testbed);
    console.log(besideBatchTable(result));
    process.exitCode = result.ratio <= ratioMax ? 0 : 1;
  } else if (options.local === true) {
    const onMeasured = (rows: readonly LocalMeasurement[]) => console.log(`\n${throughputTable(rows)}`);
    console.log(testbed.machine);
    const result = await runLocal(testbed, { other: options.other, onMeasured });
    console.log(`\n${singlesTable(result.singles)}`);
    process.exitCode = lowestRatio(result) >= ratioMin ? 0 : 1;
  } else if (options.replicas !== undefined)
    process.exitCode = (await runCapacity(testbed, Number(options.replicas))) ? 0 : 1;
  else await runWorkloads(testbed);
}

async function runWorkloads(testbed: Testbed): Promise<void> {
  const isWhole = [options.quick, options.only, options.rivals, options.other].every(
    (one) => one === undefined,
  );
  // First: it fails if the build is out of date.
  const requestTime = isWhole ? (await takeProfile(testbed)).time : undefined;
  const results = await measureAll({
    testbed,
    workloads: chooseWorkloads(options.only?.split(",")),
    plan: options.quick === true ? quickPlan : options.some === true ? shortPlan : fullPlan,
    rivalNames: options.rivals?.split(","),
    otherCheckout: options.other,
    cacheFolder,
    onMeasured: ({ name, description }, measurements) =>
      console.log(`\n${name}: ${description}\n\n${workloadTable(measurements)}`),
  });
  if (options.only === undefined) console.log(`\n${goalsTable(results)}`);
  if (requestTime !== undefined) writeFileSync(page, writePage({ results, workloads, requestTime }));
}

function chooseWorkloads(names: readonly string[] | undefined): readonly Workload[] {
  if (names === undefined) return workloads;
  return names.map((name) => {
    const found = workloads.find((workload) => workload.name === name);
    if (found === undefined) throw new Error(`There is no workload '${name}'.\n\n${usage}`);
    return found;
  });
}
