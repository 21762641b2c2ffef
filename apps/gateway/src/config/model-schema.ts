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

/** A model and its targets, as an operator writes them. */

const profileNames = Object.keys(imageProfiles) as [ImageProfileName, ...ImageProfileName[]];

const routing = {
  upstream: name.describe("The name of an upstream under upstreams."),
  model: name.describe("The model's name at that upstream."),
  weight: z
    .number()
    .positive()
    .default(1)
    .describe("Its share of the requests, relative to the other targets of its tier."),
  tier: positive
    .default(1)
    .describe("Targets of a higher tier are used only while no target of a lower tier is healthy."),
};
const capacity = {
  maxConcurrency: positive
    .max(100_000)
    .optional()
    .describe("Maximum calls in flight at once. Further calls wait."),
  requestsPerMinute: positive.optional().describe("Maximum calls per minute. Further calls wait."),
  tokensPerMinute: positive.optional().describe("Maximum tokens per minute. Further calls wait."),
};
const attempts = {
  deadlineMs: positive
    .max(3_600_000)
    .optional()
    .describe(
      "How long a request may take, in milliseconds: all attempts and the waits between them. Default: the longest timeoutMs among the upstreams of its targets; twice that if there are several targets.",
    ),
  retries: z
    .strictObject({ max: z.int().min(0).max(10).describe("Maximum retries of a request.") })
    .optional()
    .describe(
      "How often a request is retried. Default: 2 for one target, else the number of targets plus one, and at most 5.",
    ),
};
const maxPercent = z
  .number()
  .positive()
  .max(100)
  .default(5)
  .describe("The maximum percentage of requests that may call a second target.");
const hedge = z.union([
  z.strictObject({
    afterMs: positive.max(60_000).describe("Call a second target after this many milliseconds."),
    maxPercent,
  }),
  z.strictObject({
    percentile: z
      .number()
      .min(50)
      .max(99.9)
      .describe(
        "Call a second target when the first is slower than this percentile of recent replies, such as 95.",
      ),
    maxPercent,
  }),
]);
const common = {
  strategy: z
    .enum(["fastest", "weighted", "ordered"])
    .default("fastest")
    .describe("How a target is selected within the lowest tier that has a healthy target."),
  description: z.string().max(1000).optional().describe("A sentence about the model, shown to callers."),
  limits: usageLimitsSchema
    .optional()
    .describe("Rate limits for all callers of the model together. Default: none."),
};

const coalesce = z.strictObject({
  windowMs: z
    .number()
    .min(0)
    .max(1000)
    .describe("How long a small request waits for others, in milliseconds."),
  maxInputs: positive.max(2048).default(64).describe("Maximum inputs in one joined call."),
});

const embeddingTarget = z.strictObject({
  ...routing,
  ...capacity,
  maxInputs: positive
    .max(2048)
    .optional()
    .describe("Maximum inputs in one call. Default: the model's maxInputs."),
  maxTokensPerRequest: positive.default(300_000).describe("Maximum tokens in one call, all inputs together."),
  dimensions: z
    .enum(["pass", "emulate"])
    .default("pass")
    .describe(
      "pass: the upstream supports the parameter dimensions. emulate: it does not, and the gateway shortens its vectors.",
    ),
  dimensionsField: name
    .optional()
    .describe("The upstream's name for the parameter dimensions. Default: dimensions."),
  encoding: z
    .enum(["float", "base64", "none"])
    .optional()
    .describe(
      "The only encoding_format that the upstream supports, or none if it does not know the parameter. Default: the caller's.",
    ),
  space: name
    .optional()
    .describe(
      "The name of its vector space. All targets of a model must have the same. Default: the model's name at the upstream, and the width.",
    ),
  price: embeddingPriceSchema.optional().describe("The price at this target. Default: the model's price."),
});

const imageTarget = z.strictObject({
  ...routing,
  ...capacity,
  price: imagePriceSchema.optional().describe("The price at this target. Default: the model's price."),
});

const vocabulary = z.enum(["cl100k_base", "o200k_base", "p50k_base", "r50k_base"]);
const cache = z.strictObject({
  ttl: duration.default("24h").describe("How long a vector is cached, such as 90s, 15m, 24h or 7d."),
  countTokens: z
    .boolean()
    .default(true)
    .describe("Whether the tokens of cached inputs count in the caller's usage."),
});

const customProfile = z.strictObject({
  like: z
    .enum(profileNames)
    .default("gpt-image")
    .describe("The profile whose values apply to every key that is absent here."),
  sizes: z
    .array(name)
    .min(1)
    .optional()
    .describe("The accepted sizes. WIDTHxHEIGHT, written like this, accepts any size."),
  qualities: z.array(name).min(1).optional().describe("The accepted qualities."),
  backgrounds: z
    .array(z.enum(["auto", "transparent", "opaque"]))
    .min(1)
    .optional()
    .describe("The accepted backgrounds."),
  outputFormats: z
    .array(z.enum(["png", "jpeg", "webp"]))
    .min(1)
    .optional()
    .describe("The formats that the upstream can create. The gateway converts to the others."),
  responseFormats: z
    .array(z.enum(["b64_json", "url"]))
    .min(1)
    .optional()
    .describe("The forms in which the upstream can return an image. The first is the default of callers."),
  maxN: positive.max(10).optional().describe("Maximum images that one call to the upstream can create."),
  maxPromptLength: positive.max(32_000).optional().describe("Maximum characters in a prompt."),
  edits: z.boolean().optional().describe("Whether the upstream can edit images."),
  mask: z.boolean().optional().describe("Whether an edit may have a mask."),
  maxImages: positive.max(16).optional().describe("Maximum input images of one edit."),
  streaming: z.boolean().optional().describe("Whether the upstream can stream."),
});

export const modelSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("embedding"),
    dimensions: positive
      .max(65_536)
      .optional()
      .describe("The width of the model's vectors. Replies of another width are refused."),
    matryoshka: z
      .boolean()
      .default(false)
      .describe(
        "Whether the model was trained so that its vectors may be shortened. Only then may callers ask for fewer dimensions.",
      ),
    tokenizer: vocabulary
      .optional()
      .describe("The vocabulary of the model's own tokens. If it is set, callers may send token ids."),
    clientTokenizer: vocabulary
      .optional()
      .describe(
        "The vocabulary of callers' token ids, if it is not the model's. The gateway decodes them to text.",
      ),
    cache: z
      .union([z.literal(false), cache])
      .optional()
      .describe("Caches vectors by input. Default: 24h for models on local, else false."),
    coalesce: coalesce
      .optional()
      .describe("Joins small requests that arrive at the same time into one call."),
    hedge: hedge
      .optional()
      .describe("Calls a second target when the first is slow. The first good reply wins."),
    maxInputs: positive.max(2048).default(2048).describe("Maximum inputs in one request."),
    maxTokens: positive.optional().describe("Maximum tokens in one input, shown to callers."),
    ...attempts,
    ...common,
    price: embeddingPriceSchema
      .optional()
      .describe(
        "The price at targets without their own. Default: the price in the built-in catalogue; 0 on local.",
      ),
    targets: z.array(embeddingTarget).min(1).describe("The upstreams that serve the model."),
  }),
  z.strictObject({
    type: z.literal("image"),
    profile: z
      .union([z.enum(profileNames), customProfile])
      .optional()
      .describe(
        "The options that the upstream accepts and the form of its reply: the name of a profile, or a custom profile. Default: sketch on local, else gpt-image.",
      ),
    ...attempts,
    ...common,
    price: imagePriceSchema
      .optional()
      .describe(
        "The price at targets without their own. Default: the price in the built-in catalogue; 0 on local.",
      ),
    targets: z.array(imageTarget).min(1).describe("The upstreams that serve the model."),
  }),
]);
