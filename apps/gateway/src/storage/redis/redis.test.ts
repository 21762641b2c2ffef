import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RedisScript } from "./redis.js";

/** The part of Redis that a script needs. `forget` drops its scripts, as a restart does. */
function fakeRedis() {
  const calls: string[] = [];
  let isKnown = false;
  const redis: Pick<Redis, "eval" | "evalsha"> = {
    eval: async (...[lua, keys, ...rest]: unknown[]) => {
      calls.push(`eval ${lua} ${keys} ${rest.join(" ")}`);
      isKnown = true;
      return "done";
    },
    evalsha: async (...[, keys, ...rest]: unknown[]) => {
      calls.push(`evalsha ${keys} ${rest.join(" ")}`);
      if (!isKnown) throw new Error("NOSCRIPT No matching script. Please use EVAL.");
      return "done";
    },
  };
  return {
    redis,
    calls,
    forget: () => {
      isKnown = false;
    },
  };
}

test("a script is sent once, and again after a Redis restart", async () => {
  const { redis, calls, forget } = fakeRedis();
  const script = new RedisScript("return 1");

  await script.run(redis, ["k"], [1]);
  await script.run(redis, ["k"], [2]);
  forget();
  const reply = await script.run(redis, ["k"], [3]);

  expect(reply).toBe("done");
  expect(calls).toEqual(["eval return 1 1 k 1", "evalsha 1 k 2", "evalsha 1 k 3", "eval return 1 1 k 3"]);
});

test("another error is not hidden by sending the script again", async () => {
  const redis: Pick<Redis, "eval" | "evalsha"> = {
    eval: async () => "done",
    evalsha: async () => Promise.reject(new Error("OOM command not allowed")),
  };
  const script = new RedisScript("return 1");
  await script.run(redis, [], []);

  await expect(script.run(redis, [], [])).rejects.toThrow("OOM");
});
