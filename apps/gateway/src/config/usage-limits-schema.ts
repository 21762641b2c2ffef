import { z } from "zod";

const positive = z.int().positive();

/** How much a key or a model may be used. What is not said has no limit. */
export const usageLimitsSchema = z.strictObject({
  requestsPerMinute: positive.optional(),
  requestsPerDay: positive.optional().describe("Days are those of UTC."),
  tokensPerMinute: positive.optional().describe("Tokens that go in."),
  tokensPerDay: positive.optional(),
  imagesPerMinute: positive.optional().describe("Pictures that come out."),
  imagesPerDay: positive.optional(),
  maxConcurrency: positive.max(100_000).optional().describe("How many requests may be under way at once."),
});
