import { performance } from "node:perf_hooks";
import type { LoadReport } from "../load/load.js";
import { nextMessage } from "../processes.js";
import { benchKey } from "../rivals/gateway.js";
import type { WatchOrder } from "../watch-gateway.js";
import { smallEmbedding } from "../workloads/small-embedding.js";
import type { Case, Workload } from "../workloads/workload.js";
import type { BenchGround } from "./bench-ground.js";
import type { Entrant } from "./entrants.js";
import type { Pace } from "./pace.js";

/** What one rival did with one case at one concurrency: a window for each round, in order. */
export interface Cell {
  readonly workload: string;
  readonly label: string;
  readonly concurrency: number;
  readonly rival: string;
  readonly windows: readonly LoadReport[];
  /** The longest stall of the event loop in all windows, where it was watched. */
  readonly stallMs?: number;
}

export interface RunNeeds {
  readonly entrants: readonly Entrant[];
  readonly pace: Pace;
  readonly ground: BenchGround;
}

/** Reading such an answer takes longer than a window: one is read while warming up. */
const largeBytes = 20_000_000;

/** Has everybody's program compiled by V8, which takes thousands of requests. */
export async function letCompile({ entrants, pace, ground }: RunNeeds): Promise<void> {
  const [chosen] = smallEmbedding.cases;
  if (chosen === undefined) return;
  const window = { ms: pace.compileMs, msMax: pace.compileMs, requestsMin: 1 };
  for (const entrant of entrants.filter(({ isCompiled }) => !isCompiled))
    await measure({ workload: smallEmbedding, chosen, concurrency: 32 }, entrant, { ground, pace, window });
}

/** Puts the same load on each in turn, round after round. */
export async function runWorkload(workload: Workload, needs: RunNeeds): Promise<Cell[]> {
  const cells: Cell[] = [];
  const { labels, concurrency: counts } = needs.pace.extent(workload);
  for (const chosen of workload.cases.filter(({ label }) => labels.includes(label))) {
    await warmUp({ workload, chosen, concurrency: needs.pace.warmUp.concurrency }, needs);
    for (const concurrency of counts)
      cells.push(...(await runRounds({ workload, chosen, concurrency }, needs)));
  }
  return cells;
}

interface Question {
  readonly workload: Workload;
  readonly chosen: Case;
  readonly concurrency: number;
}

/** Code is compiled, caches are filled and connections open before anything counts. */
async function warmUp(question: Question, { entrants, pace, ground }: RunNeeds): Promise<void> {
  const most = Math.max(...question.workload.concurrency);
  const concurrency = Math.min(question.concurrency, most);
  for (const entrant of entrants) {
    if (question.workload.uploads === true) ground.lookAtNextEdit();
    await measure({ ...question, concurrency }, entrant, { ground, pace, window: pace.warmUp });
  }
}

async function runRounds(question: Question, { entrants, pace, ground }: RunNeeds): Promise<Cell[]> {
  const windows = new Map<string, LoadReport[]>(entrants.map(({ name }) => [name, []]));
  const stalls: number[] = [];
  const begunAt = performance.now();
  for (let round = 0; round < pace.rounds && performance.now() - begunAt < pace.roundsMsMax; round += 1) {
    // Whoever is first in one round is last in the next.
    const order = [...entrants.slice(round % entrants.length), ...entrants.slice(0, round % entrants.length)];
    for (const entrant of order) {
      const isWatched = question.workload.watchesStalls === true && entrant.name === "ours";
      if (isWatched) await tell(entrant, "watch stalls");
      windows.get(entrant.name)?.push(await measureQuietly(question, entrant, { ground, pace }));
      if (isWatched) stalls.push(((await tell(entrant, "tell stalls")) as { longestMs: number }).longestMs);
    }
  }
  return entrants.map(({ name }) => ({
    workload: question.workload.name,
    label: question.chosen.label,
    concurrency: question.concurrency,
    rival: name,
    windows: windows.get(name) ?? [],
    ...(name === "ours" && stalls.length > 0 ? { stallMs: Math.max(...stalls) } : {}),
  }));
}

/** A window in which others had much of the machine is taken again, and the quietest is kept. */
async function measureQuietly(
  question: Question,
  entrant: Entrant,
  { ground, pace }: { ground: BenchGround; pace: Pace },
): Promise<LoadReport> {
  let quietest = await measure(question, entrant, { ground, pace, window: pace.window });
  for (let tries = 1; tries < pace.tries && (quietest.noise ?? 0) > pace.noiseMax; tries += 1) {
    const again = await measure(question, entrant, { ground, pace, window: pace.window });
    if ((again.noise ?? 0) < (quietest.noise ?? 0)) quietest = again;
  }
  return quietest;
}

async function measure(
  { workload, chosen, concurrency }: Question,
  { name, port, headers, started }: Entrant,
  { ground, pace, window }: { ground: BenchGround; pace: Pace; window: Pace["window"] },
): Promise<LoadReport> {
  const report = await ground.load({
    workload: workload.name,
    label: chosen.label,
    port,
    headers: { authorization: `Bearer ${benchKey}`, ...headers },
    concurrency,
    windowMs: window.ms,
    windowMsMax: window.msMax,
    requestsMin: Math.min(window.requestsMin, workload.warmUpRequests),
    samplesMax: chosen.answerBytesMin < largeBytes ? 16 : window === pace.warmUp ? 1 : 0,
    ...(started?.child.pid === undefined ? {} : { pid: started.child.pid }),
  });
  const faults = Object.entries(report.faults).map(([fault, count]) => `${count} x ${fault}`);
  if (faults.length > 0)
    throw new Error(`${name} failed on ${workload.name}, ${chosen.label}: ${faults.join("; ")}.`);
  return report;
}

/** Has the watcher inside the gateway do something. */
async function tell({ started }: Entrant, order: WatchOrder): Promise<unknown> {
  if (started === undefined) return undefined;
  const answered = nextMessage(started.child);
  started.child.send(order);
  return answered;
}
