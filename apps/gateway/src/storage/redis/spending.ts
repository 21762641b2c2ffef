import { randomUUID } from "node:crypto";
import type {
  Settlement,
  SharedSpending,
  SpendingAccount,
  SpendingReply,
  SpendingRequest,
} from "../../limits/shared-spending.js";
import { RedisScript, type ResilientRedis } from "./redis.js";

/** Longer than any request takes. The holds of a killed replica are free again after this time. */
const holdMs = 15 * 60_000;
/** Requests may end after the period in which they began. */
const forgetAfterMs = 24 * 3_600_000;

interface RedisSpendingOptions {
  /** Prefix of all Redis keys. */
  readonly prefix?: string;
  /** Milliseconds since 1970. Without it, the Redis clock is used, which all replicas share. */
  readonly now?: () => number;
}

/** Counts the spending of keys in Redis, for all replicas. */
export class RedisSpending implements SharedSpending {
  readonly #redis: ResilientRedis;
  readonly #options: RedisSpendingOptions;
  readonly #processId = randomUUID();
  readonly #reserveScript = new RedisScript(reserveLua);
  readonly #settleScript = new RedisScript(settleSpendingLua);
  #holds = 0;

  constructor(redis: ResilientRedis, options: RedisSpendingOptions = {}) {
    this.#redis = redis;
    this.#options = options;
  }

  reserve(ask: SpendingRequest): Promise<SpendingReply | undefined> {
    const { period, limitNanos, amountNanos, owedNanos, seedNanos } = ask;
    this.#holds += 1;
    const hold = { id: `${amountNanos}:${this.#processId}:${this.#holds}`, nanos: amountNanos };
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
    return this.#redis.call(async (redis) => {
      const reply = readReply(await this.#reserveScript.run(redis, this.#keys(ask), values));
      if (reply.state === -1) return { state: "unknown" };
      const { spentNanos, reservedNanos } = reply;
      return { state: reply.state === 1 ? "held" : "refused", spentNanos, reservedNanos, hold };
    });
  }

  async settle(settlement: Settlement): Promise<boolean> {
    const { spentNanos, hold } = settlement;
    const values = [hold?.id ?? "", -(hold?.nanos ?? 0), spentNanos];
    const reply = await this.#redis.call((redis) =>
      this.#settleScript.run(redis, this.#keys(settlement), values),
    );
    return reply !== undefined;
  }

  spent(accounts: readonly SpendingAccount[]): Promise<readonly (number | undefined)[] | undefined> {
    return this.#redis.call(async (redis) => {
      const pipeline = redis.pipeline();
      for (const account of accounts) pipeline.hget(this.#keys(account)[0] ?? "", "spent");
      const replies = (await pipeline.exec()) ?? [];
      return accounts.map((_, index) => {
        const [failure, spent] = replies[index] ?? [new Error("Redis returned too few replies.")];
        if (failure !== null) throw failure;
        return typeof spent === "string" && Number.isFinite(Number(spent)) ? Number(spent) : undefined;
      });
    });
  }

  #keys({ keyId, period }: SpendingAccount): string[] {
    const account = `${this.#options.prefix ?? "mg:budgets:1:"}${period.id}:${keyId}`;
    return [account, `${account}:holds`];
  }
}

function readReply(reply: unknown): { state: number; spentNanos: number; reservedNanos: number } {
  if (!Array.isArray(reply)) throw new Error("Redis returned an unexpected reply.");
  const [state, spentNanos, reservedNanos] = reply.map(Number);
  if (state === undefined || !Number.isFinite(spentNanos) || !Number.isFinite(reservedNanos))
    throw new Error("Redis returned an unexpected reply.");
  return { state, spentNanos: spentNanos ?? 0, reservedNanos: reservedNanos ?? 0 };
}

/** Without a time in ARGV, the Redis clock is used: replica clocks differ. `whole` keeps integers exact as text. */
const common = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function whole(number) return string.format('%.0f', number) end
`;

/**
 * Holds an amount for an account if it fits. ARGV: time, account limit, amount, debt, seed or empty, hold id, hold
 * lifetime, account expiry. KEYS: a hash of the spent and held amounts; a sorted set of holds by expiry. Returns -1 if
 * the account is unknown and there is no seed, 0 if the amount does not fit, 1 if it is held; then the spent and held
 * amounts as text.
 */
const reserveLua = `${common}
local limit, amount, owed = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local kept = redis.call('HMGET', KEYS[1], 'spent', 'held')
local spent, held = tonumber(kept[1] or ARGV[5]), tonumber(kept[2] or 0)
if not spent then return { -1, '0', '0' } end
spent = spent + owed
local lost = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)
for _, hold in ipairs(lost) do
  held = held - tonumber(string.match(hold, '^(%d+):'))
  redis.call('ZREM', KEYS[2], hold)
end
local fits = 0
if spent < limit and spent + held + amount <= limit then
  fits = 1
  held = held + amount
  redis.call('ZADD', KEYS[2], now + tonumber(ARGV[7]), ARGV[6])
end
redis.call('HSET', KEYS[1], 'spent', whole(spent), 'held', whole(held))
redis.call('PEXPIREAT', KEYS[1], ARGV[8])
redis.call('PEXPIREAT', KEYS[2], ARGV[8])
return { fits, whole(spent), whole(held) }
`;

/**
 * Counts spent money and releases its hold. An unknown account stays unknown: its seed from the ledger will include
 * this amount. ARGV: hold id, change of the held amount, amount spent. KEYS: as above.
 */
const settleSpendingLua = `
if redis.call('HEXISTS', KEYS[1], 'spent') == 0 then return 0 end
if redis.call('ZREM', KEYS[2], ARGV[1]) == 1 then redis.call('HINCRBY', KEYS[1], 'held', ARGV[2]) end
redis.call('HINCRBY', KEYS[1], 'spent', ARGV[3])
return 1
`;
