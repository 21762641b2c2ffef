import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { BackingServices } from "./backing-services.js";
import { add, type Cost, type KindName, noCost, scale } from "./constants.js";
import type { Replicas } from "./replicas.js";
import type { RequestSender } from "./send-request.js";
import { type Flush, type LedgerArrival, shipRows } from "./simulate.js";

/** After this time the last ledger rows and the last uses of keys are in the database. */
export const restMs = 6500;
/** Longer than the pool keeps an idle connection. */
const settleMs = 35_000;
const idleMs = 45_000;

export interface MeterOptions {
  readonly services: BackingServices;
  readonly replicas: Replicas;
  readonly sender: RequestSender;
  /** The services without replicas, for one second. */
  readonly base: Cost;
}

/** The cost of some work, and the number of ledger rows that it wrote. */
export interface MeasuredWork {
  readonly cost: Cost;
  readonly ms: number;
  readonly rows: number;
}

export interface SendPlan {
  readonly kind: KindName;
  readonly requests: number;
  readonly atOnce: number;
  /** The keys that send them in turn. */
  readonly keys?: number;
  /** The pause after each request. */
  readonly pauseMs?: number;
}

export interface SentRequests extends MeasuredWork {
  readonly requests: number;
  /** The statements that shipped their rows, if each wrote one. */
  readonly flushes: readonly Flush[];
}

/** Measures work without the polls of the replicas. */
export class Meter {
  readonly #options: MeterOptions;
  /** Of one replica, for one second. */
  idle: Cost = noCost;

  constructor(options: MeterOptions) {
    this.#options = options;
  }

  /** Measures the replicas without requests. Later measurements are without this cost. */
  async measureIdle(): Promise<void> {
    await setTimeout(settleMs);
    const { base, replicas } = this.#options;
    const { cost, ms } = await this.measureAll(() => setTimeout(idleMs));
    const perSecond = add(scale(cost, 1000 / ms), base, -1);
    this.idle = scale(perSecond, 1 / replicas.count);
  }

  /** Everything that the services did, until the last ledger row has arrived. */
  async measureAll(work: () => Promise<unknown>): Promise<MeasuredWork> {
    const { services } = this.#options;
    const rows = await countRows(services);
    const before = await services.read();
    const start = performance.now();
    await work();
    await setTimeout(restMs);
    const after = await services.read();
    const ms = performance.now() - start;
    return { cost: add(after, before, -1), ms, rows: (await countRows(services)) - rows };
  }

  /** The same without the polls. */
  async measure(work: () => Promise<unknown>): Promise<MeasuredWork> {
    const measured = await this.measureAll(work);
    const { base, replicas } = this.#options;
    const seconds = measured.ms / 1000;
    const polls = add(scale(base, seconds), this.idle, seconds * replicas.count);
    return { ...measured, cost: add(measured.cost, polls, -1) };
  }

  /** Sends requests to the first replica, some at a time. */
  async send({ kind, requests, atOnce, keys = 1, pauseMs }: SendPlan): Promise<SentRequests> {
    const { sender } = this.#options;
    const arrivals: LedgerArrival[] = [];
    let sent = 0;
    const measured = await this.measure(async () => {
      const start = performance.now();
      const sendSome = async () => {
        while (sent < requests) {
          const index = sent;
          sent += 1;
          await sender.send(kind, 0, index);
          arrivals.push({ atMs: performance.now() - start, group: String(index % keys) });
          if (pauseMs !== undefined) await setTimeout(pauseMs);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, sendSome));
    });
    return { ...measured, requests, flushes: measured.rows === 0 ? [] : shipRows(arrivals) };
  }
}

const baseMs = 10_000;

/** The cost of services that nobody uses, for one second. */
export async function measureBase(services: BackingServices): Promise<Cost> {
  const before = await services.read();
  await setTimeout(baseMs);
  return scale(add(await services.read(), before, -1), 1000 / baseMs);
}

async function countRows(services: BackingServices): Promise<number> {
  const [row] = await services.query<{ rows: string }>("select count(*) as rows from ledger_rows");
  return Number(row?.rows);
}
