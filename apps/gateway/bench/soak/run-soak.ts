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
import { benchKey, hostileKeys, modestKey, prepareGateway, withProbe } from "../rivals/gateway.js";
import type { ProbeCommand } from "../rivals/gateway-probe.js";
import type { Stalls } from "../rivals/stall-watch.js";
import type { AttackJob, AttackReport } from "./attacker.js";
import { countBought } from "./bought-images.js";
import { runQuietly, withShareOfOthers } from "./share-of-others.js";
import type { KindReport, PacedKind, SoakJob } from "./soak-caller.js";
import { failuresOf, type SoakResult } from "./soak-result.js";

const localModel = "all-MiniLM-L6-v2";
const small: PacedKind = { name: "small", key: modestKey, everyMs: 50, inFlightMax: 64 };
const others: readonly PacedKind[] = [
  { name: "batch", key: benchKey, everyMs: 10_000, inFlightMax: 2 },
  { name: "generation", key: benchKey, everyMs: 2500, inFlightMax: 4 },
  { name: "edit", key: benchKey, everyMs: 30_000, inFlightMax: 2 },
  { name: "local", key: benchKey, everyMs: 5000, inFlightMax: 2 },
];
const [first = "", second = "", third = "", fourth = "", fifth = ""] = hostileKeys;
/**
 * Some ten of a hundred requests, beside the attacks of the same keys. Two cores must have time for all of it, callers
 * and upstreams included.
 */
const hostile: readonly PacedKind[] = [
  { name: "hostile", key: first, everyMs: 925, inFlightMax: 4 },
  { name: "long-run", key: second, everyMs: 2000, inFlightMax: 2 },
  { name: "tiny-chunks", key: third, everyMs: 10_000, inFlightMax: 1 },
  { name: "slow-form", key: fourth, everyMs: 2500, inFlightMax: 10 },
  { name: "departure", key: fifth, everyMs: 5000, inFlightMax: 2 },
  { name: "flood", key: fifth, everyMs: 5000, inFlightMax: 2 },
];

/** On a separate machine, the load and its upstream would not take time from the gateway. */
const loadPriority = 10;
const warmUpMs = 20_000;
const quietMs = 30_000;
/** Time after the load in which memory must be back. */
const restMs = 60_000;
/** The most that batches may still have to do by then. */
const batchesMs = 60_000;

export async function runSoak(testbed: Testbed, minutes: number): Promise<SoakResult> {
  // The caller and the upstream whose latencies count do nothing else, and the rest of the load waits for a core.
  const smallUpstream = startProgram(nodeProgram("upstream/raw-upstream.js"));
  const { port: plainPort } = (await nextMessage(smallUpstream)) as { port: number };
  const floodUpstream = startProgram(nodeProgram("soak/hostile-upstream.js"));
  const { port: floodPort } = (await nextMessage(floodUpstream)) as { port: number };
  const boughtUpstream = startProgram(nodeProgram("upstream/raw-upstream.js"));
  const { port: boughtPort } = (await nextMessage(boughtUpstream)) as { port: number };
  await ask(boughtUpstream, "count images");
  const attacker = startProgram(nodeProgram("soak/attacker.js"));
  const smallCaller = startProgram(nodeProgram("soak/soak-caller.js"));
  const otherCaller = startProgram(nodeProgram("soak/soak-caller.js"));
  const upstreams = [smallUpstream, floodUpstream, boughtUpstream];
  const callers = [smallCaller, otherCaller, attacker];
  for (const pid of [
    otherCaller.pid,
    attacker.pid,
    floodUpstream.pid,
    boughtUpstream.pid,
    testbed.upstreamPid,
  ])
    setPriority(pid ?? 0, loadPriority);
  const models = { localModel, plainPort, boughtPort, floodPort };
  const { port, program } = await prepareGateway(testbed, models);
  const gateway = startProgram(withProbe(program));
  const own = [process, ...upstreams, ...callers, gateway].map(({ pid }) => pid ?? 0);
  own.push(testbed.upstreamPid);
  try {
    await Promise.all(callers.map(nextMessage));
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
    const heldMb = async () => {
      await ask(gateway, "collect garbage" satisfies ProbeCommand);
      return residentMbOf(pid);
    };
    const before = await heldMb();
    const memory = watchMemory(pid);
    const ms = minutes * 60_000;
    await ask(gateway, "start stall watch" satisfies ProbeCommand);
    const { value: all, share: mixedShare } = await withShareOfOthers(
      () =>
        Promise.all([
          run(smallCaller, [small], ms),
          run(otherCaller, [...others, ...hostile], ms),
          ask(attacker, { port, ms } satisfies AttackJob) as Promise<AttackReport[]>,
        ]),
      own,
    );
    const [modest, mixed, attacks] = all;
    const stalls = (await ask(gateway, "stop stall watch" satisfies ProbeCommand)) as Stalls;
    const during = memory.stop();
    await setTimeout(restMs);
    const uncollected = residentMbOf(pid);
    const residentMb = { before, ...during, uncollected, after: await heldMb() };
    const bought = await countBought(boughtUpstream, port, batchesMs);
    const result = { quiet, mixed: [...modest, ...mixed], attacks, bought, residentMb, stalls };
    const othersShare = { quiet: quietShare, mixed: mixedShare };
    return { ...result, othersShare, failures: failuresOf({ ...result, othersShare }) };
  } finally {
    await Promise.all([gateway, ...upstreams, ...callers].map(stopProgram));
  }
}

/** Samples the resident memory of a process. */
function watchMemory(pid: number) {
  const samples = [residentMbOf(pid)];
  const timer = setInterval(() => samples.push(residentMbOf(pid)), 1000);
  return {
    stop: (): Omit<SoakResult["residentMb"], "before" | "uncollected" | "after"> => {
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
