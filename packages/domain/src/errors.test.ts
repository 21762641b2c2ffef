import { expect, test } from "vitest";
import { errorOf, errorQuoting, GatewayError, withContext } from "./errors.js";

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

test("the ledger's message quotes a caller's value only if it is a short word", () => {
  const messageOf = (value: string) =>
    errorOf("unsupported_value", { param: "size", value }, { hint: "Ask for less." }).recordedMessage;
  const quoted = errorQuoting("invalid_value", (value) => `Not '${value}'.`, { value: "a red fox" });

  expect(messageOf("2x2")).toBe(
    "Unsupported value: 'size' does not support '2x2' with this model. Ask for less.",
  );
  expect(messageOf("a red fox")).toBe(
    "Unsupported value: 'size' does not support '…' with this model. Ask for less.",
  );
  expect(errorOf("idempotency_conflict", { key: "a red fox" }).recordedMessage).not.toContain("fox");
  expect([quoted.message, quoted.recordedMessage]).toEqual(["Not 'a red fox'.", "Not '…'."]);
  expect(quoted.with({ attempts: 1 }).recordedMessage).toBe("Not '…'.");
});

test("a failure with one more sentence keeps its attempts, and must not be repeated", () => {
  const attempts = [{ upstream: "one", model: "m", status: 500, ms: 1, reason: "It failed." }];
  const failure = new GatewayError("upstream_error", "A red fox.", {
    recorded: "It failed.",
    retryAfterMs: 5,
    attempts: 1,
    failedAttempts: attempts,
  });

  const followed = failure.followedBy("It may be billed.");

  expect(followed).toMatchObject({
    message: "A red fox. It may be billed.",
    recordedMessage: "It failed. It may be billed.",
    retryAfterMs: undefined,
    headers: { "x-should-retry": "false" },
    attempts: 1,
    failedAttempts: attempts,
  });
});

test("a message without a parameter has none", () => {
  expect(errorOf("space_drifted", {}).param).toBeNull();
  expect(errorOf("unknown_parameter", { param: "" }).param).toBeNull();
});
