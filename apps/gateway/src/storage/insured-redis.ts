import type { Redis } from "ioredis";

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
export class InsuredRedis {
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
