import { expect, test } from "vitest";
import { SignInAttempts } from "./sign-in-attempts.js";

function createFixture() {
  let now = 0;
  const attempts = new SignInAttempts(() => now);
  const waitMs = (address: string): number => {
    try {
      attempts.check(address);
      return 0;
    } catch (failure) {
      return (failure as { retryAfterMs: number }).retryAfterMs;
    }
  };
  const fail = (address: string, times = 1) => {
    for (let count = 0; count < times; count += 1) attempts.fail(address);
  };
  return {
    attempts,
    waitMs,
    fail,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test("four failures are free, and the fifth makes its address wait", () => {
  const { waitMs, fail } = createFixture();

  fail("a", 4);
  expect(waitMs("a")).toBe(0);

  fail("a");
  expect(waitMs("a")).toBe(1000);
  expect(waitMs("b")).toBe(0);
});

test("each further failure doubles the wait, up to a minute", () => {
  const { waitMs, fail } = createFixture();

  fail("a", 7);
  expect(waitMs("a")).toBe(4000);

  fail("a", 20);
  expect(waitMs("a")).toBe(60_000);
});

test("the wait ends, and a right key ends the count", () => {
  const { attempts, waitMs, fail, pass } = createFixture();
  fail("a", 6);

  pass(2000);
  expect(waitMs("a")).toBe(0);

  attempts.succeed("a");
  fail("a", 4);
  expect(waitMs("a")).toBe(0);
});
