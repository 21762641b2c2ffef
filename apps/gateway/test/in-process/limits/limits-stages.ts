import { EpochClock } from "@model-gateway/runtime/test/clocks";
import { describe } from "vitest";
import type { RateLimits } from "../../../src/limits/limits.js";
import { openLimits } from "../../../src/limits/shared-limits.js";
import { RedisCounters } from "../../../src/storage/redis/counters.js";
import { describeWithRedis } from "../../servers/redis-server.js";
import { openRedisStage } from "./redis-stage.js";

/** Rate limits with their own clock. */
export interface LimitsStage {
  readonly limits: RateLimits;
  readonly clock: EpochClock;
  close(): Promise<void>;
}

export type OpenStage = (start?: string) => Promise<LimitsStage>;

/** Runs the same tests on limits in memory and in Redis. */
export function describeOnEveryStage(name: string, tests: (open: OpenStage) => void): void {
  describe(`${name}, in memory`, () => tests(openInMemory));
  describeWithRedis(`${name}, in Redis`, ({ host, port }) =>
    tests((start) => openInRedis(`redis://${host}:${port}`, start)),
  );
}

const noon = "2036-11-15T12:00:00Z";

async function openInMemory(start = noon): Promise<LimitsStage> {
  const clock = new EpochClock(start);
  return { clock, limits: openLimits({ now: clock.now }), close: async () => undefined };
}

async function openInRedis(url: string, start = noon): Promise<LimitsStage> {
  const clock = new EpochClock(start);
  const { resilient, prefix, close } = await openRedisStage(url);
  // Tests advance the clock by days, and no lease is renewed meanwhile.
  const counters = new RedisCounters(resilient, { prefix, now: clock.now, leaseMs: 7 * 86_400_000 });
  return {
    clock,
    limits: openLimits({ now: clock.now, shared: counters }),
    close: async () => {
      counters.close();
      await close();
    },
  };
}
