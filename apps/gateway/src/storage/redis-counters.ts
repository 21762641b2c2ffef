import { randomUUID } from "node:crypto";
import type { LimitSubject } from "../limits/limits.js";
import type { Rule } from "../limits/rules.js";
import type { SharedAsk, SharedCorrection, SharedCounters, SharedTake } from "../limits/shared-counters.js";
import type { InsuredRedis } from "./insured-redis.js";
import { renewLua, settleLua, takeLua } from "./redis-counters-scripts.js";
import { RedisScript } from "./redis-script.js";

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

/** Counts in Redis for all replicas: one script, one round trip, everything or nothing. */
export class RedisCounters implements SharedCounters {
  readonly #redis: InsuredRedis;
  readonly #options: RedisCountersOptions;
  readonly #leaseMs: number;
  /** The places that this process holds, by lease. */
  readonly #places = new Map<string, readonly string[]>();
  readonly #self = randomUUID();
  readonly #renewal: NodeJS.Timeout;
  readonly #takeScript = new RedisScript(takeLua);
  readonly #settleScript = new RedisScript(settleLua);
  readonly #renewScript = new RedisScript(renewLua);
  #leases = 0;

  constructor(redis: InsuredRedis, options: RedisCountersOptions = {}) {
    this.#redis = redis;
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? defaultLeaseMs;
    this.#renewal = setInterval(() => this.renew(), this.#leaseMs / 3).unref();
  }

  async take({ counts, places }: SharedAsk): Promise<SharedTake | undefined> {
    this.#leases += 1;
    const lease = `${this.#self}:${this.#leases}`;
    const keys = places.map(({ subject }) => this.#key("places", subject));
    const reply = await this.#redis.ask(async (redis) =>
      readReply(
        await this.#takeScript.run(
          redis,
          [...counts.map(({ subject, rule }) => this.#key(rule.per, subject)), ...keys],
          [
            this.#time(),
            counts.length,
            lease,
            this.#leaseMs,
            ...counts.flatMap(({ rule, amount }) => [rule.unit, lengthMs[rule.per], rule.max, amount]),
            ...places.map(({ max }) => max),
          ],
        ),
        counts.length,
      ),
    );
    if (reply === undefined) return undefined;
    if (reply.isTaken && keys.length > 0) this.#places.set(lease, keys);
    return { ...reply, lease };
  }

  settle(corrections: readonly SharedCorrection[]): void {
    const keys = corrections.map(({ subject, rule }) => this.#key(rule.per, subject));
    const values = corrections.flatMap(({ rule, startsAt, difference }) => [
      rule.unit,
      lengthMs[rule.per],
      startsAt,
      difference,
    ]);
    this.#redis.tell((redis) => this.#settleScript.run(redis, keys, [this.#time(), ...values]));
  }

  release(lease: string): void {
    const keys = this.#places.get(lease);
    if (keys === undefined || !this.#places.delete(lease)) return;
    for (const key of keys) this.#redis.tell((redis) => redis.zrem(key, lease));
  }

  /** Keeps the places of requests that are still under way. */
  renew(): void {
    const held = [...this.#places].flatMap(([lease, keys]) => keys.map((key) => ({ lease, key })));
    for (let start = 0; start < held.length; start += renewalsPerCall) {
      const part = held.slice(start, start + renewalsPerCall);
      const keys = part.map(({ key }) => key);
      const values = [this.#time(), this.#leaseMs, ...part.map(({ lease }) => lease)];
      this.#redis.tell((redis) => this.#renewScript.run(redis, keys, values));
    }
  }

  close(): void {
    clearInterval(this.#renewal);
  }

  #time(): number | string {
    return this.#options.now?.() ?? "";
  }

  #key(kind: Rule["per"] | "places", { name, id }: LimitSubject): string {
    return `${this.#options.prefix ?? "mg:limits:1:"}${kind}:${name}:${id}`;
  }
}

function readReply(reply: unknown, counters: number): Omit<SharedTake, "lease"> {
  if (!isNumbers(reply) || reply.length < 1 + counters * 3) throw new Error("Redis answered something else.");
  const counts = Array.from({ length: counters }, (_, index) => {
    const [used = 0, startsAt = 0, endsInMs = 0] = reply.slice(1 + index * 3, 4 + index * 3);
    return { used, startsAt, endsInMs };
  });
  return { isTaken: reply[0] === 1, counts, places: reply.slice(1 + counters * 3) };
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => typeof one === "number");
}
