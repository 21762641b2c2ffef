import type { Registry } from "prom-client";
import type { Upstream } from "../../domain/model.js";
import type { DroppedSpans } from "../../domain/trace.js";
import type { ShadowFigures } from "../../embeddings/shadow.js";
import type { QueueSnapshot } from "../../scheduling/admission.js";
import type { TargetSnapshot } from "../../scheduling/target-state.js";
import type { LedgerSnapshot } from "../../usage/ledger/ledger.js";
import type { WebhookSnapshot } from "../../webhooks/webhook-sender.js";
import { scrapedCounter, scrapedGauge } from "./histogram.js";

/** Read on scrape. */
export interface StateSources {
  readonly targets: () => readonly TargetSnapshot[];
  readonly upstreams: () => Iterable<Pick<Upstream, "name" | "provider" | "genAiProvider">>;
  /** Calls that wait for a target lease, and how all calls have fared. */
  readonly queue: () => QueueSnapshot;
  readonly ledger: () => LedgerSnapshot;
  /** Ledger rows that were deleted after their retention. */
  readonly deletedRows: () => number;
  readonly webhooks: () => WebhookSnapshot;
  /** The free space on the disk of the data folder. Null if it is not known. */
  readonly diskFreeBytes: () => number | null;
  /** The memory that the files of forms in flight use. */
  readonly uploadBytes: () => number;
  readonly droppedSpans: () => DroppedSpans;
  /** Checks of the vectors of targets, by their outcome. */
  readonly spaceChecks: () => ReadonlyMap<string, number>;
  /** What became of the inputs that models have shadows for. */
  readonly shadows: () => readonly ShadowFigures[];
}

const targetStates: readonly TargetSnapshot["state"][] = [
  "healthy",
  "failing",
  "cooling",
  "misconfigured",
  "drifted",
  "open",
  "half-open",
];

/** Registers the metrics of targets, the queue and the ledger. */
export function describeState(register: Registry, sources: StateSources): void {
  describeTargets(register, () => distinct(sources.targets()));
  scrapedGauge(register, {
    name: "gateway_upstream_info",
    help: "1 for each upstream, with its provider, and the provider's name in OpenTelemetry.",
    labels: ["upstream", "provider", "gen_ai_provider"],
    aggregator: "max",
    read: (add) => {
      for (const { name, provider, genAiProvider = provider } of sources.upstreams())
        add({ upstream: name, provider, gen_ai_provider: genAiProvider }, 1);
    },
  });
  describeLedger(register, sources.ledger);
  scrapedCounter(register, {
    name: "gateway_ledger_deleted_total",
    help: "Rows deleted from the database after their retention.",
    labels: [],
    read: (add) => add({}, sources.deletedRows()),
  });
  describeWebhooks(register, sources.webhooks);
  scrapedCounter(register, {
    name: "gateway_spans_dropped_total",
    help: "Spans of traces that were lost: queue_full or export_failed.",
    labels: ["reason"],
    read: (add) => {
      const { queueFull, exportFailed } = sources.droppedSpans();
      add({ reason: "queue_full" }, queueFull);
      add({ reason: "export_failed" }, exportFailed);
    },
  });
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
    name: "gateway_upload_memory_bytes",
    help: "Memory that the files of forms in flight use.",
    labels: [],
    read: (add) => add({}, sources.uploadBytes()),
  });
  scrapedCounter(register, {
    name: "gateway_space_checks_total",
    help: "Checks of the vectors of targets that found them the same, found them drifted, or failed.",
    labels: ["outcome"],
    read: (add) => {
      for (const [outcome, count] of sources.spaceChecks()) add({ outcome }, count);
    },
  });
  describeShadows(register, sources.shadows);
  describeQueue(register, sources.queue);
}

function describeShadows(register: Registry, shadows: () => readonly ShadowFigures[]): void {
  scrapedCounter(register, {
    name: "gateway_shadow_inputs_total",
    help: "Inputs that were also embedded with the shadow of their model, were cached there, were dropped, or failed.",
    labels: ["model", "shadow", "result"],
    read: (add) => {
      for (const { model, shadow, ...counts } of shadows())
        for (const result of ["embedded", "cached", "dropped", "failed"] as const)
          add({ model, shadow, result }, counts[result]);
    },
  });
  scrapedCounter(register, {
    name: "gateway_shadow_compared_total",
    help: "Inputs whose nearest neighbours in both spaces were compared.",
    labels: ["model", "shadow"],
    read: (add) => {
      for (const { model, shadow, compared } of shadows()) add({ model, shadow }, compared);
    },
  });
  scrapedCounter(register, {
    name: "gateway_shadow_neighbours_kept_total",
    help: "Those of them whose nearest neighbour is the same in both spaces.",
    labels: ["model", "shadow"],
    read: (add) => {
      for (const { model, shadow, neighboursKept } of shadows()) add({ model, shadow }, neighboursKept);
    },
  });
}

const priorities = ["interactive", "bulk"] as const;

function describeQueue(register: Registry, snapshot: () => QueueSnapshot): void {
  scrapedGauge(register, {
    name: "gateway_queue_waiting",
    help: "Calls that wait for capacity on a target.",
    labels: ["model", "priority"],
    read: (add) => {
      for (const { model, ...waiting } of snapshot().waiting)
        for (const priority of priorities)
          if (waiting[priority] > 0) add({ model, priority }, waiting[priority]);
    },
  });
  scrapedCounter(register, {
    name: "gateway_queue_calls_total",
    help: "Calls that found capacity on a target at once (direct), waited for it (waited), or got none in time (refused).",
    labels: ["priority", "result"],
    read: (add) => {
      const { counts } = snapshot();
      for (const priority of priorities)
        for (const result of ["direct", "waited", "refused"] as const)
          add({ priority, result }, counts[priority][result]);
    },
  });
  scrapedCounter(register, {
    name: "gateway_queue_wait_seconds_total",
    help: "How long calls have waited for capacity on a target, all together.",
    labels: ["priority"],
    read: (add) => {
      const { counts } = snapshot();
      for (const priority of priorities) add({ priority }, counts[priority].waitedMs / 1000);
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
      for (const { upstream, model, latencyMs } of targets())
        add({ upstream, model }, (latencyMs ?? 0) / 1000);
    },
  });
  scrapedGauge(register, {
    name: "gateway_target_space_cosine",
    help: "Lowest cosine between the vectors of a target and those recorded for its space, at the last check.",
    labels: ["upstream", "model"],
    aggregator: "min",
    read: (add) => {
      for (const { upstream, model, spaceCheck } of targets())
        if (spaceCheck !== null) add({ upstream, model }, spaceCheck.cosineMin);
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
