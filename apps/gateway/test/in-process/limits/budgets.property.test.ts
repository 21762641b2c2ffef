import { GatewayError } from "@model-gateway/domain/errors";
import { lengthByTier } from "@model-gateway/test-suite/tier";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { BudgetKey, Reservation } from "../../../src/limits/budgets.js";
import { type BudgetsStage, describeOnEveryStage } from "./budgets-stages.js";

const limitNanos = 1000;
const key: BudgetKey = { id: "key_1", budget: { usd: limitNanos / 1e9, per: "day" } };

type Step =
  | { readonly do: "reserve"; readonly nanos: number }
  | { readonly do: "settle"; readonly which: number; readonly nanos: number | null };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("reserve" as const), nanos: fc.integer({ min: 1, max: 400 }) }),
  fc.record({
    do: fc.constant("settle" as const),
    which: fc.nat(),
    nanos: fc.option(fc.nat(500), { nil: null }),
  }),
);

describeOnEveryStage("budgets under any load", (open) => {
  test("never reserve more than the budget, and count the spending exactly", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 50, size: "max" }), fc.nat(300), async (steps, before) => {
        const stage = await open();
        stage.ledger.rows.push({ keyId: "key_1", at: stage.clock.now(), nanos: before });
        try {
          await run(steps, before, stage);
        } finally {
          await stage.close();
        }
      }),
      { numRuns: lengthByTier({ short: 60, full: 600 }), seed: 20261116 },
    );
  });
});

async function run(steps: readonly Step[], before: number, { budgets }: BudgetsStage): Promise<void> {
  let spent = before;
  const inFlight: { readonly reservation: Reservation; readonly nanos: number }[] = [];
  for (const one of steps) {
    if (one.do === "reserve") {
      const held = inFlight.reduce((sum, { nanos }) => sum + nanos, 0);
      const fits = spent < limitNanos && spent + held + one.nanos <= limitNanos;
      const reservation = await tryReserve(budgets, one.nanos);
      expect(reservation !== undefined).toBe(fits);
      if (reservation !== undefined) inFlight.push({ reservation, nanos: one.nanos });
      continue;
    }
    const [chosen] = inFlight.splice(one.which % Math.max(1, inFlight.length), 1);
    chosen?.reservation.settle(one.nanos);
    spent += chosen === undefined ? 0 : (one.nanos ?? chosen.nanos);
  }
}

async function tryReserve(budgets: BudgetsStage["budgets"], nanos: number): Promise<Reservation | undefined> {
  try {
    return await budgets.reserve(key, nanos);
  } catch (failure) {
    if (failure instanceof GatewayError) return undefined;
    throw failure;
  }
}
