import type { Cluster, Worker } from "node:cluster";
import { AggregatorRegistry, Registry } from "prom-client";
import { GatewayError } from "../../errors.js";
import type { Metrics, MetricsReport, RenderedMetrics } from "./metrics.js";

/** How long the primary waits for the reports of its workers. */
const reportTimeoutMs = 1000;
/** How long a worker waits for the sum of all workers. */
const renderTimeoutMs = 5000;

type Message =
  | { readonly kind: "metrics:render"; readonly id: number }
  | { readonly kind: "metrics:rendered"; readonly id: number; readonly text: string }
  | { readonly kind: "metrics:report"; readonly round: number }
  | { readonly kind: "metrics:reported"; readonly round: number; readonly report: MetricsReport };

/**
 * Runs in the primary process. Sums the metrics of all workers when one of them asks. A worker that does not report in
 * time counts with its last report. The last report of a worker that exited stays in the sum: counters never go back.
 */
export class MetricsHub {
  readonly #cluster: Cluster;
  readonly #last = new Map<number, MetricsReport>();
  #departed: MetricsReport[] = [];
  #round: { readonly number: number; readonly missing: Set<number>; readonly finish: () => void } | undefined;
  #gathering: Promise<string> | undefined;
  /** Counted from 1. Round 0 marks the report that a worker sends by itself before it exits. */
  #rounds = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    cluster.on("message", (worker: Worker, message: unknown) => this.#receive(worker, message));
    cluster.on("exit", (worker: Worker) => this.#retire(worker));
  }

  #receive(worker: Worker, message: unknown): void {
    if (!isMessage(message)) return;
    if (message.kind === "metrics:render") {
      // Concurrent scrapes share one round.
      this.#gathering ??= this.#gather();
      const { id } = message;
      void this.#gathering.then(
        (text) => send(worker, { kind: "metrics:rendered", id, text }),
        () => undefined,
      );
    }
    if (message.kind === "metrics:reported") {
      this.#last.set(worker.id, message.report);
      if (message.round === this.#round?.number) this.#markReported(worker.id);
    }
  }

  async #gather(): Promise<string> {
    try {
      await this.#requestReports();
      const departed = AggregatorRegistry.aggregate(this.#departed.splice(0));
      this.#departed.push(await departed.getMetricsAsJSON());
      return await AggregatorRegistry.aggregate([...this.#departed, ...this.#last.values()]).metrics();
    } finally {
      this.#gathering = undefined;
    }
  }

  async #requestReports(): Promise<void> {
    const workers = Object.values(this.#cluster.workers ?? {}).flatMap((worker) =>
      worker?.isConnected() === true ? [worker] : [],
    );
    this.#rounds += 1;
    const number = this.#rounds;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, reportTimeoutMs);
      const finish = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#round = { number, missing: new Set(workers.map(({ id }) => id)), finish };
      for (const worker of workers) void send(worker, { kind: "metrics:report", round: number });
      if (workers.length === 0) finish();
    });
    this.#round = undefined;
  }

  #markReported(id: number): void {
    this.#round?.missing.delete(id);
    if (this.#round?.missing.size === 0) this.#round.finish();
  }

  /** Keeps counters and histograms. Gauges describe a live process and go with it. */
  #retire({ id }: Worker): void {
    const report = this.#last.get(id);
    this.#last.delete(id);
    this.#markReported(id);
    if (report === undefined) return;
    this.#departed.push(report.filter(({ type }) => ["counter", "histogram"].includes(String(type))));
  }
}

/** A worker's connection to the hub. */
export interface HubMember {
  /** The body of `GET /metrics`, for all workers. */
  render(): Promise<RenderedMetrics>;
  /** Sends the last report before the process exits. */
  leave(): Promise<void>;
}

/** Runs in a worker: reports to the hub, and asks it for the sum of all workers. */
export function joinMetricsHub(worker: Worker, metrics: Metrics): HubMember {
  const waiting = new Map<number, (text: string) => void>();
  let lastId = 0;
  const report = async (round: number): Promise<void> =>
    send(worker, { kind: "metrics:reported", round, report: await metrics.report() });
  worker.on("message", (message: unknown) => {
    if (!isMessage(message)) return;
    if (message.kind === "metrics:rendered") waiting.get(message.id)?.(message.text);
    if (message.kind === "metrics:report") void report(message.round).catch(() => undefined);
  });
  const requestRender = (id: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(
          new GatewayError("internal_error", "The metrics of the workers could not be collected in time."),
        );
      }, renderTimeoutMs);
      waiting.set(id, (text) => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(text);
      });
      void send(worker, { kind: "metrics:render", id });
    });
  return {
    render: async () => {
      lastId += 1;
      return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text: await requestRender(lastId) };
    },
    leave: () => report(0),
  };
}

/** Resolves when the message is sent, or at once if the worker is gone. */
function send(worker: Worker, message: Message): Promise<void> {
  return new Promise((resolve) => {
    if (!worker.isConnected()) resolve();
    else worker.send(message, () => resolve());
  });
}

function isMessage(message: unknown): message is Message {
  return (
    typeof message === "object" &&
    message !== null &&
    "kind" in message &&
    typeof message.kind === "string" &&
    message.kind.startsWith("metrics:")
  );
}
