import { hash } from "node:crypto";
import type { Redis } from "ioredis";
import type { Logger } from "pino";

export interface InsuredRedisOptions {
  /** How long a request waits for Redis before it goes on without. */
  readonly timeoutMs: number;
  /** How long nobody asks again after it failed: a Redis that hangs shall not slow down every request. */
  readonly restMs: number;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** Told once when Redis goes away. */
  readonly onAway: (failure: unknown) => void;
  /** Told once when it is back. */
  readonly onBack: () => void;
}

/** A Redis that may be away at any time. Whoever asks must know what to do without. */
export class ResilientRedis {
  readonly #redis: Redis;
  readonly #options: InsuredRedisOptions;
  #restsUntil = 0;
  #isAway = false;

  constructor(redis: Redis, options: InsuredRedisOptions) {
    this.#redis = redis;
    this.#options = options;
  }

  /** What Redis says; undefined where it is away, is too slow, or refuses. */
  async ask<T>(command: (redis: Redis) => Promise<T>): Promise<T | undefined> {
    if (!this.#isReachable()) return undefined;
    try {
      const answer = await within(command(this.#redis), this.#options.timeoutMs);
      this.#noteSuccess();
      return answer;
    } catch (failure) {
      this.#noteFailure(failure);
      return undefined;
    }
  }

  /** Has something done that nobody waits for. */
  tell(command: (redis: Redis) => Promise<unknown>): void {
    if (!this.#isReachable()) return;
    command(this.#redis).catch((failure: unknown) => this.#noteFailure(failure));
  }

  #isReachable(): boolean {
    if (this.#options.now() < this.#restsUntil) return false;
    if (this.#redis.status === "ready") return true;
    this.#noteFailure(new Error(`Redis is not connected: ${this.#redis.status}.`));
    return false;
  }

  #noteSuccess(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#options.onBack();
  }

  #noteFailure(failure: unknown): void {
    this.#restsUntil = this.#options.now() + this.#options.restMs;
    if (this.#isAway) return;
    this.#isAway = true;
    this.#options.onAway(failure);
  }
}

async function within<T>(promise: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(new Error(`Redis did not answer within ${limitMs} ms.`));
    // Where this process was busy for as long, the answer lies there and only needs to be read.
    timer = setTimeout(() => setImmediate(giveUp), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

const reconnectMsMax = 2000;

/** Never waits for Redis: a command that cannot be sent now fails now. It goes on trying to connect. */
export async function openRedis(url: string, log: Logger): Promise<Redis> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: reconnectMsMax,
    retryStrategy: (attempt) => Math.min(attempt * 100, reconnectMsMax),
  });
  let wasReady = true;
  redis.on("ready", () => {
    wasReady = true;
    log.info("Redis is connected.");
  });
  redis.on("error", (failure: Error) => {
    if (wasReady) log.warn({ err: failure }, "Redis is away.");
    wasReady = false;
  });
  return redis;
}

/**
 * A script that one Redis runs at one go. It is sent whole the first time, so that calls keep their order, and called by
 * its digest from then on.
 */
export class RedisScript {
  readonly #lua: string;
  readonly #sha1: string;
  #isSent = false;

  constructor(lua: string) {
    this.#lua = lua;
    this.#sha1 = hash("sha1", lua);
  }

  async run(
    redis: Pick<Redis, "eval" | "evalsha">,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> {
    if (this.#isSent) {
      try {
        return await redis.evalsha(this.#sha1, keys.length, ...keys, ...values);
      } catch (failure) {
        if (!isUnknownScript(failure)) throw failure;
      }
    }
    this.#isSent = true;
    return redis.eval(this.#lua, keys.length, ...keys, ...values);
  }
}

/** A Redis that was restarted has forgotten it. The first word of an error from Redis is its code. */
function isUnknownScript(failure: unknown): boolean {
  return failure instanceof Error && failure.message.startsWith("NOSCRIPT ");
}
