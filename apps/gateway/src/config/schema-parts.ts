import { z } from "zod";

export const name = z.string().min(1).max(256);
export const positive = z.int().positive();
export const duration = z
  .string()
  .regex(/^[1-9]\d*(s|m|h|d)$/, "must be a whole number and a unit: 90s, 15m, 24h or 7d");

/** How much a key or a model may be used. What is not said has no limit. */
export const usageLimitsSchema = z.strictObject({
  requestsPerMinute: positive.optional(),
  requestsPerDay: positive.optional().describe("Days are those of UTC."),
  tokensPerMinute: positive.optional().describe("Tokens that go in."),
  tokensPerDay: positive.optional(),
  imagesPerMinute: positive.optional().describe("Images that come out."),
  imagesPerDay: positive.optional(),
  maxConcurrency: positive.max(100_000).optional().describe("How many requests may be under way at once."),
});

const usd = z.number().min(0).max(1_000_000);

export const embeddingPriceSchema = z.strictObject({
  perMillionTokens: usd.describe("US dollars for a million tokens."),
});

export const imagePriceSchema = z
  .strictObject({
    perImage: z
      .union([usd, z.record(name, z.union([usd, z.record(name, usd)]))])
      .optional()
      .describe(
        "US dollars for an image; by size, and by quality where that matters. * stands for every other size or quality.",
      ),
    perMillionInputTokens: z
      .union([usd, z.strictObject({ text: usd, image: usd })])
      .optional()
      .describe("US dollars for a million tokens that go in."),
    perMillionOutputTokens: usd.optional().describe("US dollars for a million tokens that come out."),
  })
  .refine(
    ({ perImage, perMillionInputTokens: input, perMillionOutputTokens: output }) =>
      (input === undefined) === (output === undefined) && (perImage !== undefined || input !== undefined),
    "must have perImage, or both perMillionInputTokens and perMillionOutputTokens, or all of them",
  );

const budget = z.strictObject({
  usd: z.number().positive().max(1_000_000_000),
  per: z.enum(["day", "month"]).describe("Days and months are those of UTC."),
});

/** Who may call, as an operator writes it. */
export const keySchema = z
  .strictObject({
    name: name.describe("How the log names the holder of this key. No two keys have the same."),
    key: z.string().min(8).optional().describe("The key itself. Take it from the environment: ${NAME}."),
    sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, "must be a SHA-256 digest: 64 hexadecimal digits")
      .optional()
      .describe("The SHA-256 digest of the key, in hexadecimal."),
    owner: name.optional().describe("Whose it is."),
    models: z
      .array(name)
      .min(1)
      .max(1000)
      .optional()
      .describe("The models it may call; `*` stands for any letters. Default: all."),
    limits: usageLimitsSchema.optional().describe("How much may be used with it."),
    budget: budget.optional().describe("How much money may be spent with it."),
    expiresAt: z
      .union([z.iso.datetime({ offset: true }), z.iso.date()], {
        error: "must be a date or a time such as 2027-01-31 or 2027-01-31T12:00:00Z",
      })
      .optional()
      .describe("When it stops working. A date alone is its beginning in UTC."),
  })
  .refine((value) => (value.key === undefined) !== (value.sha256 === undefined), {
    error: "must have either key or sha256",
    // Said beside any other fault of the key, not after it is mended.
    when: ({ value }) => typeof value === "object" && value !== null,
  });
