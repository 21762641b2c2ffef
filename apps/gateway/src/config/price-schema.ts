import { z } from "zod";

const usd = z.number().min(0).max(1_000_000);
const name = z.string().min(1).max(256);

export const embeddingPriceSchema = z.strictObject({
  perMillionTokens: usd.describe("US dollars for a million tokens."),
});

export const imagePriceSchema = z
  .strictObject({
    perImage: z
      .union([usd, z.record(name, z.union([usd, z.record(name, usd)]))])
      .optional()
      .describe(
        "US dollars for a picture; by size, and by quality where that matters. * stands for every other size or quality.",
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
