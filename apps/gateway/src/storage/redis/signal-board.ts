import type { Note, SignalBoard } from "../../scheduling/target-signals.js";
import { RedisScript, type ResilientRedis } from "./redis.js";

/** More targets than any configuration has. Further notes are not kept. */
const notesMax = 4096;
const textBytesMax = 1024;

export interface RedisSignalBoardOptions {
  /** The Redis key of the board. */
  readonly key?: string;
  readonly notesMax?: number;
}

/** The signals of all replicas, in one hash. It holds few notes: only those of targets in trouble. */
export class RedisSignalBoard implements SignalBoard {
  readonly #redis: ResilientRedis;
  readonly #key: string;
  readonly #notesMax: number;
  readonly #script = new RedisScript(exchangeLua);

  constructor(redis: ResilientRedis, options: RedisSignalBoardOptions = {}) {
    this.#redis = redis;
    this.#key = options.key ?? "mg:targets:1";
    this.#notesMax = options.notesMax ?? notesMax;
  }

  exchange(notes: readonly Note[]): Promise<readonly Note[] | undefined> {
    const values = notes
      .filter(({ text }) => text.length <= textBytesMax)
      .flatMap(({ key, text, ms }) => [key, text, Math.ceil(ms)]);
    return this.#redis.call(async (redis) =>
      readNotes(await this.#script.run(redis, [this.#key], [this.#notesMax, ...values])),
    );
  }
}

function readNotes(reply: unknown): Note[] {
  if (!Array.isArray(reply)) throw new Error("Redis returned an unexpected reply.");
  const notes: Note[] = [];
  for (let at = 0; at < reply.length; at += 3)
    notes.push({ key: String(reply[at]), text: String(reply[at + 1]), ms: Number(reply[at + 2]) });
  return notes;
}

/**
 * Removes what is over, puts up new notes, and returns all. Ends are in the time of Redis, because the clocks of replicas
 * differ. A note does not shorten one with the same key. A field that is no note is removed.
 * ARGV: the most notes; then key, text and lifetime of each new one. KEYS: a hash of end and text by key.
 */
export const exchangeLua = `
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
local notes = {}
for key, stop in pairs(ends) do
  notes[#notes + 1] = key
  notes[#notes + 1] = texts[key]
  notes[#notes + 1] = string.format('%.0f', stop - now)
end
return notes
`;
