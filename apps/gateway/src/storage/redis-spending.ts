import { randomUUID } from "node:crypto";
import type {
  Settlement,
  SharedSpending,
  SpendingAccount,
  SpendingAsk,
  SpendingReply,
} from "../limits/shared-spending.js";
import type { InsuredRedis } from "./insured-redis.js";
import { RedisScript } from "./redis-script.js";
import { reserveLua, settleSpendingLua } from "./redis-spending-scripts.js";

/** Longer than any request takes: what a replica held that was killed is free again after it. */
const holdMs = 15 * 60_000;
/** Requests may end after the period in which they began. */
const forgetAfterMs = 24 * 3_600_000;

export interface RedisSpendingOptions {
  /** What the names of its keys begin with. */
  readonly prefix?: string;
  /** Milliseconds since 1970. Without it the clock of Redis holds, which is the same for all replicas. */
  readonly now?: () => number;
}

/** Counts in Redis what keys have spent, for all replicas. */
export class RedisSpending implements SharedSpending {
  readonly #redis: InsuredRedis;
  readonly #options: RedisSpendingOptions;
  readonly #self = randomUUID();
  readonly #reserveScript = new RedisScript(reserveLua);
  readonly #settleScript = new RedisScript(settleSpendingLua);
  #holds = 0;

  constructor(redis: InsuredRedis, options: RedisSpendingOptions = {}) {
    this.#redis = redis;
    this.#options = options;
  }

  reserve(ask: SpendingAsk): Promise<SpendingReply | undefined> {
    const { period, limitNanos, amountNanos, owedNanos, seedNanos } = ask;
    this.#holds += 1;
    const hold = { id: `${amountNanos}:${this.#self}:${this.#holds}`, nanos: amountNanos };
    const values = [
      this.#options.now?.() ?? "",
      limitNanos,
      amountNanos,
      owedNanos,
      seedNanos ?? "",
      hold.id,
      holdMs,
      period.endsAt + forgetAfterMs,
    ];
    return this.#redis.ask(async (redis) => {
      const reply = readReply(await this.#reserveScript.run(redis, this.#keys(ask), values));
      if (reply.state === -1) return { state: "unknown" };
      const { spentNanos, reservedNanos } = reply;
      return { state: reply.state === 1 ? "held" : "refused", spentNanos, reservedNanos, hold };
    });
  }

  async settle(settlement: Settlement): Promise<boolean> {
    const { spentNanos, hold } = settlement;
    const values = [hold?.id ?? "", -(hold?.nanos ?? 0), spentNanos];
    const reply = await this.#redis.ask((redis) =>
      this.#settleScript.run(redis, this.#keys(settlement), values),
    );
    return reply !== undefined;
  }

  #keys({ keyId, period }: SpendingAccount): string[] {
    const account = `${this.#options.prefix ?? "mg:budgets:1:"}${period.id}:${keyId}`;
    return [account, `${account}:holds`];
  }
}

function readReply(reply: unknown): { state: number; spentNanos: number; reservedNanos: number } {
  if (!Array.isArray(reply)) throw new Error("Redis answered something else.");
  const [state, spentNanos, reservedNanos] = reply.map(Number);
  if (state === undefined || !Number.isFinite(spentNanos) || !Number.isFinite(reservedNanos))
    throw new Error("Redis answered something else.");
  return { state, spentNanos: spentNanos ?? 0, reservedNanos: reservedNanos ?? 0 };
}
