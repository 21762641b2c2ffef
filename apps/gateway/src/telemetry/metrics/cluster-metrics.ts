import type { Cluster, Worker } from "node:cluster";
import { AggregatorRegistry, Registry } from "prom-client";
import { GatewayError } from "../../errors.js";
import type { Metrics, MetricsReport, RenderedMetrics } from "./metrics.js";

/** How long a worker may take to say what it has counted. */
const reportMsMax = 1000;
/** How long a worker waits for the sum of all. */
const renderMsMax = 5000;

type Message =
  | { readonly kind: "metrics:render"; readonly id: number }
  | { readonly kind: "metrics:rendered"; readonly id: number; readonly text: string }
  | { readonly kind: "metrics:report"; readonly round: number }
  | { readonly kind: "metrics:reported"; readonly round: number; readonly report: MetricsReport };

/**
 * For the primary process: adds up what its workers have counted when one of them asks. A worker that does not answer in
 * time counts with what it said last, and one that is no more does so for ever: counters never go back.
 */
export class MetricsHub {
  readonly #cluster: Cluster;
  readonly #last = new Map<number, MetricsReport>();
  #departed: MetricsReport[] = [];
  #round: { readonly number: number; readonly missing: Set<number>; readonly finish: () => void } | undefined;
  #gathering: Promise<string> | undefined;
  /** Rounds are counted from one: nobody asks for the report that a worker sends when it leaves. */
  #rounds = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    cluster.on("message", (worker: Worker, message: unknown) => this.#hear(worker, message));
    cluster.on("exit", (worker: Worker) => this.#bury(worker));
  }

  #hear(worker: Worker, message: unknown): void {
    if (!isMessage(message)) return;
    if (message.kind === "metrics:render") {
      // Those who ask at the same time get the same answer.
      this.#gathering ??= this.#gather();
      const { id } = message;
      void this.#gathering.then(
        (text) => tell(worker, { kind: "metrics:rendered", id, text }),
        () => undefined,
      );
    }
    if (message.kind === "metrics:reported") {
      this.#last.set(worker.id, message.report);
      if (message.round === this.#round?.number) this.#strike(worker.id);
    }
  }

  async #gather(): Promise<string> {
    try {
      await this.#askAll();
      const departed = AggregatorRegistry.aggregate(this.#departed.splice(0));
      this.#departed.push(await departed.getMetricsAsJSON());
      return await AggregatorRegistry.aggregate([...this.#departed, ...this.#last.values()]).metrics();
    } finally {
      this.#gathering = undefined;
    }
  }

  async #askAll(): Promise<void> {
    const workers = Object.values(this.#cluster.workers ?? {}).flatMap((worker) =>
      worker?.isConnected() === true ? [worker] : [],
    );
    this.#rounds += 1;
    const number = this.#rounds;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, reportMsMax);
      const finish = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#round = { number, missing: new Set(workers.map(({ id }) => id)), finish };
      for (const worker of workers) void tell(worker, { kind: "metrics:report", round: number });
      if (workers.length === 0) finish();
    });
    this.#round = undefined;
  }

  #strike(id: number): void {
    this.#round?.missing.delete(id);
    if (this.#round?.missing.size === 0) this.#round.finish();
  }

  /** Keeps what only ever grows. What is true of a living process alone is gone with it. */
  #bury({ id }: Worker): void {
    const report = this.#last.get(id);
    this.#last.delete(id);
    this.#strike(id);
    if (report === undefined) return;
    this.#departed.push(report.filter(({ type }) => ["counter", "histogram"].includes(String(type))));
  }
}

/** What a worker has of the hub. */
export interface HubMember {
  /** The answer to `GET /metrics`, for all workers. */
  render(): Promise<RenderedMetrics>;
  /** Tells the hub what was counted until now, before the process ends. */
  leave(): Promise<void>;
}

/** For a worker: answers the hub, and has it answer for all workers. */
export function joinMetricsHub(worker: Worker, metrics: Metrics): HubMember {
  const waiting = new Map<number, (text: string) => void>();
  let asked = 0;
  const report = async (round: number): Promise<void> =>
    tell(worker, { kind: "metrics:reported", round, report: await metrics.report() });
  worker.on("message", (message: unknown) => {
    if (!isMessage(message)) return;
    if (message.kind === "metrics:rendered") waiting.get(message.id)?.(message.text);
    if (message.kind === "metrics:report") void report(message.round).catch(() => undefined);
  });
  const ask = (id: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(new GatewayError("internal_error", "The metrics of all workers could not be gathered."));
      }, renderMsMax);
      waiting.set(id, (text) => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(text);
      });
      void tell(worker, { kind: "metrics:render", id });
    });
  return {
    render: async () => {
      asked += 1;
      return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text: await ask(asked) };
    },
    leave: () => report(0),
  };
}

/** Resolves when it is sent. Whoever is gone by now does not need it any more. */
function tell(worker: Worker, message: Message): Promise<void> {
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
