import type { SignalStore, StoredSignal } from "@model-gateway/scheduling/target-signals";
import { RedisScript, type ResilientRedis } from "./redis.js";

/** More targets than any configuration has. Further entries are not kept. */
const signalsMax = 4096;
const textBytesMax = 1024;

interface RedisSignalStoreOptions {
  /** The Redis key of the hash. */
  readonly key?: string;
  readonly signalsMax?: number;
}

/** The signals of all replicas, in one hash. It holds few entries: only for targets in trouble. */
export class RedisSignalStore implements SignalStore {
  readonly #redis: ResilientRedis;
  readonly #key: string;
  readonly #signalsMax: number;
  readonly #script = new RedisScript(exchangeLua);

  constructor(redis: ResilientRedis, options: RedisSignalStoreOptions = {}) {
    this.#redis = redis;
    this.#key = options.key ?? "mg:targets:1";
    this.#signalsMax = options.signalsMax ?? signalsMax;
  }

  exchange(entries: readonly StoredSignal[]): Promise<readonly StoredSignal[] | undefined> {
    const values = entries
      .filter(({ text }) => text.length <= textBytesMax)
      .flatMap(({ key, text, ms }) => [key, text, Math.ceil(ms)]);
    return this.#redis.call(async (redis) =>
      readSignals(await this.#script.run(redis, [this.#key], [this.#signalsMax, ...values])),
    );
  }
}

function readSignals(reply: unknown): StoredSignal[] {
  if (!Array.isArray(reply)) throw new Error("Redis returned an unexpected reply.");
  const entries: StoredSignal[] = [];
  for (let at = 0; at < reply.length; at += 3)
    entries.push({ key: String(reply[at]), text: String(reply[at + 1]), ms: Number(reply[at + 2]) });
  return entries;
}

/**
 * Removes expired entries, adds new ones, and returns all. Ends are in Redis time, because replica clocks differ. An
 * entry does not shorten one with the same key. Other fields are removed. ARGV: the most entries; then key, text and
 * lifetime of each new one. KEYS: a hash of end and text by key.
 */
const exchangeLua = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends, texts, count = {}, {}, 0
local stored = redis.call('HGETALL', KEYS[1])
for at = 1, #stored, 2 do
  local stop, text = string.match(stored[at + 1], '^(%d+) (.*)$')
  if stop and tonumber(stop) > now then
    ends[stored[at]], texts[stored[at]], count = tonumber(stop), text, count + 1
  else
    redis.call('HDEL', KEYS[1], stored[at])
  end
end
for at = 2, #ARGV, 3 do
  local key, stop = ARGV[at], now + tonumber(ARGV[at + 2])
  local known = ends[key]
  if (known and known <= stop) or (not known and count < tonumber(ARGV[1])) then
    if not known then count = count + 1 end
    ends[key], texts[key] = stop, ARGV[at + 1]
    redis.call('HSET', KEYS[1], key, string.format('%.0f ', stop) .. ARGV[at + 1])
    if redis.call('PTTL', KEYS[1]) < stop - now then redis.call('PEXPIRE', KEYS[1], stop - now) end
  end
end
local entries = {}
for key, stop in pairs(ends) do
  entries[#entries + 1] = key
  entries[#entries + 1] = texts[key]
  entries[#entries + 1] = string.format('%.0f', stop - now)
end
return entries
`;
