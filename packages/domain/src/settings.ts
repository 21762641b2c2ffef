import { z } from "zod";

/** Types of settings that several parts of the configuration share. */

export const name = z.string().min(1).max(256);
export const positive = z.int().positive();
export const duration = z
  .string()
  .regex(/^[1-9]\d*(s|m|h|d)$/, "must be a whole number and a unit, such as 90s, 15m, 24h or 7d");

export function milliseconds(text: z.output<typeof duration>): number {
  const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  return Number(text.slice(0, -1)) * (units[text.slice(-1)] ?? 0);
}

/** The rate limits of a key or a model. An absent key means no limit. */
export const usageLimitsSchema = z.strictObject({
  requestsPerMinute: positive.optional().describe("Maximum requests per minute."),
  requestsPerDay: positive.optional().describe("Maximum requests per day, in UTC."),
  tokensPerMinute: positive.optional().describe("Maximum input tokens per minute."),
  tokensPerDay: positive.optional().describe("Maximum input tokens per day, in UTC."),
  imagesPerMinute: positive.optional().describe("Maximum output images per minute."),
  imagesPerDay: positive.optional().describe("Maximum output images per day, in UTC."),
  maxConcurrency: positive.max(100_000).optional().describe("Maximum requests in flight at once."),
});

/** A price in US dollars. */
export const usd = z.number().min(0).max(1_000_000);

/** Something wrong with a setting, and where in the file. */
export interface SettingFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}
