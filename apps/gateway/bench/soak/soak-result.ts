import { formatNumber, table } from "../report/markdown.js";
import type { Stalls } from "../rivals/stall-watch.js";
import type { AttackReport } from "./attacker.js";
import type { BoughtImages } from "./bought-images.js";
import { othersShareMax } from "./share-of-others.js";
import type { KindReport } from "./soak-caller.js";

const residentShareMax = 1.2;
/** The configuration guide's figure for the default `limits.bodiesBytesMax`, plus 350 MB for a local model. */
const residentMbMax = 384 + 2 * 512 + 350;

/** Small embeddings alone, then among large, slow and hostile requests. */
export interface SoakResult {
  readonly quiet: KindReport;
  readonly mixed: readonly KindReport[];
  /** Five keys and three strangers, during the mixed run. */
  readonly attacks: readonly AttackReport[];
  readonly bought: BoughtImages;
  /** The share of all cores that other processes and other machines used, in each of the two runs. */
  readonly othersShare: { readonly quiet: number; readonly mixed: number };
  /** Stalls of the gateway in the mixed run. */
  readonly stalls: Stalls;
  readonly residentMb: {
    /**
     * Before the hostile load, when the gateway had served the other requests for a while. As `after`, without garbage:
     * V8 does not collect the heap of an idle process (decision 0028).
     */
    readonly before: number;
    readonly start: number;
    readonly halfway: number;
    readonly end: number;
    readonly peak: number;
    /** A minute after the load, with the garbage. */
    readonly uncollected: number;
    /** The same without it. */
    readonly after: number;
  };
  /** Why the run is not good enough; empty where it is. */
  readonly failures: readonly string[];
}

export function failuresOf(result: Omit<SoakResult, "failures">): string[] {
  const { quiet, mixed, attacks, bought, othersShare, residentMb } = result;
  const { before, halfway, end, peak, after } = residentMb;
  const failures = [quiet, ...mixed, ...attacks].flatMap(({ name, faults }) =>
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
  if (bought.sold > bought.inLedger + bought.unpriced)
    failures.push(`${bought.sold} images were bought, and the ledger has ${bought.inLedger}`);
  if (bought.boughtTwice.length > 0)
    failures.push(`images were bought again: ${bought.boughtTwice.slice(0, 3).join("; ")}`);
  return failures;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** The result as a table, for the terminal. */
export function soakTable(result: SoakResult): string {
  const { quiet, mixed, attacks, bought, othersShare, stalls, residentMb, failures } = result;
  const listed = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([what, count]) => `${count} x ${what}`)
      .join("; ");
  const row = (label: string, { sent, statuses, p50Ms, p99Ms, maxMs }: KindReport) => [
    label,
    String(sent),
    listed(statuses),
    ...[p50Ms, p99Ms, maxMs].map(formatNumber),
  ];
  const { before, start, halfway, end, peak, uncollected, after } = residentMb;
  return [
    table(
      ["requests", "sent", "statuses", "p50 ms", "p99 ms", "longest ms"],
      [row("small, alone", quiet), ...mixed.map((report) => row(report.name, report))],
    ),
    "",
    table(
      ["attacks", "sent", "outcomes"],
      attacks.map(({ name, sent, outcomes }) => [name, String(sent), listed(outcomes)]),
    ),
    "",
    `Images of the attacks: ${bought.sold} sold by the upstream, ${bought.inLedger} in the ledger, and ${bought.unpriced} requests there without a known cost.`,
    `Resident memory in MB: ${before} before the load, ${start} at its start, ${halfway} halfway, ${end} at its end, ${peak} at its peak; a minute later ${uncollected}, and ${after} without garbage.`,
    `Late turns of the gateway, of more than 20 ms: ${stalls.lateByWork} by its own work, ${stalls.lateByWaiting} by waiting for a core. The longest work: ${formatNumber(stalls.longestWorkMs)} ms.`,
    `Used by others, or given to other machines: ${percent(othersShare.quiet)} of the cores in the quiet run, ${percent(othersShare.mixed)} in the mixed run. The other callers, and all upstreams but that of the small requests, ran at a lower priority: they would be other machines.`,
    failures.length === 0 ? "Everything is as it should be." : `Not as it should be: ${failures.join("; ")}.`,
  ].join("\n");
}
