import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RedisScript } from "./redis.js";

/** As much of a Redis as a script needs. It forgets scripts when it is told to. */
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

test("a script is sent once, and again to a Redis that has forgotten it", async () => {
  const { redis, calls, forget } = fakeRedis();
  const script = new RedisScript("return 1");

  await script.run(redis, ["k"], [1]);
  await script.run(redis, ["k"], [2]);
  forget();
  const answer = await script.run(redis, ["k"], [3]);

  expect(answer).toBe("done");
  expect(calls).toEqual(["eval return 1 1 k 1", "evalsha 1 k 2", "evalsha 1 k 3", "eval return 1 1 k 3"]);
});

test("another error of a script is not hidden by sending it again", async () => {
  const redis: Pick<Redis, "eval" | "evalsha"> = {
    eval: async () => "done",
    evalsha: async () => Promise.reject(new Error("OOM command not allowed")),
  };
  const script = new RedisScript("return 1");
  await script.run(redis, [], []);

  await expect(script.run(redis, [], [])).rejects.toThrow("OOM");
});
