import { hash } from "node:crypto";
import type { Redis } from "ioredis";

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
