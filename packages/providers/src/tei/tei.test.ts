import { expect, test } from "vitest";
import { TestCall } from "../test/call.js";
import { replyWith } from "../test/reply.js";
import { ServerLimits } from "./server-limits.js";
import { readTeiError } from "./tei.js";

/** The two lengths are from real servers' messages (issues 356 and 394 of the project). The others have their form. */
test.each([
  [
    422,
    "Validation",
    "Input validation error: `inputs` must have less than 512 tokens. Given: 534",
    { code: "context_length_exceeded", param: "input" },
  ],
  [
    422,
    "Validation",
    "Input validation error: `inputs` must have less than 32000 characters. Given: 67337",
    { code: "context_length_exceeded", param: "input" },
  ],
  [422, "Validation", "batch size 33 > maximum allowed batch size 32", { param: "input" }],
  [422, "Tokenizer", "Tokenization error: unknown", {}],
  [424, "Backend", "Backend error: DriverError(CUDA_ERROR_OUT_OF_MEMORY)", {}],
  [429, "Overloaded", "Model is overloaded", {}],
])("status %d of type %s with %j", (status, error_type, error, expected) => {
  const reported = readTeiError({ status, headers: {}, body: JSON.stringify({ error, error_type }) });

  expect(reported).toEqual({ message: error, word: error_type, ...expected });
});

test("a plain text and an empty body go by their status", () => {
  expect(readTeiError({ status: 413, headers: {}, body: "length limit exceeded" })).toEqual({});
  expect(readTeiError({ status: 401, headers: {}, body: "" })).toEqual({});
});

test("calls that come while the limit is read wait for the same reply", async () => {
  let requests = 0;
  const limits = new ServerLimits(async () => {
    requests += 1;
    return replyWith({ max_client_batch_size: 8 });
  });

  const waiting = [limits.maxInputs(new TestCall()), limits.maxInputs(new TestCall())];

  expect(await Promise.all(waiting)).toEqual([8, 8]);
  expect(limits.maxInputs(new TestCall())).toBe(8);
  expect(requests).toBe(1);
});
