import { randomUUID } from "node:crypto";
import type { LimitSubject, Rule } from "../../limits/limits.js";
import type { SharedAsk, SharedCorrection, SharedCounters, SharedTake } from "../../limits/shared-limits.js";
import { Batcher } from "../database/batcher.js";
import { renewLua, settleLua, takeLua } from "./counters-scripts.js";
import { RedisScript, type ResilientRedis } from "./redis.js";

const lengthMs: Readonly<Record<Rule["per"], number>> = { minute: 60_000, day: 86_400_000 };
/** How long the places of a replica that was killed stay taken, at most. */
const defaultLeaseMs = 30_000;
const renewalsPerCall = 500;

export interface RedisCountersOptions {
  /** What the names of its keys begin with. */
  readonly prefix?: string;
  readonly leaseMs?: number;
  /** Milliseconds since 1970. Without it the clock of Redis holds, which is the same for all replicas. */
  readonly now?: () => number;
}

/** What is told to Redis without waiting: counters to mend, or places to give back. */
type Notice =
  | { readonly corrections: readonly SharedCorrection[] }
  | { readonly lease: string; readonly keys: readonly string[] };

/** Counts in Redis for all replicas: one script, one round trip, everything or nothing. */
export class RedisCounters implements SharedCounters {
  readonly #redis: ResilientRedis;
  readonly #options: RedisCountersOptions;
  readonly #leaseMs: number;
  /** The places that this process holds, by lease. */
  readonly #places = new Map<string, readonly string[]>();
  readonly #self = randomUUID();
  readonly #renewal: NodeJS.Timeout;
  readonly #takes = new Batcher((asks: readonly Lease[]) => this.#takeAll(asks));
  readonly #notices = new Batcher((notices: readonly Notice[]) => this.#tell(notices));
  readonly #takeScript = new RedisScript(takeLua);
  readonly #settleScript = new RedisScript(settleLua);
  readonly #renewScript = new RedisScript(renewLua);
  #leases = 0;

  constructor(redis: ResilientRedis, options: RedisCountersOptions = {}) {
    this.#redis = redis;
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? defaultLeaseMs;
    this.#renewal = setInterval(() => this.renew(), this.#leaseMs / 3).unref();
  }

  async take(ask: SharedAsk): Promise<SharedTake | undefined> {
    this.#leases += 1;
    const lease = `${this.#self}:${this.#leases}`;
    const taken = await this.#takes.ask({ ask, lease });
    if (taken?.isTaken === true && ask.places.length > 0)
      this.#places.set(
        lease,
        ask.places.map(({ subject }) => this.#key("places", subject)),
      );
    return taken;
  }

  settle(corrections: readonly SharedCorrection[]): void {
    void this.#notices.ask({ corrections });
  }

  release(lease: string): void {
    const keys = this.#places.get(lease);
    this.#places.delete(lease);
    if (keys !== undefined) void this.#notices.ask({ lease, keys });
  }

  /** Keeps the places of requests that are still under way. */
  renew(): void {
    const held = [...this.#places].flatMap(([lease, keys]) => keys.map((key) => ({ lease, key })));
    for (let start = 0; start < held.length; start += renewalsPerCall) {
      const keys = new KeyList();
      const places = held
        .slice(start, start + renewalsPerCall)
        .map(({ lease, key }) => [keys.place(key), lease]);
      this.#redis.tell((redis) => this.#renewScript.run(redis, keys.all, [this.#document({ places })]));
    }
  }

  close(): void {
    clearInterval(this.#renewal);
  }

  async #takeAll(asks: readonly Lease[]): Promise<SharedTake[] | undefined> {
    const keys = new KeyList();
    const takes = asks.map(({ ask: { counts, places }, lease }) => [
      lease,
      counts.map(({ subject, rule, amount }) => [
        keys.place(this.#key(rule.per, subject)),
        rule.unit,
        lengthMs[rule.per],
        rule.max,
        amount,
      ]),
      places.map(({ subject, max }) => [keys.place(this.#key("places", subject)), max]),
    ]);
    return this.#redis.ask(async (redis) => {
      const replies = await this.#takeScript.run(redis, keys.all, [this.#document({ takes })]);
      if (!Array.isArray(replies)) throw new Error("Redis answered something else.");
      return asks.map(({ ask, lease }, index) => ({ ...readReply(replies[index], ask), lease }));
    });
  }

  async #tell(notices: readonly Notice[]): Promise<undefined> {
    const keys = new KeyList();
    const corrections = notices.flatMap((notice) =>
      "corrections" in notice
        ? notice.corrections.map(({ subject, rule, startsAt, difference }) => [
            keys.place(this.#key(rule.per, subject)),
            rule.unit,
            lengthMs[rule.per],
            startsAt,
            difference,
          ])
        : [],
    );
    const places = notices.flatMap((notice) =>
      "keys" in notice ? notice.keys.map((key) => [keys.place(key), notice.lease]) : [],
    );
    const document = this.#document({ corrections, places });
    this.#redis.tell((redis) => this.#settleScript.run(redis, keys.all, [document]));
  }

  #document(asked: object): string {
    return JSON.stringify({ now: this.#options.now?.(), leaseMs: this.#leaseMs, ...asked });
  }

  #key(kind: Rule["per"] | "places", { name, id }: LimitSubject): string {
    return `${this.#options.prefix ?? "mg:limits:1:"}${kind}:${name}:${id}`;
  }
}

interface Lease {
  readonly ask: SharedAsk;
  readonly lease: string;
}

/** The keys of a call, each once, and their places as Lua counts. */
class KeyList {
  readonly all: string[] = [];
  readonly #places = new Map<string, number>();

  place(key: string): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.all.push(key);
    this.#places.set(key, place);
    return place;
  }
}

function readReply(reply: unknown, { counts, places }: SharedAsk): Omit<SharedTake, "lease"> {
  if (!isNumbers(reply) || reply.length !== 1 + counts.length * 3 + places.length)
    throw new Error("Redis answered something else.");
  return {
    isTaken: reply[0] === 1,
    counts: counts.map((_, index) => {
      const at = 1 + index * 3;
      return { used: reply[at] ?? 0, startsAt: reply[at + 1] ?? 0, endsInMs: reply[at + 2] ?? 0 };
    }),
    places: reply.slice(1 + counts.length * 3),
  };
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => typeof one === "number");
}
