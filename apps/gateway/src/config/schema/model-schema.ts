import { z } from "zod";
import { type ImageProfileName, imageProfiles } from "../../domain/image-profiles.js";
import {
  duration,
  embeddingPriceSchema,
  imagePriceSchema,
  name,
  positive,
  usageLimitsSchema,
} from "./schema-parts.js";
import { embeddingTargetSchema, imageTargetSchema } from "./target-schema.js";

/** A model, as an operator writes it. */

const profileNames = Object.keys(imageProfiles) as [ImageProfileName, ...ImageProfileName[]];

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
  aliases: z
    .array(name)
    .max(100)
    .optional()
    .describe(
      "Other ids under which callers may ask for the model. Responses carry the id that was asked for; the ledger and metrics carry the model's own.",
    ),
  description: z.string().max(1000).optional().describe("A sentence about the model, shown to callers."),
  shutdownDate: z.iso
    .date({ error: "must be a date such as 2027-06-30" })
    .optional()
    .describe(
      "The day on which the model will shut down, as YYYY-MM-DD. Callers see it as shutdown_date. The gateway goes on serving the model.",
    ),
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

const shadow = z.strictObject({
  model: name.describe("The id of another embedding model, which has a cache."),
  percent: z.number().positive().max(100).describe("The percentage of inputs, such as 10."),
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
    .optional()
    .describe(
      "The profile whose values apply to every key that is absent here. Default: that of the provider.",
    ),
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
    .array(z.enum(["png", "jpeg", "webp", "gif", "svg"]))
    .min(1)
    .optional()
    .describe(
      "The formats that the upstream can create. The first is the default of callers. The gateway converts between png, jpeg and webp.",
    ),
  responseFormats: z
    .array(z.enum(["b64_json", "url"]))
    .min(1)
    .optional()
    .describe("The forms in which the upstream can return an image. The first is the default of callers."),
  maxN: positive.max(10).optional().describe("Maximum images that one call to the upstream can create."),
  maxPromptLength: positive.max(32_000).optional().describe("Maximum characters in a prompt."),
  edits: z.boolean().optional().describe("Whether the upstream can edit images."),
  onlyEdits: z
    .boolean()
    .optional()
    .describe("Whether it can do nothing else, so that generations are refused. It needs edits."),
  mask: z.boolean().optional().describe("Whether an edit may have a mask."),
  markup: z.boolean().optional().describe("Whether an edit may have markup."),
  maxImages: positive.max(16).optional().describe("Maximum input images of one edit."),
  streaming: z.boolean().optional().describe("Whether the upstream can stream."),
  seed: z.boolean().optional().describe("Whether the upstream takes a seed."),
  negativePrompt: z.boolean().optional().describe("Whether the upstream takes a negative_prompt."),
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
      .describe("Caches vectors by input. Default: 24h for models in the gateway's own process, else false."),
    coalesce: coalesce
      .optional()
      .describe("Joins small requests that arrive at the same time into one call."),
    hedge: hedge
      .optional()
      .describe("Calls a second target when the first is slow. The first good reply wins."),
    shadow: shadow
      .optional()
      .describe(
        "Embeds a share of the inputs with another model too, after the response and with the priority bulk, so that its cache is full when callers switch to it.",
      ),
    maxInputs: positive.max(2048).default(2048).describe("Maximum inputs in one request."),
    maxTokens: positive
      .optional()
      .describe(
        "Maximum tokens in one input. Longer ones are refused. Default: the provider's limit, if known.",
      ),
    inputType: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        "The input_type of requests that name none, such as document or query. Required if the provider needs one.",
      ),
    revision: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        "Any text, such as 2. Change it when the vectors behind the same name have changed: cached vectors are no longer used, and x-gateway-space changes.",
      ),
    normalize: z
      .boolean()
      .optional()
      .describe(
        "Whether vectors whose length is not 1 are normalised. Default: only where the provider is known to return such vectors.",
      ),
    ...attempts,
    ...common,
    price: embeddingPriceSchema
      .optional()
      .describe(
        "The price at targets without their own. Default: the price in the built-in catalogue; 0 for models in the gateway's own process.",
      ),
    targets: z.array(embeddingTargetSchema).min(1).describe("The upstreams that serve the model."),
  }),
  z.strictObject({
    type: z.literal("image"),
    profile: z
      .union([z.enum(profileNames), customProfile])
      .optional()
      .describe(
        "The options that the upstream accepts and the form of its reply: the name of a profile, or a custom profile. Default: that of the provider.",
      ),
    fallback: name
      .optional()
      .describe(
        "The id of another image model. It serves a request that fits it when no target of this one can and nothing was created. The response names it in x-gateway-model.",
      ),
    ...attempts,
    ...common,
    price: imagePriceSchema
      .optional()
      .describe(
        "The price at targets without their own. Default: the price in the built-in catalogue; 0 for models in the gateway's own process.",
      ),
    targets: z.array(imageTargetSchema).min(1).describe("The upstreams that serve the model."),
  }),
]);
