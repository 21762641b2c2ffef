import type { Upstream } from "@model-gateway/domain/model";
import type { DroppedSpans } from "@model-gateway/domain/trace";
import type { TaskTally } from "@model-gateway/runtime/every";
import type { QueueSnapshot } from "@model-gateway/scheduling/admission";
import type { TargetSnapshot } from "@model-gateway/scheduling/target-state";
import type { ShadowFigures } from "../../embeddings/shadow.js";
import type { LedgerSnapshot } from "../../usage/ledger/ledger.js";
import type { WebhookSnapshot } from "../../webhooks/deliveries.js";
import { type Merge, type Metric, type NumberRow, numberMetrics, type Sample } from "./metric.js";

/** Parts of the gateway's state. */
interface States {
  readonly targets: readonly TargetSnapshot[];
  readonly upstreams: Iterable<Pick<Upstream, "name" | "provider" | "genAiProvider">>;
  readonly ledger: LedgerSnapshot;
  /** Ledger rows that were deleted after their retention. */
  readonly deletedRows: number;
  readonly webhooks: WebhookSnapshot;
  readonly droppedSpans: DroppedSpans;
  /** The free space on the disk of the data folder. Null if it is not known. */
  readonly diskFreeBytes: number | null;
  /** The memory that the files of forms in flight use. */
  readonly uploadBytes: number;
  /** Connections that were ended because their callers hardly read. */
  readonly slowReaders: number;
  /** Vector checks of targets, by outcome. */
  readonly spaceChecks: ReadonlyMap<string, number>;
  /** Runs behind the requests, by task. */
  readonly tasks: ReadonlyMap<string, TaskTally>;
  /** Outcomes of shadowed inputs. */
  readonly shadows: readonly ShadowFigures[];
  /** Calls that wait for a target lease, and how all calls have fared. */
  readonly queue: QueueSnapshot;
}

/** Read on scrape. */
export type StateSources = { readonly [K in keyof States]: () => States[K] };

/** The metrics of each part, in their order. */
const rowsOf: { readonly [K in keyof States]: (state: States[K]) => NumberRow[] } = {
  targets: targetRows,
  upstreams: upstreamRows,
  ledger: ledgerRows,
  deletedRows: one("gateway_ledger_deleted_total", "Rows deleted from the database after their retention."),
  webhooks: webhookRows,
  droppedSpans: spanRows,
  // All workers have the same folder.
  diskFreeBytes: one("gateway_disk_free_bytes", "Free space on the disk of the data folder.", "min"),
  uploadBytes: one("gateway_upload_memory_bytes", "Memory that the files of forms in flight use."),
  slowReaders: one(
    "gateway_slow_readers_total",
    "Connections that were ended because their callers hardly read their responses.",
  ),
  spaceChecks: (counts) => [
    [
      "gateway_space_checks_total",
      "Checks of target vectors that found them the same, found them drifted, or failed.",
      [...counts].map(([outcome, count]) => [{ outcome }, count]),
    ],
  ],
  tasks: taskRows,
  shadows: shadowRows,
  queue: queueRows,
};

/** The metrics of the parts that are given. */
export function stateMetrics(sources: Partial<StateSources>): Metric[] {
  const read = <K extends keyof States>(name: K): NumberRow[] => {
    const source: StateSources[K] | undefined = sources[name];
    return source === undefined ? [] : rowsOf[name](source());
  };
  return numberMetrics((Object.keys(rowsOf) as (keyof States)[]).flatMap(read));
}

/** A metric without labels. */
function one(name: string, help: string, ...merge: [] | [Merge]): (value: number | null) => NumberRow[] {
  return (value) => [[name, help, value, ...merge]];
}

function upstreamRows(upstreams: States["upstreams"]): NumberRow[] {
  return [
    [
      "gateway_upstream_info",
      "1 for each upstream, with its provider, and the provider's name in OpenTelemetry.",
      [...upstreams].map(({ name, provider, genAiProvider = provider }) => [
        { upstream: name, provider, gen_ai_provider: genAiProvider },
        1,
      ]),
      "max",
    ],
  ];
}

function webhookRows({ pending, ended }: WebhookSnapshot): NumberRow[] {
  return [
    [
      "gateway_webhook_events_total",
      "Events for webhooks that were delivered, failed at every attempt, or were dropped.",
      ended.map(({ event, outcome, count }) => [{ event, outcome }, count]),
    ],
    [
      "gateway_webhook_pending",
      "Events that are being sent, or wait in memory while the database is unavailable.",
      pending,
    ],
  ];
}

function spanRows({ queueFull, exportFailed }: DroppedSpans): NumberRow[] {
  return [
    [
      "gateway_spans_dropped_total",
      "Spans of traces that were lost: queue_full or export_failed.",
      [
        [{ reason: "queue_full" }, queueFull],
        [{ reason: "export_failed" }, exportFailed],
      ],
    ],
  ];
}

/** The names of tasks are in the code. */
function taskRows(tasks: ReadonlyMap<string, TaskTally>): NumberRow[] {
  return [
    [
      "gateway_background_runs_total",
      "Runs of background tasks, by their outcome.",
      [...tasks].flatMap(([task, { runs, failures }]): Sample<number>[] => [
        [{ task, outcome: "ok" }, runs - failures],
        [{ task, outcome: "failed" }, failures],
      ]),
    ],
    [
      "gateway_background_seconds_total",
      "Time from the begin to the end of background tasks.",
      [...tasks].map(([task, { seconds }]) => [{ task }, seconds]),
    ],
  ];
}

const targetStates: readonly TargetSnapshot["state"][] = [
  "unknown",
  "healthy",
  "failing",
  "cooling",
  "misconfigured",
  "drifted",
  "open",
  "half-open",
];

function targetRows(snapshots: readonly TargetSnapshot[]): NumberRow[] {
  const targets = distinct(snapshots);
  const byTarget = (of: (target: TargetSnapshot) => number | undefined) =>
    targets.map((target): Sample<number> => {
      const { upstream, model } = target;
      return [{ upstream, model }, of(target) ?? Number.NaN];
    });
  return [
    [
      "gateway_target_state",
      "1 for the current state of a target, else 0; with several workers, the number of workers that see this state.",
      targets.flatMap(({ upstream, model, state: current }) =>
        targetStates.map((state): Sample<number> => [{ upstream, model, state }, state === current ? 1 : 0]),
      ),
    ],
    ["gateway_target_in_flight", "Upstream calls in flight.", byTarget(({ inFlight }) => inFlight)],
    [
      "gateway_target_latency_seconds",
      "The scheduler's average latency of upstream calls in seconds, which fades without calls; with several workers, the mean.",
      byTarget(({ averageLatencyMs }) => (averageLatencyMs ?? 0) / 1000),
      "mean",
    ],
    [
      "gateway_target_space_cosine",
      "Lowest cosine between the vectors of a target and those recorded for its space, at the last check.",
      byTarget(({ spaceCheck }) =>
        spaceCheck ? Math.min(spaceCheck.cosineMin, spaceCheck.imageCosineMin ?? 1) : undefined,
      ),
      "min",
    ],
  ];
}

/** Several models may share a target. */
function distinct(targets: readonly TargetSnapshot[]): TargetSnapshot[] {
  return [...new Map(targets.map((target) => [`${target.upstream}\0${target.model}`, target])).values()];
}

function ledgerRows(ledger: LedgerSnapshot): NumberRow[] {
  const oldestMs = ledger.oldestAgeMs ?? 0;
  const dropped =
    "Rows lost because the spool was at its limit, or the disk and the memory for rows were full.";
  const rejected = "Rows that the database rejected and that were set aside.";
  const oldest = "Age of the oldest row that is not in the database yet; 0 if there is none.";
  const held = "Those of them that are in memory, because the disk is full.";
  return [
    ["gateway_ledger_rows", "Rows that are not in the database yet.", ledger.rows],
    ["gateway_ledger_memory_rows", held, ledger.heldRows],
    ["gateway_ledger_bytes", "Size on disk of the rows that are not in the database yet.", ledger.bytes],
    ["gateway_ledger_oldest_seconds", oldest, oldestMs / 1000, "max"],
    ["gateway_ledger_shipped_total", "Rows written to the database.", ledger.shipped],
    ["gateway_ledger_dropped_total", dropped, ledger.dropped],
    ["gateway_ledger_corrupt_total", "Spool lines that were truncated or damaged.", ledger.corrupt],
    ["gateway_ledger_rejected_total", rejected, ledger.rejected],
  ];
}

function shadowRows(shadows: readonly ShadowFigures[]): NumberRow[] {
  const results = ["embedded", "cached", "dropped", "failed"] as const;
  return [
    [
      "gateway_shadow_inputs_total",
      "Inputs that were also embedded with the shadow of their model, were cached there, were dropped, or failed.",
      shadows.flatMap(({ model, shadow, ...counts }) =>
        results.map((result): Sample<number> => [{ model, shadow, result }, counts[result]]),
      ),
    ],
    [
      "gateway_shadow_compared_total",
      "Inputs whose nearest neighbours in both spaces were compared.",
      shadows.map(({ model, shadow, compared }) => [{ model, shadow }, compared]),
    ],
    [
      "gateway_shadow_neighbours_kept_total",
      "Those of them whose nearest neighbour is the same in both spaces.",
      shadows.map(({ model, shadow, neighboursKept }) => [{ model, shadow }, neighboursKept]),
    ],
  ];
}

const priorities = ["interactive", "bulk"] as const;

function queueRows({ waiting, counts }: QueueSnapshot): NumberRow[] {
  const results = ["direct", "waited", "refused"] as const;
  return [
    [
      "gateway_queue_waiting",
      "Calls that wait for capacity on a target.",
      waiting.flatMap((one) =>
        priorities
          .filter((priority) => one[priority] > 0)
          .map((priority): Sample<number> => [{ model: one.model, priority }, one[priority]]),
      ),
    ],
    [
      "gateway_queue_calls_total",
      "Calls that found capacity on a target at once (direct), waited for it (waited), or got none in time (refused).",
      priorities.flatMap((priority) =>
        results.map((result): Sample<number> => [{ priority, result }, counts[priority][result]]),
      ),
    ],
    [
      "gateway_queue_wait_seconds_total",
      "How long calls have waited for capacity on a target, all together.",
      priorities.map((priority) => [{ priority }, counts[priority].waitedMs / 1000]),
    ],
  ];
}
