import { FakeClock } from "@model-gateway/runtime/test/clocks";
import { expect, test } from "vitest";
import { CircuitBreaker } from "./circuit-breaker.js";

function createBreaker(): { breaker: CircuitBreaker; clock: FakeClock } {
  const clock = new FakeClock();
  return {
    clock,
    breaker: new CircuitBreaker(clock, {
      windowMs: 10_000,
      minVolume: 4,
      failureRate: 0.5,
      consecutiveFailures: 100,
      cautiousFailures: 2,
      openMs: 5000,
    }),
  };
}

test("it opens at the failure rate, and not below the minimum volume", () => {
  const { breaker } = createBreaker();

  for (let call = 0; call < 3; call += 1) breaker.fail();
  expect(breaker.state).toBe("closed");
  breaker.fail();

  expect([breaker.state, breaker.allows]).toEqual(["open", false]);
});

test("failures outside the window do not count", () => {
  const { breaker, clock } = createBreaker();

  for (let call = 0; call < 3; call += 1) breaker.fail();
  clock.advance(10_001);
  breaker.fail();

  expect(breaker.state).toBe("closed");
});

test("it stays closed below the failure rate", () => {
  const { breaker } = createBreaker();

  for (let call = 0; call < 100; call += 1) call % 3 === 0 ? breaker.fail() : breaker.succeed();

  expect(breaker.state).toBe("closed");
});

test("half-open, one probe passes, and its success closes it", () => {
  const { breaker, clock } = createBreaker();
  for (let call = 0; call < 4; call += 1) breaker.fail();

  clock.advance(5000);
  expect([breaker.state, breaker.allows]).toEqual(["half-open", true]);
  breaker.begin();
  expect(breaker.allows).toBe(false);
  breaker.succeed();

  expect([breaker.state, breaker.allows]).toEqual(["closed", true]);
});

test("the failure of the probe opens it again", () => {
  const { breaker, clock } = createBreaker();
  for (let call = 0; call < 4; call += 1) breaker.fail();
  clock.advance(5000);
  breaker.begin();
  breaker.fail();

  expect(breaker.state).toBe("open");
});

test("after an aborted probe another one passes", () => {
  const { breaker, clock } = createBreaker();
  for (let call = 0; call < 4; call += 1) breaker.fail();
  clock.advance(5000);
  breaker.begin();
  breaker.abandon();

  expect(breaker.allows).toBe(true);
});

test("failures in a row open it, however many calls succeeded before", () => {
  const clock = new FakeClock();
  const breaker = new CircuitBreaker(clock, {
    windowMs: 10_000,
    minVolume: 10,
    failureRate: 0.5,
    consecutiveFailures: 3,
    cautiousFailures: 2,
    openMs: 5000,
  });
  for (let call = 0; call < 100; call += 1) breaker.succeed();

  for (let call = 0; call < 3; call += 1) breaker.fail();

  expect(breaker.state).toBe("open");
});
