/** `npm run bench`: measures the gateway beside its rivals, and says what came out. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, readCommand, usage } from "./command-line.js";
import { compareEngines } from "./local/compare-engines.js";
import { localHeading, localSection } from "./local/local-section.js";
import { measureStarving } from "./local/measure-starving.js";
import { type BenchGround, openGround } from "./measure/bench-ground.js";
import { fullPace, quickPace } from "./measure/pace.js";
import { measureAll } from "./measure-all.js";
import { passesCi } from "./passes-ci.js";
import { selfTimes } from "./profile/self-times.js";
import { takeProfile } from "./profile/take-profile.js";
import { aimsTable } from "./report/aims.js";
import { writeChart } from "./report/chart.js";
import { describeMachine } from "./report/machine.js";
import { replaceSection, writePage } from "./report/page.js";
import { profileHeading, profileSection } from "./report/profile-section.js";
import type { Results } from "./report/results.js";
import { workloads } from "./workloads/index.js";

const cacheFolder = fileURLToPath(new URL("../../../../node_modules/.cache/bench", import.meta.url));
const page = fileURLToPath(new URL("../../../docs/benchmarks.md", import.meta.url));
const chart = fileURLToPath(new URL("../../../docs/benchmarks.svg", import.meta.url));
const lastRun = join(cacheFolder, "last-run.json");

// Each program that runs has a listener that ends it with this process.
process.setMaxListeners(100);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

const command = readCommand(process.argv.slice(2));
if (command.mode === "help") console.log(usage);
else if (command.mode === "page") publish(JSON.parse(readFileSync(lastRun, "utf8")));
else {
  mkdirSync(cacheFolder, { recursive: true });
  const ground = await openGround(command);
  try {
    await run(command, ground);
  } finally {
    await ground.close();
  }
}

async function run(command: Command, ground: BenchGround): Promise<void> {
  switch (command.mode) {
    case "ci":
      process.exitCode = (await passesCi(ground)) ? 0 : 1;
      return;
    case "profile": {
      const profile = await profileText(ground);
      console.log(profile);
      replaceInPage(profileHeading, profile);
      return;
    }
    case "local": {
      const local = await localText(ground);
      console.log(local);
      replaceInPage(localHeading, local);
      return;
    }
    default: {
      const pace = command.mode === "quick" ? quickPace : fullPace;
      const results = await measureAll(command, { ground, pace, cacheFolder });
      if (command.workloads.length > 1) console.log(`\n${aimsTable(results)}`);
      if (command.isPart) return;
      const run: Run = { results, profile: await profileText(ground), local: await localText(ground) };
      writeFileSync(lastRun, JSON.stringify(run));
      publish(run);
    }
  }
}

interface Run {
  readonly results: Results;
  readonly profile: string;
  readonly local: string;
}

function publish({ results, profile, local }: Run): void {
  writeFileSync(page, writePage(results, { workloads, sections: [profile, local] }));
  writeFileSync(chart, writeChart(results, workloads));
}

function replaceInPage(heading: string, section: string): void {
  writeFileSync(page, replaceSection(readFileSync(page, "utf8"), heading, section));
}

async function localText(ground: BenchGround): Promise<string> {
  const engines = await compareEngines();
  return localSection({ machine: describeMachine(), engines, starving: await measureStarving(ground) });
}

async function profileText(ground: BenchGround): Promise<string> {
  const profile = await takeProfile(ground);
  const file = join(cacheFolder, "small-embedding.cpuprofile");
  writeFileSync(file, JSON.stringify(profile));
  console.log(`\nThe profile as V8 wrote it, for a browser's developer tools: ${file}\n`);
  return profileSection(selfTimes(profile));
}
