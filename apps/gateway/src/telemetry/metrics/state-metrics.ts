import type { Registry } from "prom-client";
import type { TargetSnapshot } from "../../scheduling/target-health.js";
import type { LedgerSnapshot } from "../../usage/ledger/ledger.js";
import type { WebhookSnapshot } from "../../webhooks/webhook-sender.js";
import { scrapedCounter, scrapedGauge } from "./histogram.js";

/** Read on scrape. */
export interface StateSources {
  readonly targets: () => readonly TargetSnapshot[];
  /** Requests that wait for a target lease, by model. */
  readonly queue: () => ReadonlyMap<string, number>;
  readonly ledger: () => LedgerSnapshot;
  /** Ledger rows that were deleted after their retention. */
  readonly deletedRows: () => number;
  readonly webhooks: () => WebhookSnapshot;
  /** The free space on the disk of the data folder. Null if it is not known. */
  readonly diskFreeBytes: () => number | null;
}

const targetStates: readonly TargetSnapshot["state"][] = [
  "healthy",
  "failing",
  "cooling",
  "misconfigured",
  "open",
  "half-open",
];

/** Registers the metrics of targets, the queue and the ledger. */
export function describeState(register: Registry, sources: StateSources): void {
  describeTargets(register, () => distinct(sources.targets()));
  describeLedger(register, sources.ledger);
  scrapedCounter(register, {
    name: "gateway_ledger_deleted_total",
    help: "Rows deleted from the database after their retention.",
    labels: [],
    read: (add) => add({}, sources.deletedRows()),
  });
  describeWebhooks(register, sources.webhooks);
  scrapedGauge(register, {
    name: "gateway_disk_free_bytes",
    help: "Free space on the disk of the data folder.",
    labels: [],
    // All workers have the same folder.
    aggregator: "min",
    read: (add) => {
      const freeBytes = sources.diskFreeBytes();
      if (freeBytes !== null) add({}, freeBytes);
    },
  });
  scrapedGauge(register, {
    name: "gateway_queue_waiting",
    help: "Requests that wait for capacity on a target.",
    labels: ["model"],
    read: (add) => {
      for (const [model, waiting] of sources.queue()) add({ model }, waiting);
    },
  });
}

function describeTargets(register: Registry, targets: () => readonly TargetSnapshot[]): void {
  scrapedGauge(register, {
    name: "gateway_target_state",
    help: "1 for the current state of a target, else 0; with several workers, the number of workers that see this state.",
    labels: ["upstream", "model", "state"],
    read: (add) => {
      for (const { upstream, model, state } of targets())
        for (const one of targetStates) add({ upstream, model, state: one }, one === state ? 1 : 0);
    },
  });
  scrapedGauge(register, {
    name: "gateway_target_in_flight",
    help: "Upstream calls in flight.",
    labels: ["upstream", "model"],
    read: (add) => {
      for (const { upstream, model, inFlight } of targets()) add({ upstream, model }, inFlight);
    },
  });
  scrapedGauge(register, {
    name: "gateway_target_latency_seconds",
    help: "Recent latency of upstream calls in seconds; with several workers, the mean.",
    labels: ["upstream", "model"],
    aggregator: "average",
    read: (add) => {
      for (const { upstream, model, latencyMs } of targets()) add({ upstream, model }, latencyMs / 1000);
    },
  });
}

/** Several models may share a target. */
function distinct(targets: readonly TargetSnapshot[]): TargetSnapshot[] {
  return [...new Map(targets.map((target) => [`${target.upstream}\0${target.model}`, target])).values()];
}

function describeLedger(register: Registry, snapshot: () => LedgerSnapshot): void {
  const gauges = {
    gateway_ledger_rows: ["Rows that are not in the database yet.", "rows"],
    gateway_ledger_memory_rows: ["Those of them that are in memory, because the disk is full.", "heldRows"],
    gateway_ledger_bytes: ["Size on disk of the rows that are not in the database yet.", "bytes"],
  } as const;
  for (const [name, [help, field]] of Object.entries(gauges))
    scrapedGauge(register, { name, help, labels: [], read: (add) => add({}, snapshot()[field]) });
  scrapedGauge(register, {
    name: "gateway_ledger_oldest_seconds",
    help: "Age of the oldest row that is not in the database yet; 0 if there is none.",
    labels: [],
    aggregator: "max",
    read: (add) => add({}, (snapshot().oldestAgeMs ?? 0) / 1000),
  });
  const counters = {
    gateway_ledger_shipped_total: ["Rows written to the database.", "shipped"],
    gateway_ledger_dropped_total: [
      "Rows lost because the spool was at its limit, or the disk and the memory for rows were full.",
      "dropped",
    ],
    gateway_ledger_corrupt_total: ["Spool lines that were truncated or damaged.", "corrupt"],
    gateway_ledger_rejected_total: ["Rows that the database rejected and that were set aside.", "rejected"],
  } as const;
  for (const [name, [help, field]] of Object.entries(counters))
    scrapedCounter(register, { name, help, labels: [], read: (add) => add({}, snapshot()[field]) });
}

function describeWebhooks(register: Registry, snapshot: () => WebhookSnapshot): void {
  scrapedCounter(register, {
    name: "gateway_webhook_events_total",
    help: "Events for webhooks that were delivered, failed at every attempt, or were dropped.",
    labels: ["event", "outcome"],
    read: (add) => {
      for (const { event, outcome, count } of snapshot().ended) add({ event, outcome }, count);
    },
  });
  scrapedGauge(register, {
    name: "gateway_webhook_pending",
    help: "Events that are not delivered yet.",
    labels: [],
    read: (add) => add({}, snapshot().pending),
  });
}
