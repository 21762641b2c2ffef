import { expect, test } from "vitest";
import { readBatchLimit } from "./batch-limit.js";

test.each([
  [422, "batch size 33 > maximum allowed batch size 32", { maxInputs: 32 }],
  [400, "batch size is invalid, it should not be larger than 10.", { maxInputs: 10 }],
  [400, "BatchEmbedContentsRequest: at most 100 requests can be in one batch", { maxInputs: 100 }],
  [400, "Invalid 'input': array length must be 2048 or less.", { maxInputs: 2048 }],
  [400, "250 instance(s) is allowed per prediction. Actual: 251", { maxInputs: 250 }],
  [422, "List should have at most 2048 items after validation, not 2049", { maxInputs: 2048 }],
  [400, "Too many inputs. The maximum number of inputs is 96.", { maxInputs: 96 }],
  [400, "Requested 416735 tokens, max 300000 tokens per request", { maxTokens: 300_000 }],
  [413, "Request Entity Too Large", {}],
  [400, "The batch is too large.", {}],
  [400, "Invalid 'input': input cannot be an empty string.", undefined],
  [400, "This model's maximum context length is 8192 tokens, however you requested 20130 tokens.", undefined],
])("%d %j states the limit %j", (status, message, limit) => {
  expect(readBatchLimit(status, message)).toEqual(limit);
});

test("a long row of digits is read in linear time", () => {
  const digits = "9".repeat(300_000);

  expect(readBatchLimit(400, `${digits} instance(s) is allowed`)).toBeUndefined();
});
