/** `npm run bench`: measures the gateway beside its rivals, and prints or publishes the results. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bulkTable, runBulk } from "./bulk/run-bulk.js";
import { cacheTable, measureCache } from "./cache/measure-cache.js";
import { passesCiCheck } from "./ci-check.js";
import { type Command, readCommand, usage } from "./command-line.js";
import { compareEngines } from "./local/compare-engines.js";
import { measurePassThrough } from "./local/measure-pass-through.js";
import { measureAll, type Results } from "./measure/measure-all.js";
import { fullPlan, quickPlan, shortPlan } from "./measure/plan.js";
import { openTestbed, type Testbed } from "./measure/testbed.js";
import { selfTimes } from "./profile/self-times.js";
import { takeProfile } from "./profile/take-profile.js";
import { writeChart } from "./report/chart.js";
import { goalsTable } from "./report/goals.js";
import { localHeading, localSection } from "./report/local-section.js";
import { replaceSection, workloadTable, writePage } from "./report/page.js";
import { profileHeading, profileSection } from "./report/profile-section.js";
import { keptSections, runtimeHeading, runtimeSection } from "./report/runtime-section.js";
import { runSoak, soakTable } from "./soak/run-soak.js";
import { workloads } from "./workloads/index.js";

/** A whole run, as it is stored for `--page`. */
interface StoredRun {
  readonly results: Results;
  readonly profile: string;
  readonly local: string;
}

const cacheFolder = fileURLToPath(new URL("../../../../node_modules/.cache/bench", import.meta.url));
const page = fileURLToPath(new URL("../../../docs/benchmarks.md", import.meta.url));
const chart = fileURLToPath(new URL("../../../docs/benchmarks.svg", import.meta.url));
const lastRun = join(cacheFolder, "last-run.json");

// Every child process adds a listener that kills it when this process exits.
process.setMaxListeners(100);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

const command = readCommand(process.argv.slice(2));
if (command.mode === "help") console.log(usage);
else if (command.mode === "cache") console.log(cacheTable(await measureCache(command.cachedVectors)));
else if (command.mode === "page") publish(JSON.parse(readFileSync(lastRun, "utf8")));
else {
  mkdirSync(cacheFolder, { recursive: true });
  const testbed = await openTestbed(command);
  try {
    await run(command, testbed);
  } finally {
    await testbed.close();
  }
}

async function run(command: Command, testbed: Testbed): Promise<void> {
  switch (command.mode) {
    case "ci":
      process.exitCode = (await passesCiCheck(testbed)) ? 0 : 1;
      return;
    case "profile":
      publishSection(profileHeading, await measureProfile(testbed));
      return;
    case "local":
      publishSection(localHeading, await measureLocal(testbed));
      return;
    case "soak": {
      const result = await runSoak(testbed, command.soakMinutes);
      console.log(soakTable(result));
      process.exitCode = result.failures.length === 0 ? 0 : 1;
      return;
    }
    case "runtime":
      publishSection(runtimeHeading(), runtimeSection(await measureRuntime(command, testbed)));
      return;
    case "bulk":
      console.log(bulkTable(await runBulk(testbed, command.bulkInputs)));
      return;
    default:
      await runWorkloads(command, testbed);
  }
}

async function runWorkloads(command: Command, testbed: Testbed): Promise<void> {
  const results = await measureAll({
    ...command,
    testbed,
    plan: command.mode === "quick" ? quickPlan : command.isShort ? shortPlan : fullPlan,
    cacheFolder,
    onMeasured: ({ name, description }, measurements) =>
      console.log(`\n${name}: ${description}\n\n${workloadTable(measurements)}`),
  });
  if (command.workloads.length > 1) console.log(`\n${goalsTable(results)}`);
  if (command.isPartial) return;
  const whole: StoredRun = {
    results,
    profile: await measureProfile(testbed),
    local: await measureLocal(testbed),
  };
  writeFileSync(lastRun, JSON.stringify(whole));
  publish(whole);
}

function measureRuntime({ workloads }: Command, testbed: Testbed): Promise<Results> {
  return measureAll({
    testbed,
    workloads,
    plan: shortPlan,
    rivalNames: ["ours", "bare proxy"],
    cacheFolder,
    onMeasured: ({ name }) => console.log(name),
  });
}

async function measureProfile(testbed: Testbed): Promise<string> {
  const profile = await takeProfile(testbed);
  const file = join(cacheFolder, "small-embedding.cpuprofile");
  writeFileSync(file, JSON.stringify(profile));
  console.log(`\nThe CPU profile, for a browser's developer tools: ${file}\n`);
  return profileSection(selfTimes(profile));
}

async function measureLocal(testbed: Testbed): Promise<string> {
  const engines = await compareEngines();
  return localSection({
    machine: testbed.machine,
    engines,
    passThrough: await measurePassThrough(testbed),
  });
}

function publish({ results, profile, local }: StoredRun): void {
  const runtimes = keptSections(readFileSync(page, "utf8"));
  writeFileSync(page, writePage(results, { workloads, sections: [profile, local, ...runtimes] }));
  writeFileSync(chart, writeChart(results, workloads));
}

function publishSection(heading: string, section: string): void {
  console.log(section);
  writeFileSync(page, replaceSection(readFileSync(page, "utf8"), heading, section));
}
