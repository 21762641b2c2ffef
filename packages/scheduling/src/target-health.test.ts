import { type ErrorCode, type ErrorDetail, GatewayError } from "@model-gateway/domain/errors";
import type { Target } from "@model-gateway/domain/model";
import { FakeClock } from "@model-gateway/runtime/test/clocks";
import { expect, test } from "vitest";
import { CallHistory } from "./call-history.js";
import type { Demand } from "./capacity.js";
import { TargetHealth } from "./target-health.js";
import type { TargetSignal } from "./target-signals.js";
import type { TargetStateChange } from "./target-state.js";

const demand: Demand = { tokens: 1, priorityClass: "interactive" };

const target: Target = { upstream: "a", model: "m", weight: 1, tier: 1, capacity: {} };

function createFixture() {
  const clock = new FakeClock();
  const changes: Omit<TargetStateChange, "target">[] = [];
  const published: TargetSignal[] = [];
  const history = new CallHistory(() => clock.now());
  const health = new TargetHealth(target, {
    clock,
    history,
    onStateChange: ({ target: _, ...change }) => void changes.push(change),
    publish: (_, signal) => void published.push(signal),
  });
  const succeed = () => health.begin(demand).release({});
  const fail = (code: ErrorCode, detail: ErrorDetail = {}) => {
    const failure = new GatewayError(code, code, detail);
    health.begin(demand).release({ failure });
    return failure;
  };
  return { clock, health, history, changes, published, succeed, fail };
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

  expect([untried, failed, health.snapshot().state]).toEqual(["unknown", "failing", "healthy"]);
});

test("the last failure is kept with its code, its message and its age", () => {
  const { clock, health, succeed, fail } = createFixture();
  fail("upstream_error");
  fail("upstream_timeout");
  clock.advance(7000);

  succeed();

  expect(health.snapshot().lastError).toEqual({
    code: "upstream_timeout",
    status: null,
    message: "upstream_timeout",
    ageMs: 7000,
  });
});

test("a target is unknown until a call has succeeded, failed, healed it or checked its vectors", () => {
  const [idle, succeeded, failed, healed, checked] = Array.from({ length: 5 }, createFixture);
  succeeded!.succeed();
  failed!.fail("upstream_auth_error");
  healed!.health.heal();
  checked!.health.noteSpaceCheck({
    cosineMin: 1,
    imageCosineMin: null,
    checkedAt: 0,
    isDrifted: false,
    isExcluded: false,
  });

  const snapshots = [idle, succeeded, failed, healed, checked].map((one) => one!.health.snapshot());
  expect(snapshots.map(({ state }) => state)).toEqual([
    "unknown",
    "healthy",
    "misconfigured",
    "healthy",
    "healthy",
  ]);
});

test("a failed check of the gateway puts a target in doubt until a call succeeds, and opens no breaker", () => {
  const { clock, health, history, changes, published, succeed } = createFixture();
  clock.advance(1000);
  succeed();
  clock.advance(60_000);

  const failure = new GatewayError("upstream_error", "The upstream failed.");
  for (let check = 0; check < 21; check += 1) health.noteOwnCall(failure);
  const failing = health.snapshot();
  const isCalled = health.isHealthy;
  health.noteOwnCall(undefined);

  expect(failing).toMatchObject({ state: "failing", failures: 21, pausedMs: 0, provenMs: 60_000 });
  expect([isCalled, published]).toEqual([true, []]);
  expect(changes.map(({ state }) => state)).toEqual(["failing", "healthy"]);
  expect(health.snapshot()).toMatchObject({ state: "healthy", failures: 0, provenMs: 0 });
  expect(history.snapshot().halfHours).toMatchObject([{ ok: 1, failed: 0, downMs: 0 }]);
  expect(history.snapshot().failures).toMatchObject([{ code: "upstream_error" }]);
});

test("a check with an error for which the target is not to blame says nothing about it", () => {
  const { health, changes } = createFixture();

  health.noteOwnCall(new GatewayError("unsupported_operation", "The upstream creates no embeddings."));

  expect([health.snapshot().state, health.snapshot().provenMs, changes]).toEqual(["unknown", null, []]);
});

test("a target knows its last success from before a restart, and is unknown until it is called", () => {
  const { clock, history, succeed } = createFixture();
  clock.advance(1000);
  succeed();
  clock.advance(5000);

  const restarted = new TargetHealth(target, {
    clock,
    history: new CallHistory(() => clock.now(), history.snapshot()),
  });

  expect(restarted.snapshot()).toMatchObject({ state: "unknown", provenMs: 5000, unhealthyMs: null });
});

test("the latency is that of the last successful calls, and does not fade", () => {
  const { clock, health, fail } = createFixture();
  const before = health.snapshot().latency;
  for (let ms = 1; ms <= 228; ms += 1) {
    const lease = health.begin(demand);
    clock.advance(ms);
    lease.release({});
  }
  fail("upstream_timeout");
  clock.advance(3_600_000);

  expect(before).toBeNull();
  // The last 128 calls took 101 to 228 ms.
  expect(health.snapshot().latency).toEqual({ p50Ms: 165, p95Ms: 222, calls: 128, ageMs: 3_600_000 });
});

test("a single failure of a working target does not change its state", () => {
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

test("a long pause and an open breaker are published, and nothing that concerns this gateway's key", () => {
  const { clock, published, fail } = createFixture();

  fail("rate_limit_exceeded", { retryAfterMs: 30_000 });
  clock.advance(30_000);
  fail("rate_limit_exceeded");
  clock.advance(1000);
  for (const code of ["upstream_auth_error", "upstream_model_missing", "insufficient_quota"] as const) {
    fail(code);
    clock.advance(30_000);
  }
  for (let call = 0; call < 5; call += 1) fail("upstream_error");

  expect(published).toEqual([
    { kind: "cooldown", ms: 30_000 },
    { kind: "opened", ms: 10_000 },
  ]);
});

test("a pause from another replica holds here for a minute at most, and is not published again", () => {
  const { clock, health, changes, published, succeed } = createFixture();

  health.receive({ kind: "cooldown", ms: 20_000 });
  health.receive({ kind: "cooldown", ms: 5000 });
  const { isHealthy, cooldownMs, unavailableReason } = health;
  const { state, lastError } = health.snapshot();
  clock.advance(20_000);
  const afterwards = [health.isHealthy, health.snapshot().state];
  succeed();
  health.receive({ kind: "cooldown", ms: 1e9 });

  expect({ isHealthy, cooldownMs, state, lastError }).toEqual({
    isHealthy: false,
    cooldownMs: 20_000,
    state: "cooling",
    lastError: null,
  });
  expect([unavailableReason.code, unavailableReason.retryAfterMs]).toEqual(["rate_limit_exceeded", 20_000]);
  expect(afterwards).toEqual([true, "unknown"]);
  expect(health.cooldownMs).toBe(60_000);
  expect(changes.map((change) => [change.state, change.failure?.message])).toEqual([
    ["cooling", "The upstream asked another replica of the gateway for a pause."],
    ["healthy", undefined],
    ["cooling", "The upstream asked another replica of the gateway for a pause."],
  ]);
  expect(published).toEqual([]);
});

test("failures elsewhere are a hint and never take a target out: it costs more, and opens after two failures instead of five", () => {
  const { health, fail } = createFixture();
  const usual = health.cost;

  for (let signal = 0; signal < 100; signal += 1) health.receive({ kind: "opened", ms: 10_000 });
  const received = [health.isHealthy, health.snapshot().state, health.cost / usual];
  fail("upstream_error");
  const afterOne = health.isHealthy;
  fail("upstream_error");

  expect(received).toEqual([true, "unknown", 4]);
  expect([afterOne, health.isHealthy, health.snapshot().state]).toEqual([true, false, "open"]);
});

test("caution ends with a success here, and with time", () => {
  const ended = [
    ({ succeed }: ReturnType<typeof createFixture>) => succeed(),
    ({ clock }: ReturnType<typeof createFixture>) => clock.advance(10_000),
  ].map((end) => {
    const fixture = createFixture();
    fixture.health.receive({ kind: "opened", ms: 10_000 });
    end(fixture);
    for (let call = 0; call < 4; call += 1) fixture.fail("upstream_error");
    return fixture.health.isHealthy;
  });

  expect(ended).toEqual([true, true]);
});

const moved = { cosineMin: 0.4, imageCosineMin: null, checkedAt: 0, isDrifted: true, isExcluded: true };

test("a change of its vectors is reported once, and nothing but another check ends it", () => {
  const { clock, health, changes, succeed } = createFixture();
  succeed();

  health.noteSpaceCheck(moved);
  health.noteSpaceCheck(moved);
  clock.advance(100);
  health.heal();

  expect(health.snapshot()).toMatchObject({ state: "drifted", spaceCheck: moved });
  expect(changes.map(({ state, failure }) => [state, failure?.code])).toEqual([["drifted", "space_drifted"]]);

  health.noteSpaceCheck({ ...moved, cosineMin: 1, isDrifted: false, isExcluded: false });

  expect(health.snapshot().state).toBe("healthy");
  expect(changes.at(-1)).toMatchObject({ previous: "drifted", state: "healthy", failure: undefined });
});

test("a drift that is only reported hides no failure, and the target gets calls", () => {
  const { health, fail } = createFixture();
  health.noteSpaceCheck({ ...moved, isExcluded: false });
  const drifted = health.snapshot().state;

  fail("upstream_auth_error");
  const misconfigured = health.snapshot().state;
  health.heal();

  expect([drifted, misconfigured, health.snapshot().state]).toEqual(["drifted", "misconfigured", "drifted"]);
  expect(health.isHealthy).toBe(true);
});

test("the history has the truth of an outage", () => {
  const { clock, history, succeed, fail } = createFixture();
  const [minuteMs, start] = [60_000, 10 * 1_800_000];
  clock.advance(start - clock.now());
  // 20 calls in 20 minutes, then 55 minutes without a reply, with a probe each minute, and the recovery.
  for (let minute = 0; minute < 20; minute += 1) {
    succeed();
    clock.advance(minuteMs);
  }
  for (let call = 0; call < 5; call += 1) fail("upstream_error");
  for (let minute = 0; minute < 54; minute += 1) {
    clock.advance(minuteMs);
    fail("upstream_error");
  }
  clock.advance(minuteMs);
  succeed();
  clock.advance(15 * minuteMs);

  expect(history.snapshot().halfHours).toEqual([
    { start, ok: 20, failed: 5 + 9, downMs: 10 * minuteMs },
    { start: start + 30 * minuteMs, ok: 0, failed: 30, downMs: 30 * minuteMs },
    { start: start + 60 * minuteMs, ok: 1, failed: 15, downMs: 15 * minuteMs },
  ]);
});

test("a pause that is over does not count as downtime, although no call has come since", () => {
  const { clock, history, succeed, fail } = createFixture();
  succeed();
  fail("rate_limit_exceeded", { retryAfterMs: 7000 });
  clock.advance(10 * 60_000);

  expect(history.snapshot().halfHours).toMatchObject([{ ok: 1, failed: 1, downMs: 7000 }]);
});

test("calls that say nothing about a target are not counted, and a caller's mistake proves that it works", () => {
  const { health, history, fail } = createFixture();
  health.begin(demand).release({ failure: new GatewayError("upstream_error", "x"), isAbandoned: true });
  fail("invalid_value");

  expect(history.snapshot().halfHours).toMatchObject([{ ok: 1, failed: 0, downMs: 0 }]);
});
