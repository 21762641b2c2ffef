import { GatewayError } from "@model-gateway/domain/errors";
import type { Strategy, Target } from "@model-gateway/domain/model";
import { FakeClock } from "@model-gateway/runtime/test/clocks";
import { seededRandom } from "@model-gateway/runtime/test/random";
import { expect, test } from "vitest";
import type { Demand } from "./capacity.js";
import { Scheduler } from "./scheduler.js";

const demand: Demand = { tokens: 1, priorityClass: "interactive" };

const target = (upstream: string, more: Partial<Target> = {}): Target => ({
  upstream,
  model: "m",
  weight: 1,
  tier: 1,
  capacity: {},
  ...more,
});

function createFixture(targets: readonly Target[], strategy: Strategy) {
  const clock = new FakeClock();
  const scheduler = new Scheduler({ clock, random: seededRandom(7) });
  const pick = (called: readonly Target[] = []) => scheduler.pick({ strategy, targets }, called, demand);
  /** Makes calls one after the other, and counts them by upstream. */
  const run = (calls: number, latencyMs: (upstream: string) => number): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (let call = 0; call < calls; call += 1) {
      const choice = pick();
      if (choice === undefined) break;
      const { upstream } = choice.target;
      counts[upstream] = (counts[upstream] ?? 0) + 1;
      const lease = choice.health.begin(demand);
      clock.advance(latencyMs(upstream));
      lease.release({});
    }
    return counts;
  };
  return { clock, scheduler, pick, run };
}

test("weighted targets get their share", () => {
  const { run } = createFixture([target("a", { weight: 3 }), target("b")], "weighted");

  expect(run(10_000, () => 1)).toEqual({ a: 7490, b: 2510 });
});

test("ordered targets are called in order", () => {
  const { run } = createFixture([target("a"), target("b")], "ordered");

  expect(run(100, () => 1)).toEqual({ a: 100 });
});

test("a target ten times slower gets well under a tenth, and its share back when it recovers", () => {
  const { run } = createFixture([target("fast"), target("slow")], "fastest");

  const { slow: while10xSlower = 0 } = run(2000, (upstream) => (upstream === "slow" ? 100 : 10));
  run(3000, () => 10);
  const { slow: afterwards = 0 } = run(2000, () => 10);

  expect(while10xSlower / 2000).toBeLessThan(0.05);
  expect(afterwards / 2000).toBeGreaterThan(0.3);
});

test("only the lowest tier that has a healthy target is called", () => {
  const [first, second] = [target("first"), target("second", { tier: 2 })];
  const { pick, clock } = createFixture([first, second], "fastest");

  expect(pick()?.target).toBe(first);
  pick()
    ?.health.begin(demand)
    .release({ failure: new GatewayError("rate_limit_exceeded", "slow down", { retryAfterMs: 2000 }) });
  expect(pick()?.target).toBe(second);
  clock.advance(2000);

  expect(pick()?.target).toBe(first);
});

test("a target is called again only when there is no other", () => {
  const [a, b] = [target("a"), target("b")];
  const { pick } = createFixture([a, b], "ordered");

  expect([pick([a])?.target, pick([a, b])?.target]).toEqual([b, a]);
});

test("a target that refuses the gateway's key is in cooldown, and shown as misconfigured", () => {
  const [only] = [target("a")];
  const { pick, scheduler } = createFixture([only], "fastest");
  pick()
    ?.health.begin(demand)
    .release({ failure: new GatewayError("upstream_auth_error", "refused") });

  expect(pick()).toBeUndefined();
  expect(scheduler.snapshot([only])).toEqual([
    {
      upstream: "a",
      model: "m",
      state: "misconfigured",
      provenMs: null,
      inFlight: 0,
      unhealthyMs: 0,
      failures: 1,
      averageLatencyMs: null,
      latency: null,
      lastError: { code: "upstream_auth_error", status: null, message: "refused", ageMs: 0 },
      pausedMs: 30_000,
      spaceCheck: null,
    },
  ]);
});

test("a caller's mistake does not count against the target", () => {
  const { pick } = createFixture([target("a")], "fastest");

  for (let call = 0; call < 50; call += 1) {
    pick()
      ?.health.begin(demand)
      .release({ failure: new GatewayError("upstream_rejected", "bad input") });
  }

  expect(pick()).toBeDefined();
});

test("only the first release of a lease counts", () => {
  const [only] = [target("a")];
  const { pick, scheduler } = createFixture([only], "fastest");
  const lease = pick()?.health.begin(demand);

  lease?.release({});
  lease?.release({});

  expect(scheduler.snapshot([only])[0]?.inFlight).toBe(0);
});

test("a target that fails too seldom to open its breaker still gets less than its share", () => {
  const clock = new FakeClock();
  const scheduler = new Scheduler({ clock, random: seededRandom(7) });
  const model = { strategy: "fastest" as const, targets: [target("steady"), target("shaky")] };
  const random = seededRandom(8);
  const picked: string[] = [];

  for (let call = 0; call < 1000; call += 1) {
    const choice = scheduler.pick(model, [], demand);
    if (choice === undefined) throw new Error("No target was picked.");
    const lease = choice.health.begin(demand);
    clock.advance(10);
    const isFailure = choice.target.upstream === "shaky" && random() < 0.3;
    lease.release(isFailure ? { failure: new GatewayError("upstream_error", "down") } : {});
    picked.push(choice.target.upstream);
  }

  const share = picked.filter((upstream) => upstream === "shaky").length / picked.length;
  expect(share).toBeLessThan(0.4);
});

test("an excluded target gets no calls, but the same target of another model does", () => {
  const [drifted, other] = [target("a"), target("b")];
  const sameOfAnotherModel = target("a");
  const { scheduler, pick } = createFixture([drifted, other], "ordered");
  const reasons = (targets: readonly Target[]) =>
    scheduler.unavailableTargets(targets).map(({ reason }) => reason.code);

  scheduler.exclude(new Set([drifted]));

  expect(pick()?.target).toBe(other);
  expect(pick([other])?.target).toBe(other);
  expect(scheduler.busyMs([drifted], demand)).toBeUndefined();
  expect(reasons([drifted, other])).toEqual(["space_drifted", "upstream_unavailable"]);
  const alone = { strategy: "ordered", targets: [sameOfAnotherModel] } as const;
  expect(scheduler.pick(alone, [], demand)?.target).toBe(sameOfAnotherModel);

  scheduler.exclude(new Set([drifted, other]));
  expect(pick()).toBeUndefined();

  scheduler.exclude(new Set());
  expect(pick()?.target).toBe(drifted);
});

test("a target that two models share has the stricter limits of both, whichever is called first, and after a reload", () => {
  const strict = target("a", { capacity: { maxConcurrency: 1 } });
  const unlimited = target("a");
  const { scheduler } = createFixture([], "ordered");
  const pick = (one: Target) => scheduler.pick({ strategy: "ordered", targets: [one] }, [], demand);

  for (const order of [
    [strict, unlimited],
    [unlimited, strict],
  ]) {
    scheduler.adopt(order, new Set());
    for (const one of order) expect(pick(one)).toBeDefined();
    const lease = pick(unlimited)?.health.begin(demand);
    expect([pick(unlimited), pick(strict)]).toEqual([undefined, undefined]);
    lease?.release({});
  }

  scheduler.adopt([unlimited], new Set());
  pick(unlimited)?.health.begin(demand);
  expect(pick(unlimited)).toBeDefined();
});

test("a target's history outlives a change of its upstream, but not its removal", () => {
  const [changed, removed] = [target("a"), target("b")];
  const { scheduler, pick } = createFixture([changed], "ordered");
  const late = pick()?.health.begin(demand);
  pick()?.health.begin(demand).release({});
  const counts = () =>
    scheduler.history([changed, removed, target("a")]).map(({ halfHours: [first] }) => first?.ok);
  scheduler.restoreHistory([
    {
      upstream: "b",
      model: "m",
      since: 0,
      provenAt: 0,
      halfHours: [{ start: 0, ok: 3, failed: 0, downMs: 0 }],
      failures: [],
    },
  ]);
  const before = counts();

  scheduler.adopt([changed], new Set(["a"]));
  late?.release({ failure: new GatewayError("upstream_error", "late") });

  expect(before).toEqual([1, 3]);
  expect(counts()).toEqual([1, undefined]);
  expect(scheduler.history([changed])).toMatchObject([{ halfHours: [{ failed: 0, downMs: 0 }] }]);
});
