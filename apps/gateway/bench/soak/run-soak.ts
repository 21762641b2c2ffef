import type { ChildProcess } from "node:child_process";
import { setPriority } from "node:os";
import { setTimeout } from "node:timers/promises";
import { readProcessUsage } from "../load/resource-usage.js";
import type { Testbed } from "../measure/testbed.js";
import {
  ask,
  nextMessage,
  nodeProgram,
  startProgram,
  stopProgram,
  waitUntilListening,
} from "../processes.js";
import { formatNumber, table } from "../report/markdown.js";
import { prepareGateway, withProbe } from "../rivals/gateway.js";
import type { ProbeCommand } from "../rivals/gateway-probe.js";
import type { Stalls } from "../rivals/stall-watch.js";
import { othersShareMax, runQuietly, withShareOfOthers } from "./share-of-others.js";
import type { KindReport, PacedKind, SoakJob } from "./soak-caller.js";

const localModel = "all-MiniLM-L6-v2";
const small: PacedKind = { name: "small", everyMs: 50, inFlightMax: 64 };
const others: readonly PacedKind[] = [
  { name: "batch", everyMs: 10_000, inFlightMax: 2 },
  { name: "generation", everyMs: 2500, inFlightMax: 4 },
  { name: "edit", everyMs: 30_000, inFlightMax: 2 },
  { name: "local", everyMs: 5000, inFlightMax: 2 },
];
/** Some ten of a hundred requests. Two cores must have time for all of it, callers and upstreams included. */
const hostile: readonly PacedKind[] = [
  { name: "hostile", everyMs: 925, inFlightMax: 4 },
  { name: "long-run", everyMs: 2000, inFlightMax: 2 },
  { name: "tiny-chunks", everyMs: 10_000, inFlightMax: 1 },
  { name: "slow-form", everyMs: 2500, inFlightMax: 10 },
  { name: "departure", everyMs: 5000, inFlightMax: 2 },
  { name: "flood", everyMs: 5000, inFlightMax: 2 },
];

/** On a separate machine, the load and its upstream would not take time from the gateway. */
const loadPriority = 10;
const warmUpMs = 20_000;
const quietMs = 30_000;
/** Time after the load in which memory must be back, and the amount that may stay. */
const restMs = 60_000;
const residentShareMax = 1.2;
/** The configuration guide's figure for the default `limits.bodiesBytesMax`, plus 350 MB for a local model. */
const residentMbMax = 384 + 2 * 512 + 350;

/** Small embeddings alone, then among large, slow and hostile requests. */
export interface SoakResult {
  readonly quiet: KindReport;
  readonly mixed: readonly KindReport[];
  /** The share of all cores that other processes and other machines used, in each of the two runs. */
  readonly othersShare: { readonly quiet: number; readonly mixed: number };
  /** Stalls of the gateway in the mixed run. */
  readonly stalls: Stalls;
  readonly residentMb: {
    /** Before the hostile load, when the gateway had served the other requests for a while. */
    readonly before: number;
    readonly start: number;
    readonly halfway: number;
    readonly end: number;
    readonly peak: number;
    /** A minute after the load. */
    readonly after: number;
  };
  /** Why the run is not good enough; empty where it is. */
  readonly failures: readonly string[];
}

export async function runSoak(testbed: Testbed, minutes: number): Promise<SoakResult> {
  // The caller and the upstream whose latencies count do nothing else, and the rest of the load waits for a core.
  const smallUpstream = startProgram(nodeProgram("upstream/raw-upstream.js"));
  const { port: plainPort } = (await nextMessage(smallUpstream)) as { port: number };
  const floodUpstream = startProgram(nodeProgram("soak/hostile-upstream.js"));
  const { port: floodPort } = (await nextMessage(floodUpstream)) as { port: number };
  const smallCaller = startProgram(nodeProgram("soak/soak-caller.js"));
  const otherCaller = startProgram(nodeProgram("soak/soak-caller.js"));
  for (const pid of [otherCaller.pid, floodUpstream.pid, testbed.upstreamPid])
    setPriority(pid ?? 0, loadPriority);
  const { port, program } = await prepareGateway(testbed, { localModel, plainPort, floodPort });
  const gateway = startProgram(withProbe(program));
  const own = [process, testbed, smallUpstream, floodUpstream, smallCaller, otherCaller, gateway].map(
    (one) => ("upstreamPid" in one ? one.upstreamPid : (one.pid ?? 0)),
  );
  try {
    await Promise.all([smallCaller, otherCaller].map(nextMessage));
    await waitUntilListening(port, gateway);
    const run = async (child: ChildProcess, kinds: readonly PacedKind[], ms: number) =>
      (await ask(child, { port, kinds, ms } satisfies SoakJob)) as KindReport[];
    await Promise.all([run(smallCaller, [small], warmUpMs), run(otherCaller, others, warmUpMs)]);
    const { value: quiet, share: quietShare } = await runQuietly(async () => {
      const [report] = await run(smallCaller, [small], quietMs);
      if (report === undefined) throw new Error("The quiet run has no report.");
      return report;
    }, own);
    const pid = gateway.pid ?? 0;
    const before = residentMbOf(pid);
    const memory = watchMemory(pid);
    const ms = minutes * 60_000;
    await ask(gateway, "start stall watch" satisfies ProbeCommand);
    const { value: mixed, share: mixedShare } = await withShareOfOthers(
      () => Promise.all([run(smallCaller, [small], ms), run(otherCaller, [...others, ...hostile], ms)]),
      own,
    );
    const stalls = (await ask(gateway, "stop stall watch" satisfies ProbeCommand)) as Stalls;
    const during = memory.stop();
    await setTimeout(restMs);
    const residentMb = { before, ...during, after: residentMbOf(pid) };
    const result = { quiet, mixed: mixed.flat(), residentMb, stalls };
    const othersShare = { quiet: quietShare, mixed: mixedShare };
    return { ...result, othersShare, failures: failuresOf({ ...result, othersShare }) };
  } finally {
    await Promise.all([gateway, smallUpstream, floodUpstream, smallCaller, otherCaller].map(stopProgram));
  }
}

function failuresOf({ quiet, mixed, othersShare, residentMb }: Omit<SoakResult, "failures">): string[] {
  const { before, halfway, end, peak, after } = residentMb;
  const failures = [quiet, ...mixed].flatMap(({ name, faults }) =>
    faults.map((fault) => `${name}: ${fault}`),
  );
  const busy = mixed.find(({ name }) => name === "small");
  if (busy !== undefined && busy.p99Ms > 5 * quiet.p99Ms)
    failures.push(
      `the p99 of small embeddings is ${(busy.p99Ms / quiet.p99Ms).toFixed(1)} times its quiet p99`,
    );
  if (othersShare.quiet > othersShareMax)
    failures.push(
      `the machine was not quiet, so the quiet p99 says nothing: others used ${percent(othersShare.quiet)} of it`,
    );
  if (peak > residentMbMax) failures.push(`the resident memory had a peak of ${peak} MB`);
  if (end > 1.5 * halfway) failures.push(`the resident memory grew from ${halfway} to ${end} MB`);
  if (after > residentShareMax * before)
    failures.push(`the resident memory was ${before} MB before the load and ${after} MB a minute after it`);
  return failures;
}

/** Samples the resident memory of a process. */
function watchMemory(pid: number) {
  const samples = [residentMbOf(pid)];
  const timer = setInterval(() => samples.push(residentMbOf(pid)), 1000);
  return {
    stop: (): Omit<SoakResult["residentMb"], "before" | "after"> => {
      clearInterval(timer);
      const mean = (part: readonly number[]) =>
        Math.round(part.reduce((sum, one) => sum + one, 0) / part.length);
      const tenth = Math.max(1, Math.floor(samples.length / 10));
      const half = Math.floor(samples.length / 2);
      return {
        start: mean(samples.slice(0, tenth)),
        halfway: mean(samples.slice(half, half + tenth)),
        end: mean(samples.slice(-tenth)),
        peak: Math.max(...samples),
      };
    },
  };
}

function residentMbOf(pid: number): number {
  return Math.round((readProcessUsage(pid)?.rssBytes ?? 0) / 2 ** 20);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** The result as a table, for the terminal. */
export function soakTable({ quiet, mixed, othersShare, stalls, residentMb, failures }: SoakResult): string {
  const row = (label: string, { sent, statuses, p50Ms, p99Ms, maxMs }: KindReport) => {
    const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
    return [label, String(sent), counts.join("; "), ...[p50Ms, p99Ms, maxMs].map(formatNumber)];
  };
  const { before, start, halfway, end, peak, after } = residentMb;
  return [
    table(
      ["requests", "sent", "statuses", "p50 ms", "p99 ms", "longest ms"],
      [row("small, alone", quiet), ...mixed.map((report) => row(report.name, report))],
    ),
    "",
    `Resident memory in MB: ${before} before the load, ${start} at its start, ${halfway} halfway, ${end} at its end, ${peak} at its peak, ${after} a minute later.`,
    `Late turns of the gateway, of more than 20 ms: ${stalls.lateByWork} by its own work, ${stalls.lateByWaiting} by waiting for a core. The longest work: ${formatNumber(stalls.longestWorkMs)} ms.`,
    `Used by others, or given to other machines: ${percent(othersShare.quiet)} of the cores in the quiet run, ${percent(othersShare.mixed)} in the mixed run. The other callers, and all upstreams but that of the small requests, ran at a lower priority: they would be other machines.`,
    failures.length === 0 ? "Everything is as it should be." : `Not as it should be: ${failures.join("; ")}.`,
  ].join("\n");
}
