import { expect, test } from "vitest";
import type { Target } from "../domain/model.js";
import { FakeClock } from "../domain/test/clocks.js";
import { type ErrorCode, type ErrorDetail, GatewayError } from "../errors.js";
import { TargetHealth, type TargetStateChange } from "./target-health.js";

const target: Target = { upstream: "a", model: "m", weight: 1, tier: 1, capacity: {} };

function createFixture() {
  const clock = new FakeClock();
  const changes: Omit<TargetStateChange, "target">[] = [];
  const health = new TargetHealth(target, clock, ({ target: _, ...change }) => void changes.push(change));
  const succeed = () => health.begin(1).release({});
  const fail = (code: ErrorCode, detail: ErrorDetail = {}) => {
    const failure = new GatewayError(code, code, detail);
    health.begin(1).release({ failure });
    return failure;
  };
  return { clock, health, changes, succeed, fail };
}

test("every change of state is reported once, with its cause and its duration", () => {
  const { clock, changes, succeed, fail } = createFixture();

  const failures = Array.from({ length: 6 }, () => {
    clock.advance(100);
    return fail("upstream_timeout");
  });
  clock.advance(5000);
  succeed();

  expect(changes).toEqual([
    { previous: "healthy", state: "failing", failure: failures[0], pauseMs: 0, unhealthyMs: 0 },
    { previous: "failing", state: "open", failure: failures[4], pauseMs: 5000, unhealthyMs: 400 },
    { previous: "open", state: "half-open", failure: failures[5], pauseMs: 0, unhealthyMs: 5500 },
    { previous: "half-open", state: "healthy", failure: undefined, pauseMs: 0, unhealthyMs: 5500 },
  ]);
});

test("a target whose calls have all failed is not shown as healthy", () => {
  const { health, succeed, fail } = createFixture();
  const untried = health.snapshot().state;
  fail("upstream_error");
  const failed = health.snapshot().state;

  succeed();

  expect([untried, failed, health.snapshot().state]).toEqual(["healthy", "failing", "healthy"]);
});

test("the last failure is kept with its code, its message and its age", () => {
  const { clock, health, succeed, fail } = createFixture();
  fail("upstream_error");
  fail("upstream_timeout");
  clock.advance(7000);

  succeed();

  expect(health.snapshot().lastError).toEqual({
    code: "upstream_timeout",
    message: "upstream_timeout",
    ageMs: 7000,
  });
});

test("a single failure of a target that works is no change of state", () => {
  const { health, changes, succeed, fail } = createFixture();
  succeed();

  fail("upstream_error");

  expect([health.snapshot().state, changes]).toEqual(["healthy", []]);
});

test("a target that throttled a call is healthy again after its cooldown", () => {
  const { clock, changes, succeed, fail } = createFixture();
  succeed();

  const failure = fail("rate_limit_exceeded", { retryAfterMs: 2000 });
  clock.advance(2000);
  succeed();

  expect(changes).toEqual([
    { previous: "healthy", state: "cooling", failure, pauseMs: 2000, unhealthyMs: 0 },
    { previous: "cooling", state: "healthy", failure: undefined, pauseMs: 0, unhealthyMs: 2000 },
  ]);
});

test("a misconfigured target is called again after its cooldown, and shown as misconfigured until a success", () => {
  const { clock, health, changes, succeed, fail } = createFixture();
  succeed();

  fail("upstream_auth_error");
  clock.advance(30_000);
  const isCalledAgain = health.isHealthy;
  const { state } = health.snapshot();
  fail("upstream_auth_error");
  clock.advance(30_000);
  succeed();

  expect([isCalledAgain, state]).toEqual([true, "misconfigured"]);
  expect(changes.map((change) => [change.state, change.unhealthyMs])).toEqual([
    ["misconfigured", 0],
    ["healthy", 60_000],
  ]);
});

test.each([
  "moderation_blocked",
  "content_policy_violation",
  "upstream_rejected",
  "content_too_large",
] as const)("%s is the caller's mistake, and never counts against a target", (code) => {
  const { health, changes, fail } = createFixture();

  for (let call = 0; call < 50; call += 1) fail(code);

  expect(health.snapshot()).toMatchObject({ state: "healthy", lastError: null });
  expect(changes).toEqual([]);
});
