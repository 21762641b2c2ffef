import { randomUUID } from "node:crypto";
import { every, type Repetition } from "@model-gateway/runtime/every";
import type { LimitSubject, Rule } from "../../limits/limits.js";
import type {
  SharedCorrection,
  SharedCounters,
  SharedTakeReply,
  SharedTakeRequest,
} from "../../limits/shared-limits.js";
import { Batcher } from "./batcher.js";
import { renewLua, settleLua, takeLua } from "./counters-scripts.js";
import { RedisScript, type ResilientRedis } from "./redis.js";

const windowMs: Readonly<Record<Rule["per"], number>> = { minute: 60_000, day: 86_400_000 };
/** The concurrency slots of a killed replica are free again after this time. */
const defaultLeaseMs = 30_000;
const renewalsPerCall = 500;

export interface RedisCountersOptions {
  /** Prefix of all Redis keys. */
  readonly prefix?: string;
  readonly leaseMs?: number;
  /** Milliseconds since 1970. Without it, the Redis clock is used, which all replicas share. */
  readonly now?: () => number;
}

interface TakeCall {
  readonly ask: SharedTakeRequest;
  readonly lease: string;
}

/** Sent without waiting for the reply: counters to correct, or concurrency slots to release. */
type Notice =
  | { readonly corrections: readonly SharedCorrection[] }
  | { readonly lease: string; readonly keys: readonly string[] };

/** Counts in Redis for all replicas, all or nothing: one script and one round trip for each batch. */
export class RedisCounters implements SharedCounters {
  readonly #redis: ResilientRedis;
  readonly #options: RedisCountersOptions;
  readonly #leaseMs: number;
  /** Keys of the concurrency slots that this process holds, by lease. */
  readonly #held = new Map<string, readonly string[]>();
  readonly #processId = randomUUID();
  readonly #renewal: Repetition;
  readonly #takes = new Batcher((calls: readonly TakeCall[]) => this.#takeAll(calls));
  readonly #notices = new Batcher((notices: readonly Notice[]) => this.#notify(notices));
  readonly #takeScript = new RedisScript(takeLua);
  readonly #settleScript = new RedisScript(settleLua);
  readonly #renewScript = new RedisScript(renewLua);
  #leases = 0;

  constructor(redis: ResilientRedis, options: RedisCountersOptions = {}) {
    this.#redis = redis;
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? defaultLeaseMs;
    this.#renewal = every(this.#leaseMs / 3, () => this.renew(), { task: "renew_concurrency_slots" });
  }

  async take(ask: SharedTakeRequest): Promise<SharedTakeReply | undefined> {
    this.#leases += 1;
    const lease = `${this.#processId}:${this.#leases}`;
    const taken = await this.#takes.send({ ask, lease });
    if (taken?.isTaken === true && ask.concurrency.length > 0)
      this.#held.set(
        lease,
        ask.concurrency.map(({ subject }) => this.#key("places", subject)),
      );
    return taken;
  }

  settle(corrections: readonly SharedCorrection[]): void {
    void this.#notices.send({ corrections });
  }

  release(lease: string): void {
    const keys = this.#held.get(lease);
    this.#held.delete(lease);
    if (keys !== undefined) void this.#notices.send({ lease, keys });
  }

  /** Extends the leases of requests in flight. */
  renew(): void {
    const held = [...this.#held].flatMap(([lease, keys]) => keys.map((key) => ({ lease, key })));
    for (let start = 0; start < held.length; start += renewalsPerCall) {
      const keys = new KeyList();
      const slots = held
        .slice(start, start + renewalsPerCall)
        .map(({ lease, key }) => [keys.indexOf(key), lease]);
      this.#redis.send((redis) => this.#renewScript.run(redis, keys.all, [this.#document({ slots })]));
    }
  }

  close(): void {
    void this.#renewal.stop();
  }

  async #takeAll(calls: readonly TakeCall[]): Promise<SharedTakeReply[] | undefined> {
    const keys = new KeyList();
    const takes = calls.map(({ ask: { counts, concurrency }, lease }) => [
      lease,
      counts.map(({ subject, rule, amount }) => [
        keys.indexOf(this.#key(rule.per, subject)),
        rule.unit,
        windowMs[rule.per],
        rule.max,
        amount,
      ]),
      concurrency.map(({ subject, max }) => [keys.indexOf(this.#key("places", subject)), max]),
    ]);
    return this.#redis.call(async (redis) => {
      const replies = await this.#takeScript.run(redis, keys.all, [this.#document({ takes })]);
      if (!Array.isArray(replies)) throw new Error("Redis returned an unexpected reply.");
      return calls.map(({ ask, lease }, index) => ({ ...readReply(replies[index], ask), lease }));
    });
  }

  async #notify(notices: readonly Notice[]): Promise<undefined> {
    const keys = new KeyList();
    const corrections = notices.flatMap((notice) =>
      "corrections" in notice
        ? notice.corrections.map(({ subject, rule, startsAt, difference }) => [
            keys.indexOf(this.#key(rule.per, subject)),
            rule.unit,
            windowMs[rule.per],
            startsAt,
            difference,
          ])
        : [],
    );
    const slots = notices.flatMap((notice) =>
      "keys" in notice ? notice.keys.map((key) => [keys.indexOf(key), notice.lease]) : [],
    );
    const document = this.#document({ corrections, slots });
    this.#redis.send((redis) => this.#settleScript.run(redis, keys.all, [document]));
  }

  #document(fields: object): string {
    return JSON.stringify({ now: this.#options.now?.(), leaseMs: this.#leaseMs, ...fields });
  }

  #key(kind: Rule["per"] | "places", { name, id }: LimitSubject): string {
    return `${this.#options.prefix ?? "mg:limits:1:"}${kind}:${name}:${id}`;
  }
}

/** The distinct keys of a call, with indexes counted from 1 as in Lua. */
class KeyList {
  readonly all: string[] = [];
  readonly #indexes = new Map<string, number>();

  indexOf(key: string): number {
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const index = this.all.push(key);
    this.#indexes.set(key, index);
    return index;
  }
}

function readReply(
  reply: unknown,
  { counts, concurrency }: SharedTakeRequest,
): Omit<SharedTakeReply, "lease"> {
  if (!isNumbers(reply) || reply.length !== 1 + counts.length * 3 + concurrency.length)
    throw new Error("Redis returned an unexpected reply.");
  return {
    isTaken: reply[0] === 1,
    counts: counts.map((_, index) => {
      const at = 1 + index * 3;
      return { used: reply[at] ?? 0, startsAt: reply[at + 1] ?? 0, endsInMs: reply[at + 2] ?? 0 };
    }),
    inFlight: reply.slice(1 + counts.length * 3),
  };
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => typeof one === "number");
}
