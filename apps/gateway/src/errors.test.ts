import { expect, test } from "vitest";
import { errorOf, GatewayError, withContext } from "./errors.js";

test("context makes a new error, with the code, message, cause and stack of the first", () => {
  const cause = new Error("private");
  const failure = new GatewayError("upstream_error", "It failed.", { cause, nothingBilled: true });

  const attributed = failure.with({ upstream: "one", attempts: 2 });

  expect(failure).toMatchObject({ upstream: undefined, attempts: undefined });
  expect(attributed).toMatchObject({
    code: "upstream_error",
    message: "It failed.",
    cause,
    nothingBilled: true,
    upstream: "one",
    attempts: 2,
  });
  expect(attributed.stack).toBe(failure.stack);
  expect(new Error("another").stack).toContain("errors.test.ts");
  expect(attributed.with({ attempts: 3 })).toMatchObject({ upstream: "one", attempts: 3 });
});

test("a failure after something was begun does not mean that nothing is billed", () => {
  const refused = new GatewayError("rate_limit_exceeded", "Slow down.", { nothingBilled: true });

  const committed = refused.with({ isCommitted: true });

  expect([refused.nothingBilled, committed.nothingBilled]).toEqual([true, false]);
  expect(committed.with({ attempts: 1, nothingBilled: true }).nothingBilled).toBe(false);
});

test("context is for gateway errors; any other failure stays as it is", () => {
  const failure = new Error("broken");

  expect(withContext(failure, { upstream: "one" })).toBe(failure);
});

test("the table has the message; it names the parameter under its new name as well", () => {
  const hint = "Send less.";
  const failure = errorOf(
    "context_length_exceeded",
    { param: "input", maxTokens: 8 },
    { hint, inputIndex: 3 },
  );
  const rest = "it has more than 8 tokens, which is the most that this model takes. Send less.";

  const named = failure.with({ param: "input[7]" });

  expect([failure.param, failure.message]).toEqual(["input", `Invalid 'input': ${rest}`]);
  expect([named.param, named.message]).toEqual(["input[7]", `Invalid 'input[7]': ${rest}`]);
});

test("a message without a parameter has none", () => {
  expect(errorOf("space_drifted", {}).param).toBeNull();
  expect(errorOf("unknown_parameter", { param: "" }).param).toBeNull();
});
