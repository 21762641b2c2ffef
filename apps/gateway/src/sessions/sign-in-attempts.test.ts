import { expect, test } from "vitest";
import { SignInAttempts } from "./sign-in-attempts.js";

function createFixture() {
  let now = 0;
  let sent = 0;
  const attempts = new SignInAttempts(() => now);
  /** The wait after the last of some wrong keys. They differ from the first letter on, unless one is given. */
  const fail = (address: string, times = 1, key?: string): number => {
    let waitMs = 0;
    for (let count = 0; count < times; count += 1) {
      sent += 1;
      waitMs = attempts.fail({ address, text: key ?? `${sent.toString(36)}-guess` })?.retryAfterMs ?? 0;
    }
    return waitMs;
  };
  return {
    fail,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test("five wrong keys are free, and the next has to wait", () => {
  const { fail } = createFixture();

  expect(fail("192.0.2.1", 5)).toBe(0);
  expect(fail("192.0.2.1")).toBe(2000);
  expect(fail("192.0.2.2")).toBe(0);
});

test("a wrong key in time has no refusal, and one that came too early says how long to wait", () => {
  const attempts = new SignInAttempts(() => 0);
  const fail = () => attempts.fail({ address: "192.0.2.1", text: "a guess" });

  expect(Array.from({ length: 5 }, fail)).toEqual(Array(5).fill(undefined));
  expect(fail()).toMatchObject({
    code: "rate_limit_exceeded",
    message: expect.stringContaining("Wait 2 s before the next attempt"),
  });
});

test("each further one doubles the wait, up to a minute", () => {
  const { fail } = createFixture();

  expect(fail("192.0.2.1", 8)).toBe(8000);
  expect(fail("192.0.2.1", 2000)).toBe(60_000);
});

test("the wait ends, and after ten minutes the count", () => {
  const { fail, pass } = createFixture();
  fail("192.0.2.1", 6);

  pass(2000);
  expect(fail("192.0.2.1")).toBe(0);

  pass(600_001);
  expect(fail("192.0.2.1", 5)).toBe(0);
});

test("guesses at one key wait together, wherever they come from", () => {
  const { fail } = createFixture();
  for (let host = 1; host <= 5; host += 1) fail(`192.0.2.${host}`, 1, `mg_admin_7f3a${host}`);

  expect(fail("192.0.2.6", 1, "mg_admin_7f3a6")).toBe(2000);
  expect(fail("192.0.2.7", 1, "mg_admin_7f4a6")).toBe(0);
});

test("guesses at one key do not slow down those at another with the same first letter", () => {
  const { fail } = createFixture();
  for (let host = 1; host <= 5; host += 1) fail(`192.0.2.${host}`, 1, `mg_7f3a${host}`);

  expect(fail("192.0.2.6", 1, "mg_7f3a6")).toBe(2000);
  expect(fail("192.0.2.7", 1, "mg_7a3a6")).toBe(0);
});

test("IPv6 addresses count by the network of a customer, and IPv4 ones in either form", () => {
  const { fail } = createFixture();
  for (let host = 1; host <= 5; host += 1) fail(`2001:db8:0:1::${host}`);
  fail("192.0.2.1", 5);

  expect(fail("2001:db8:0:1:ffff::9")).toBe(2000);
  expect(fail("2001:db8:0:2::1")).toBe(0);
  expect(fail("::ffff:192.0.2.1")).toBe(2000);
});
