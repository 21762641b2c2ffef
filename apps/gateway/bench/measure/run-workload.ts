import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { LoadReport } from "../load/load-job.js";
import { ask } from "../processes.js";
import { benchKey } from "../rivals/gateway.js";
import type { ProbeCommand } from "../rivals/gateway-probe.js";
import type { Contender } from "../rivals/rival.js";
import type { Stalls } from "../rivals/stall-watch.js";
import { smallEmbedding } from "../workloads/embeddings.js";
import type { Workload, WorkloadCase } from "../workloads/workload.js";
import type { Plan, Window } from "./plan.js";
import type { Testbed } from "./testbed.js";

/** One rival with one case at one concurrency. */
export interface Measurement {
  readonly workload: string;
  readonly label: string;
  readonly concurrency: number;
  readonly rival: string;
  /** One window per round, in order. */
  readonly windows: readonly LoadReport[];
  /** The longest event-loop stall in all windows; absent if it was not watched. */
  readonly stallMs?: number;
  /** The longest work between two ticks of a timer in all windows; absent if it was not watched. */
  readonly workMs?: number;
}

export interface RunOptions {
  readonly contenders: readonly Contender[];
  readonly plan: Plan;
  readonly testbed: Testbed;
}

interface Scenario {
  readonly workload: Workload;
  readonly workloadCase: WorkloadCase;
  readonly concurrency: number;
}

/** Verifying a response of this size takes longer than a window: only one is verified, while warming up. */
const largeBytes = 20_000_000;

const cacheFillMsMax = 20_000;

/** Makes V8 compile every rival's hot code, which takes thousands of requests. */
export async function warmUpCompilers({ contenders, plan, testbed }: RunOptions): Promise<void> {
  const [workloadCase] = smallEmbedding.cases;
  if (workloadCase === undefined) return;
  const scenario = { workload: smallEmbedding, workloadCase, concurrency: 32 };
  const window = { ms: plan.compileMs, msMax: plan.compileMs, requestsMin: 1 };
  for (const contender of contenders.filter(({ isNative }) => !isNative))
    await runWindow(scenario, contender, { testbed, plan, window });
}

/** Puts the same load on each contender in turn, round after round. */
export async function runWorkload(workload: Workload, options: RunOptions): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  const { labels, concurrency: counts } = options.plan.scope(workload);
  for (const workloadCase of workload.cases.filter(({ label }) => labels.includes(label))) {
    const scenario = { workload, workloadCase, concurrency: options.plan.warmUp.concurrency };
    const contenders = await warmUp(scenario, options);
    for (const concurrency of counts)
      measurements.push(...(await runRounds({ ...scenario, concurrency }, { ...options, contenders })));
  }
  return measurements;
}

/** The baselines. Other rivals may be unable to serve a case and skip it. */
const required = ["ours", "bare proxy"];

/** Fills caches and opens connections before anything counts. Returns the contenders that can serve the case. */
async function warmUp(
  scenario: Scenario,
  { contenders, plan, testbed }: RunOptions,
): Promise<readonly Contender[]> {
  const highest = Math.max(...scenario.workload.concurrency);
  const warm = { ...scenario, concurrency: Math.min(scenario.concurrency, highest) };
  const { cacheFillRequests = 0, uploads } = scenario.workload;
  const fill = { ms: 0, requestsMin: cacheFillRequests, msMax: cacheFillMsMax };
  const ready: Contender[] = [];
  for (const contender of contenders) {
    try {
      if (cacheFillRequests > 0) await runWindow(warm, contender, { testbed, plan, window: fill });
      if (uploads === true) testbed.verifyNextUpload();
      await runWindow(warm, contender, { testbed, plan, window: plan.warmUp });
      ready.push(contender);
    } catch (failure) {
      if (required.includes(contender.name) || !(failure instanceof Error)) throw failure;
      console.log(`${failure.message} It takes no part.`);
    }
  }
  return ready;
}

async function runRounds(
  scenario: Scenario,
  { contenders, plan, testbed }: RunOptions,
): Promise<Measurement[]> {
  const windows = new Map<string, LoadReport[]>(contenders.map(({ name }) => [name, []]));
  const stalls: Stalls[] = [];
  const { idleMs = 0 } = scenario.workload;
  const startedAt = performance.now();
  const lastStart = startedAt + plan.roundsMsMax + plan.rounds * idleMs;
  for (let round = 0; round < plan.rounds && performance.now() < lastStart; round += 1) {
    if (idleMs > 0) await setTimeout(idleMs);
    // The order rotates: the first of one round is the last of the next.
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const isWatched = scenario.workload.watchesStalls === true && contender.name === "ours";
      if (isWatched) await askProbe(contender, "start stall watch");
      windows.get(contender.name)?.push(await runQuietWindow(scenario, contender, { testbed, plan }));
      if (isWatched) stalls.push((await askProbe(contender, "stop stall watch")) as Stalls);
    }
  }
  return contenders.map(({ name }) => ({
    workload: scenario.workload.name,
    label: scenario.workloadCase.label,
    concurrency: scenario.concurrency,
    rival: name,
    windows: windows.get(name) ?? [],
    ...(name === "ours" ? longestOf(stalls) : {}),
  }));
}

function longestOf(stalls: readonly Stalls[]): Pick<Measurement, "stallMs" | "workMs"> {
  if (stalls.length === 0) return {};
  const work = stalls.flatMap(({ longestWorkMs }) => longestWorkMs ?? []);
  return {
    stallMs: Math.max(...stalls.map(({ longestMs }) => longestMs)),
    ...(work.length === 0 ? {} : { workMs: Math.max(...work) }),
  };
}

/** Repeats a window if unrelated processes used much of the machine, and keeps the quietest one. */
async function runQuietWindow(
  scenario: Scenario,
  contender: Contender,
  { testbed, plan }: { testbed: Testbed; plan: Plan },
): Promise<LoadReport> {
  const run = () => runWindow(scenario, contender, { testbed, plan, window: plan.window });
  const load = ({ backgroundLoad = 0 }: LoadReport) => backgroundLoad;
  let quietest = await run();
  for (let attempts = 1; attempts < plan.attempts && load(quietest) > plan.backgroundLoadMax; attempts += 1) {
    const next = await run();
    if (load(next) < load(quietest)) quietest = next;
  }
  return quietest;
}

async function runWindow(
  { workload, workloadCase, concurrency }: Scenario,
  { name, port, headers, child }: Contender,
  { testbed, plan, window }: { testbed: Testbed; plan: Plan; window: Window },
): Promise<LoadReport> {
  const report = await testbed.load({
    workload: workload.name,
    label: workloadCase.label,
    port,
    headers: { authorization: `Bearer ${benchKey}`, ...headers },
    concurrency,
    windowMs: window.ms,
    windowMsMax: window.msMax,
    requestsMin: Math.min(window.requestsMin, workload.warmUpRequests),
    samplesMax: workloadCase.responseBytesMin < largeBytes ? 16 : window === plan.warmUp ? 1 : 0,
    ...(child?.pid === undefined ? {} : { pid: child.pid }),
    ...(workload.neighbours === undefined ? {} : { neighbours: workload.neighbours }),
  });
  const faults = Object.entries(report.faults).map(([fault, count]) => `${count} x ${fault}`);
  if (faults.length > 0)
    throw new Error(`${name} failed on ${workload.name}, ${workloadCase.label}: ${faults.join("; ")}.`);
  return report;
}

async function askProbe({ child }: Contender, command: ProbeCommand): Promise<unknown> {
  return child === undefined ? undefined : ask(child, command);
}
