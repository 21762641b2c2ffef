import { expect, test } from "vitest";
import { FakeClock } from "../domain/test/clocks.js";
import { CircuitBreaker } from "./circuit-breaker.js";

function createBreaker(): { breaker: CircuitBreaker; clock: FakeClock } {
  const clock = new FakeClock();
  return {
    clock,
    breaker: new CircuitBreaker(clock, {
      windowMs: 10_000,
      minVolume: 4,
      failureRate: 0.5,
      failuresInARow: 100,
      openMs: 5000,
    }),
  };
}

test("it opens at the failure rate, and not before there is enough to judge", () => {
  const { breaker } = createBreaker();

  for (let call = 0; call < 3; call += 1) breaker.fail();
  expect(breaker.state).toBe("closed");
  breaker.fail();

  expect([breaker.state, breaker.allows]).toEqual(["open", false]);
});

test("failures of long ago are forgotten", () => {
  const { breaker, clock } = createBreaker();

  for (let call = 0; call < 3; call += 1) breaker.fail();
  clock.advance(10_001);
  breaker.fail();

  expect(breaker.state).toBe("closed");
});

test("fewer failures than the rate leave it closed", () => {
  const { breaker } = createBreaker();

  for (let call = 0; call < 100; call += 1) call % 3 === 0 ? breaker.fail() : breaker.succeed();

  expect(breaker.state).toBe("closed");
});

test("after a while one call may try, and its success closes it", () => {
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

test("a probe that was given up leaves room for another", () => {
  const { breaker, clock } = createBreaker();
  for (let call = 0; call < 4; call += 1) breaker.fail();
  clock.advance(5000);
  breaker.begin();
  breaker.abandon();

  expect(breaker.allows).toBe(true);
});

test("failures one after the other open it, however many successes were before", () => {
  const clock = new FakeClock();
  const breaker = new CircuitBreaker(clock, {
    windowMs: 10_000,
    minVolume: 10,
    failureRate: 0.5,
    failuresInARow: 3,
    openMs: 5000,
  });
  for (let call = 0; call < 100; call += 1) breaker.succeed();

  for (let call = 0; call < 3; call += 1) breaker.fail();

  expect(breaker.state).toBe("open");
});
