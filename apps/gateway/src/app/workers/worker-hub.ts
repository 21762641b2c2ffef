import type { Cluster, Worker } from "node:cluster";
import type { SiblingTopic } from "@model-gateway/domain/siblings";
import { isMessage, send } from "./messages.js";

/** The supervisor's handling of the reports on a topic. */
export interface HubTopic {
  /** Time that a round waits for the workers. */
  readonly timeoutMs: number;
  /** The result of a round, from the reports that came in time. */
  readonly merge: (reports: readonly unknown[]) => unknown;
  /** Called for every report, including late ones and those that a worker sends by itself. */
  readonly onReport?: (worker: number, report: unknown) => void;
  readonly onExit?: (worker: number) => void;
}

/** One question to all workers. */
interface Round {
  readonly missing: Set<number>;
  readonly reports: unknown[];
  readonly finish: () => void;
}

/**
 * Runs in the supervisor. When a worker asks, it asks all workers and replies with their merged reports. A worker that
 * did not report in time is not waited for again until it reports.
 */
export class WorkerHub {
  readonly #topics: Readonly<Record<SiblingTopic, HubTopic>>;
  readonly #members = new Map<number, Worker>();
  readonly #late = new Set<number>();
  readonly #rounds = new Map<number, Round>();
  readonly #current = new Map<SiblingTopic, Promise<unknown>>();
  readonly #following = new Map<SiblingTopic, Promise<unknown>>();
  #lastRound = 0;

  constructor(cluster: Cluster, topics: Readonly<Record<SiblingTopic, HubTopic>>) {
    this.#topics = topics;
    cluster.on("message", (worker: Worker, message: unknown) => this.#receive(worker, message));
    cluster.on("exit", (worker: Worker) => {
      this.#retire(worker.id);
      // Its last report may not be read yet. When it closes, it is.
      const { process: child } = worker;
      child.once("close", () => {
        for (const topic of Object.values(topics)) topic.onExit?.(worker.id);
      });
    });
  }

  #receive(worker: Worker, message: unknown): void {
    if (!isMessage(message)) return;
    if (message.kind === "joined") this.#members.set(worker.id, worker);
    if (message.kind === "ask") {
      const { topic, id, detail } = message;
      void this.ask(topic, detail).then(
        (result) => send(worker, { kind: "result", id, result }),
        () => undefined,
      );
    }
    if (message.kind === "report") {
      this.#late.delete(worker.id);
      this.#topics[message.topic].onReport?.(worker.id, message.report);
      const round = this.#rounds.get(message.round);
      round?.reports.push(message.report);
      if (round !== undefined) markReported(round, worker.id);
    }
  }

  /**
   * Asks all workers, for the supervisor or for one of them. The reports of a round that has begun may be older than the
   * question, so questions meanwhile share the next round.
   */
  ask(topic: SiblingTopic, detail?: unknown): Promise<unknown> {
    // A question with a detail is not shared.
    if (detail !== undefined) return this.#gather(topic, detail);
    const current = this.#current.get(topic);
    if (current === undefined) return this.#begin(topic);
    const following =
      this.#following.get(topic) ??
      current
        .catch(() => undefined)
        .then(() => {
          this.#following.delete(topic);
          return this.#begin(topic);
        });
    this.#following.set(topic, following);
    return following;
  }

  #begin(topic: SiblingTopic): Promise<unknown> {
    const result = this.#gather(topic, undefined).finally(() => {
      if (this.#current.get(topic) === result) this.#current.delete(topic);
    });
    this.#current.set(topic, result);
    return result;
  }

  async #gather(topic: SiblingTopic, detail: unknown): Promise<unknown> {
    const { timeoutMs, merge } = this.#topics[topic];
    this.#lastRound += 1;
    const number = this.#lastRound;
    const reports: unknown[] = [];
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => finish(), timeoutMs);
      const round: Round = {
        missing: new Set([...this.#members.keys()].filter((id) => !this.#late.has(id))),
        reports,
        finish: () => finish(),
      };
      const finish = () => {
        clearTimeout(timer);
        this.#rounds.delete(number);
        for (const id of round.missing) this.#late.add(id);
        resolve();
      };
      this.#rounds.set(number, round);
      for (const worker of this.#members.values())
        void send(worker, { kind: "question", topic, round: number, detail });
      if (round.missing.size === 0) finish();
    });
    return merge(reports);
  }

  #retire(id: number): void {
    this.#members.delete(id);
    this.#late.delete(id);
    for (const round of this.#rounds.values()) markReported(round, id);
  }
}

function markReported(round: Round, id: number): void {
  round.missing.delete(id);
  if (round.missing.size === 0) round.finish();
}
