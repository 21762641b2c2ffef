import { expect, test } from "vitest";
import {
  describeFailure,
  type FailureFacts,
  isRequestFailure,
  recordableName,
  recordableValue,
} from "./request-failure.js";

const asIs = (text: string) => text;
const attempt = { upstream: "one", model: "small", status: 500, ms: 12.34, reason: "It failed." };

test("a failure has its message, the names that the request gave, and each attempt", () => {
  const facts = {
    message: "It failed.",
    param: "input[3]",
    requestedModel: "org/small:1",
    attempts: [attempt],
  };

  expect(describeFailure(facts, asIs)).toEqual({
    message: "It failed.",
    param: "input[3]",
    requestedModel: "org/small:1",
    attempts: [{ ...attempt, ms: 12.3 }],
  });
  expect(describeFailure({ message: "It failed." }, asIs)).toEqual({
    message: "It failed.",
    param: null,
    requestedModel: null,
    attempts: [],
  });
});

test.each<[string, FailureFacts]>([
  ["a parameter", { message: "Unknown parameter: 'a red fox'.", param: "a red fox" }],
  ["a model", { message: "The model `a red fox` does not exist.", requestedModel: "a red fox" }],
  [
    "a model behind a pattern",
    {
      message: "It failed.",
      requestedModel: "a red fox",
      attempts: [{ ...attempt, reason: "The model 'a red fox' is unavailable." }],
    },
  ],
])("%s that is a sentence is not recorded, wherever it is quoted", (_name, facts) => {
  expect(JSON.stringify(describeFailure(facts, asIs))).not.toContain("fox");
});

test.each(["一只红色的狐狸", "x".repeat(129), ""])("%j is not the name of a model", (requestedModel) => {
  expect(describeFailure({ message: "No such model.", requestedModel }, asIs).requestedModel).toBeNull();
});

test("a model of the configuration may have any name", () => {
  const facts = { message: "The model 'my model' is away.", requestedModel: "my model", model: "my model" };

  expect(describeFailure(facts, asIs)).toMatchObject({
    message: "The model 'my model' is away.",
    requestedModel: "my model",
  });
});

test("every part is bounded, and of one line", () => {
  const long = `${"x".repeat(499)}\ud83e\udd8a${"y".repeat(9000)}`;
  const lastError = { at: 1, code: "upstream_error", status: 500, message: long };
  const skipped = { failingSince: 1, failures: 1, pausedUntil: 1, lastError };
  const failure = describeFailure(
    {
      message: `first\r\n\u001b[31m${long}`,
      attempts: Array.from({ length: 40 }, () => ({ ...attempt, model: long, reason: long, skipped })),
    },
    asIs,
  );

  expect(failure.message).toMatch(/^first \[31mx+…$/);
  expect(failure.message.length).toBeLessThanOrEqual(500);
  expect(failure.attempts).toHaveLength(12);
  expect(failure.attempts[0]?.reason).toHaveLength(300);
  expect(JSON.stringify(failure).length).toBeLessThan(12_000);
  expect(describeFailure({ message: long }, asIs).message).not.toMatch(/\p{Cs}/u);
});

test("secrets are hidden before a text is shortened", () => {
  const secret = "k".repeat(40);
  const hide = (text: string) => text.replaceAll(secret, "(redacted)");
  const text = `${"x".repeat(480)}${secret}`;

  const failure = describeFailure({ message: text, param: secret, requestedModel: secret }, hide);

  expect(JSON.stringify(failure)).not.toContain("kk");
});

test.each([
  ["1024x1024", "1024x1024"],
  ["image/webp", "image/webp"],
  ["a red fox", "…"],
  ["x".repeat(25), "…"],
  ["狐狸", "…"],
  ["", "…"],
])("the value %j is recorded as %j", (value, recorded) => {
  expect(recordableValue(value)).toBe(recorded);
});

test("a chosen name is recorded if it is one word", () => {
  expect([recordableName("any-model"), recordableName("any red fox")]).toEqual(["any-model", "…"]);
});

test("the state of a target that was not called is kept, and its texts are cleaned", () => {
  const lastError = { at: 2, code: "upstream_error", status: 500, message: `${"x".repeat(400)}\n` };
  const skipped = { failingSince: 1, failures: 5, pausedUntil: 3, lastError };

  const failure = describeFailure({ message: "Down.", attempts: [{ ...attempt, skipped }] }, asIs);

  const message = `${"x".repeat(299)}…`;
  expect(failure.attempts[0]?.skipped).toEqual({ ...skipped, lastError: { ...lastError, message } });
});

test("the caller's message is kept where it differs", () => {
  const facts = { message: "Nothing listens at h:1.", callerMessage: "Nothing listens." };

  expect(describeFailure(facts, asIs)).toMatchObject(facts);
  expect(describeFailure({ ...facts, callerMessage: facts.message }, asIs)).not.toHaveProperty(
    "callerMessage",
  );
});

test("a failure is told from other values", () => {
  const skipped = { failingSince: null, failures: 0, pausedUntil: null, lastError: null };
  const failure = describeFailure(
    { message: "It failed.", callerMessage: "No.", attempts: [attempt, { ...attempt, skipped }] },
    asIs,
  );

  expect(isRequestFailure(failure)).toBe(true);
  for (const other of [undefined, "text", {}, { ...failure, param: 1 }, { ...failure, attempts: [{}] }])
    expect(isRequestFailure(other)).toBe(false);
});
