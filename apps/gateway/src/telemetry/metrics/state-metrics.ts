import type { Registry } from "prom-client";
import type { TargetSnapshot } from "../../scheduling/target-health.js";
import type { LedgerSnapshot } from "../../usage/ledger/ledger.js";
import { scrapedCounter, scrapedGauge } from "./histogram.js";

/** Where the state of the gateway can be read. */
export interface StateSources {
  readonly targets: () => readonly TargetSnapshot[];
  /** How many requests wait for a place, by model. */
  readonly queue: () => ReadonlyMap<string, number>;
  readonly ledger: () => LedgerSnapshot;
}

const targetStates: readonly TargetSnapshot["state"][] = [
  "healthy",
  "cooling",
  "misconfigured",
  "open",
  "half-open",
];

/** Makes metrics of the state of targets, of the queue and of the ledger. */
export function describeState(register: Registry, sources: StateSources): void {
  describeTargets(register, () => distinct(sources.targets()));
  describeLedger(register, sources.ledger);
  scrapedGauge(register, {
    name: "gateway_queue_waiting",
    help: "Requests that wait for a place on a target.",
    labels: ["model"],
    read: (add) => {
      for (const [model, waiting] of sources.queue()) add({ model }, waiting);
    },
  });
}

function describeTargets(register: Registry, targets: () => readonly TargetSnapshot[]): void {
  scrapedGauge(register, {
    name: "gateway_target_state",
    help: "1 for the state that a target is in; of several workers, how many see it so.",
    labels: ["upstream", "model", "state"],
    read: (add) => {
      for (const { upstream, model, state } of targets())
        for (const one of targetStates) add({ upstream, model, state: one }, one === state ? 1 : 0);
    },
  });
  scrapedGauge(register, {
    name: "gateway_target_in_flight",
    help: "Calls that are under way.",
    labels: ["upstream", "model"],
    read: (add) => {
      for (const { upstream, model, inFlight } of targets()) add({ upstream, model }, inFlight);
    },
  });
  scrapedGauge(register, {
    name: "gateway_target_latency_seconds",
    help: "How long calls take lately; of several workers, the mean.",
    labels: ["upstream", "model"],
    aggregator: "average",
    read: (add) => {
      for (const { upstream, model, latencyMs } of targets()) add({ upstream, model }, latencyMs / 1000);
    },
  });
}

/** Several models may be served by the same target. */
function distinct(targets: readonly TargetSnapshot[]): TargetSnapshot[] {
  return [...new Map(targets.map((target) => [`${target.upstream}\0${target.model}`, target])).values()];
}

function describeLedger(register: Registry, snapshot: () => LedgerSnapshot): void {
  const gauges = {
    gateway_ledger_rows: ["Rows on the disk that are not yet in the database.", "rows"],
    gateway_ledger_bytes: ["What the rows that wait take on the disk.", "bytes"],
  } as const;
  for (const [name, [help, field]] of Object.entries(gauges))
    scrapedGauge(register, { name, help, labels: [], read: (add) => add({}, snapshot()[field]) });
  scrapedGauge(register, {
    name: "gateway_ledger_oldest_seconds",
    help: "How long ago the oldest row came that waits; 0 where none does.",
    labels: [],
    aggregator: "max",
    read: (add) => add({}, (snapshot().oldestAgeMs ?? 0) / 1000),
  });
  const counters = {
    gateway_ledger_shipped_total: ["Rows that the database has taken.", "shipped"],
    gateway_ledger_dropped_total: [
      "Rows that were lost: the disk was full, or the spool at its limit.",
      "dropped",
    ],
    gateway_ledger_corrupt_total: ["Lines of the spool that were torn or damaged.", "corrupt"],
    gateway_ledger_rejected_total: ["Rows that the database rejects and that were set aside.", "rejected"],
  } as const;
  for (const [name, [help, field]] of Object.entries(counters))
    scrapedCounter(register, { name, help, labels: [], read: (add) => add({}, snapshot()[field]) });
}
