import { hash } from "node:crypto";
import { withTimeout } from "@model-gateway/runtime/with-timeout";
import type { Redis } from "ioredis";
import type { Logger } from "pino";

interface ResilientRedisOptions {
  /** Time that a request waits for Redis before it continues without it. */
  readonly timeoutMs: number;
  /** Time that Redis is not called after a failure, so that a hanging Redis does not slow down every request. */
  readonly pauseMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Called once when Redis becomes unavailable. */
  readonly onUnavailable: (failure: unknown) => void;
  /** Called once when it is available again. */
  readonly onAvailable: () => void;
}

/** A Redis that may fail at any time. Callers must be able to continue without it. */
export class ResilientRedis {
  readonly #redis: Redis;
  readonly #options: ResilientRedisOptions;
  #pausedUntil = 0;
  #isUnavailable = false;

  constructor(redis: Redis, options: ResilientRedisOptions) {
    this.#redis = redis;
    this.#options = options;
  }

  /** Resolves with the reply, or undefined if Redis is unavailable, too slow, or returns an error. */
  async call<T>(command: (redis: Redis) => Promise<T>): Promise<T | undefined> {
    if (!this.#isReachable()) return undefined;
    try {
      const reply = await within(command(this.#redis), this.#options.timeoutMs);
      this.#noteSuccess();
      return reply;
    } catch (failure) {
      this.#noteFailure(failure);
      return undefined;
    }
  }

  /** Sends a command without waiting for its reply. */
  send(command: (redis: Redis) => Promise<unknown>): void {
    if (!this.#isReachable()) return;
    command(this.#redis).catch((failure: unknown) => this.#noteFailure(failure));
  }

  #isReachable(): boolean {
    if (this.#options.now() < this.#pausedUntil) return false;
    if (this.#redis.status === "ready") return true;
    this.#noteFailure(new Error(`Redis is not connected: ${this.#redis.status}.`));
    return false;
  }

  #noteSuccess(): void {
    if (!this.#isUnavailable) return;
    this.#isUnavailable = false;
    this.#options.onAvailable();
  }

  #noteFailure(failure: unknown): void {
    this.#pausedUntil = this.#options.now() + this.#options.pauseMs;
    if (this.#isUnavailable) return;
    this.#isUnavailable = true;
    this.#options.onUnavailable(failure);
  }
}

function within<T>(promise: Promise<T>, limitMs: number): Promise<T> {
  return withTimeout(promise, limitMs, () => {
    throw new Error(`Redis did not reply within ${limitMs} ms.`);
  });
}

const reconnectMsMax = 2000;

/** Connects in the background, and again after every loss. A command that cannot be sent at once fails at once. */
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
    if (wasReady) log.warn({ err: failure }, "The connection to Redis failed.");
    wasReady = false;
  });
  return redis;
}

/**
 * A Lua script, which Redis runs atomically. The first call sends the whole text, so that calls keep their order; later
 * calls send its digest.
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

/** True after a Redis restart, which drops its scripts. The first word of a Redis error is its code. */
function isUnknownScript(failure: unknown): boolean {
  return failure instanceof Error && failure.message.startsWith("NOSCRIPT ");
}
