import { setImmediate } from "node:timers/promises";
import type { UsageLimits } from "@model-gateway/domain/access-key";
import { GatewayError } from "@model-gateway/domain/errors";
import { lengthByTier } from "@model-gateway/test-suite/tier";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AdmittedRequest, LimitSubject } from "../../../src/limits/limits.js";
import { describeOnEveryStage, type LimitsStage } from "./limits-stages.js";

const limits: UsageLimits = { requestsPerMinute: 6, tokensPerMinute: 100, maxConcurrency: 4 };
const subjects: LimitSubject[] = [{ name: "key", id: "key_1", limits }];

type Step =
  | { readonly do: "admit"; readonly tokens: number }
  | { readonly do: "settle"; readonly which: number; readonly tokens: number }
  | { readonly do: "release"; readonly which: number }
  | { readonly do: "wait"; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("admit" as const), tokens: fc.nat(60) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("settle" as const), which: fc.nat(), tokens: fc.nat(90) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("release" as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.nat(70_000) }) },
);

/** A model of one minute that keeps every charge. */
class Minute {
  #startsAt = Number.NEGATIVE_INFINITY;
  #number = 0;
  readonly #charges: { readonly minute: number; amount: number }[] = [];

  used(now: number): number {
    if (now >= this.#startsAt + 60_000) return 0;
    return this.#charges
      .filter(({ minute }) => minute === this.#number)
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Returns a function that corrects the charge. */
  charge(amount: number, now: number): (actual: number, later: number) => void {
    if (now >= this.#startsAt + 60_000) {
      this.#startsAt = now;
      this.#number += 1;
    }
    const charge = { minute: this.#number, amount };
    this.#charges.push(charge);
    return (actual, later) => {
      if (charge.minute === this.#number && later < this.#startsAt + 60_000) charge.amount = actual;
      else if (actual > amount) this.charge(actual - amount, later);
    };
  }
}

interface TestedRequest {
  readonly admitted: AdmittedRequest;
  readonly correct: (tokens: number, now: number) => void;
  isSettled: boolean;
  isReleased: boolean;
}

describeOnEveryStage("limits under any load", (open) => {
  test("never admit more than the limit, and settle to the exact usage", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), async (steps) => {
        const stage = await open();
        try {
          await run(steps, stage);
        } finally {
          await stage.close();
        }
      }),
      { numRuns: lengthByTier({ short: 60, full: 600 }), seed: 20261116 },
    );
  });
});

async function run(steps: readonly Step[], { limits: tested, clock }: LimitsStage): Promise<void> {
  const [requests, tokens] = [new Minute(), new Minute()];
  const all: TestedRequest[] = [];
  for (const one of steps) {
    const now = clock.now();
    if (one.do === "wait") {
      clock.advance(one.ms);
      continue;
    }
    if (one.do === "admit") {
      const inFlight = all.filter(({ isReleased }) => !isReleased).length;
      const fits =
        requests.used(now) + 1 <= 6 &&
        (one.tokens === 0 || tokens.used(now) + one.tokens <= 100) &&
        inFlight < 4;
      const admitted = await tryAdmit(tested, one.tokens);
      expect(admitted !== undefined).toBe(fits);
      if (admitted === undefined) continue;
      requests.charge(1, now);
      const correct = tokens.charge(one.tokens, now);
      all.push({ admitted, correct, isSettled: false, isReleased: false });
    } else {
      const chosen = all[one.which % Math.max(1, all.length)];
      if (chosen === undefined) continue;
      if (one.do === "release") {
        chosen.admitted.release();
        chosen.isReleased = true;
      } else {
        chosen.admitted.settle({ tokens: one.tokens, images: 0 });
        if (!chosen.isSettled) chosen.correct(one.tokens, now);
        chosen.isSettled = true;
      }
      // Redis is called at the end of the turn, and the clock must not advance before.
      await setImmediate();
    }
    expect(remaining(all.at(-1))).toEqual([
      String(Math.max(0, 6 - requests.used(now))),
      String(Math.max(0, 100 - tokens.used(now))),
    ]);
  }
}

async function tryAdmit(tested: LimitsStage["limits"], tokens: number): Promise<AdmittedRequest | undefined> {
  try {
    return await tested.admit(subjects, { tokens, images: 0 });
  } catch (failure) {
    if (failure instanceof GatewayError && failure.code === "rate_limit_exceeded") return undefined;
    throw failure;
  }
}

function remaining(last: TestedRequest | undefined): unknown[] {
  const headers = last?.admitted.headers() ?? {};
  return [headers["x-ratelimit-remaining-requests"], headers["x-ratelimit-remaining-tokens"]];
}
