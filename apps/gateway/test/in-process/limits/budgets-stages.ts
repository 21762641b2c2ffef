import { EpochClock } from "@model-gateway/runtime/test/clocks";
import { describe } from "vitest";
import { Budgets } from "../../../src/limits/budgets.js";
import { RedisSpending } from "../../../src/storage/redis/spending.js";
import { describeWithRedis } from "../../servers/redis-server.js";
import { FakeLedger } from "./fake-ledger.js";
import { openRedisStage } from "./redis-stage.js";

/** Budgets with their own clock and ledger. */
export interface BudgetsStage {
  readonly budgets: Budgets;
  readonly clock: EpochClock;
  readonly ledger: FakeLedger;
  close(): Promise<void>;
}

export type OpenStage = (start?: string) => Promise<BudgetsStage>;

/** Runs the same tests on budgets in memory and in Redis. */
export function describeOnEveryStage(name: string, tests: (open: OpenStage) => void): void {
  describe(`${name}, in memory`, () => tests(openInMemory));
  describeWithRedis(`${name}, in Redis`, ({ host, port }) =>
    tests((start) => openInRedis(`redis://${host}:${port}`, start)),
  );
}

const noon = "2036-11-15T12:00:00Z";

async function openInMemory(start = noon): Promise<BudgetsStage> {
  const clock = new EpochClock(start);
  const ledger = new FakeLedger();
  const budgets = new Budgets({ now: clock.now, ledgerWaitMs: 50, ...ledger.options });
  return { clock, ledger, budgets, close: async () => undefined };
}

async function openInRedis(url: string, start = noon): Promise<BudgetsStage> {
  const clock = new EpochClock(start);
  const ledger = new FakeLedger();
  const { resilient, prefix, close } = await openRedisStage(url);
  const shared = new RedisSpending(resilient, { prefix, now: clock.now });
  const budgets = new Budgets({ now: clock.now, ledgerWaitMs: 50, shared, ...ledger.options });
  return { clock, ledger, budgets, close };
}
