import { z } from "zod";
import { type ImageProfileName, imageProfiles } from "../images/options/profiles.js";
import {
  duration,
  embeddingPriceSchema,
  imagePriceSchema,
  name,
  positive,
  usageLimitsSchema,
} from "./schema-parts.js";

/** What callers may ask for: a model and its targets, as an operator writes them. */

const profileNames = Object.keys(imageProfiles) as [ImageProfileName, ...ImageProfileName[]];

const place = {
  upstream: name.describe("The name of an upstream above."),
  model: name.describe("The model's name at that upstream."),
  weight: z.number().positive().default(1).describe("The share of requests it shall have."),
  tier: positive
    .default(1)
    .describe("Lower tiers are asked first; a higher one when no target of a lower one is healthy."),
};
const capacity = {
  maxConcurrency: positive
    .max(100_000)
    .optional()
    .describe("How many calls may be under way there at once; others wait."),
  requestsPerMinute: positive.optional().describe("How many calls it takes in a minute; others wait."),
  tokensPerMinute: positive.optional().describe("How many tokens it takes in a minute; others wait."),
};
const attempts = {
  retries: z
    .strictObject({ max: z.int().min(0).max(10).describe("How often a request may be tried again.") })
    .optional()
    .describe("Default: 2 for one target, else one more than there are targets, and 5 at the most."),
};
const maxPercent = z
  .number()
  .positive()
  .max(100)
  .default(5)
  .describe("For how many of a hundred requests a second target may be asked, at the most.");
const hedge = z.union([
  z.strictObject({ afterMs: positive.max(60_000).describe("How long the first may take."), maxPercent }),
  z.strictObject({
    percentile: z.number().min(50).max(99.9).describe("How slow it must be among the latest answers: 95."),
    maxPercent,
  }),
]);
const described = {
  strategy: z
    .enum(["fastest", "weighted", "ordered"])
    .default("fastest")
    .describe("How a target is chosen among those of the lowest tier that has a healthy one."),
  description: z.string().max(1000).optional().describe("What the model is, in a sentence."),
  limits: usageLimitsSchema.optional().describe("How much of it may be used, by all callers together."),
};

const coalesce = z.strictObject({
  windowMs: z.number().min(0).max(1000).describe("How long a small request waits for others."),
  maxInputs: positive.max(2048).default(64).describe("The most inputs of one joined call."),
});

const embeddingTarget = z.strictObject({
  ...place,
  ...capacity,
  maxInputs: positive
    .max(2048)
    .optional()
    .describe("How many inputs it takes in one call. Default: the model's maxInputs."),
  maxTokensPerRequest: positive
    .default(300_000)
    .describe("How many tokens it takes in one call, all inputs together."),
  dimensions: z
    .enum(["pass", "emulate"])
    .default("pass")
    .describe("Whether it takes `dimensions` itself, or the gateway shortens its vectors."),
  dimensionsField: name.optional().describe("What it calls `dimensions`. Default: dimensions."),
  encoding: z
    .enum(["float", "base64", "none"])
    .optional()
    .describe(
      "The only encoding_format it takes, or none where it does not take the parameter. Default: what the caller asks for.",
    ),
  space: name
    .optional()
    .describe(
      "The name of its vector space. Targets of one model must share one. Default: the model's name there, and the width.",
    ),
  price: embeddingPriceSchema.optional().describe("What it costs there. Default: the model's price."),
});

const imageTarget = z.strictObject({
  ...place,
  ...capacity,
  price: imagePriceSchema.optional().describe("What images cost there. Default: the model's price."),
});

const vocabulary = z.enum(["cl100k_base", "o200k_base", "p50k_base", "r50k_base"]);
const cache = z.strictObject({
  ttl: duration.default("24h").describe("How long a vector is kept: 90s, 15m, 24h, 7d."),
  countTokens: z.boolean().default(true).describe("Whether cached inputs count in the caller's usage."),
});

const customProfile = z.strictObject({
  like: z
    .enum(profileNames)
    .default("gpt-image")
    .describe("The profile that holds for everything not said here."),
  sizes: z.array(name).min(1).optional().describe("What `size` may be; WIDTHxHEIGHT stands for any."),
  qualities: z.array(name).min(1).optional(),
  backgrounds: z
    .array(z.enum(["auto", "transparent", "opaque"]))
    .min(1)
    .optional(),
  outputFormats: z
    .array(z.enum(["png", "jpeg", "webp"]))
    .min(1)
    .optional()
    .describe("What the upstream itself can make."),
  responseFormats: z
    .array(z.enum(["b64_json", "url"]))
    .min(1)
    .optional()
    .describe("How the upstream can hand over an image; the first is what callers get who do not ask."),
  maxN: positive.max(10).optional().describe("How many images one call can ask for."),
  maxPromptLength: positive.max(32_000).optional(),
  edits: z.boolean().optional(),
  mask: z.boolean().optional(),
  maxImages: positive.max(16).optional().describe("How many images one edit can send."),
  streaming: z.boolean().optional().describe("Whether the upstream itself can stream."),
});

export const modelSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("embedding"),
    dimensions: positive
      .max(65_536)
      .optional()
      .describe("The native width of its vectors. Answers of another width are refused."),
    matryoshka: z.boolean().default(false).describe("Whether callers may ask for fewer dimensions."),
    tokenizer: vocabulary
      .optional()
      .describe("The vocabulary of the model's own tokens. With it, callers may send token ids."),
    clientTokenizer: vocabulary
      .optional()
      .describe(
        "The vocabulary of the token ids that callers send, where it is not the model's: they become text.",
      ),
    cache: z
      .union([z.literal(false), cache])
      .optional()
      .describe("Keeps vectors by input. Default: 24h for models on local, else none."),
    coalesce: coalesce
      .optional()
      .describe("Joins small requests that arrive at the same time into one call."),
    hedge: hedge
      .optional()
      .describe("Asks a second target when the first is slow; the first good answer wins."),
    maxInputs: positive.max(2048).default(2048).describe("How many inputs a caller may send at once."),
    maxTokens: positive.optional().describe("How many tokens one input may have; shown to callers."),
    ...attempts,
    ...described,
    price: embeddingPriceSchema
      .optional()
      .describe("What it costs. Default: what is known of the target; 0 on local."),
    targets: z.array(embeddingTarget).min(1),
  }),
  z.strictObject({
    type: z.literal("image"),
    profile: z
      .union([z.enum(profileNames), customProfile])
      .optional()
      .describe(
        "Which parameters the upstream takes: a name, or a profile of your own. Default: sketch on local, else gpt-image.",
      ),
    ...attempts,
    ...described,
    price: imagePriceSchema
      .optional()
      .describe("What images cost. Default: what is known of the target; 0 on local."),
    targets: z.array(imageTarget).min(1),
  }),
]);
