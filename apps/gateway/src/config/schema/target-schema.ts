import { z } from "zod";
import { embeddingPriceSchema, imagePriceSchema, name, positive } from "./schema-parts.js";

/** A target of a model, as an operator writes it. */

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
const passThrough = z
  .array(
    z
      .string()
      .max(64)
      .regex(/^[A-Za-z][A-Za-z0-9_]*$/, "must be the name of a parameter: letters, digits and underscores"),
  )
  .min(1)
  .max(32)
  .optional()
  .describe(
    "Parameters beyond OpenAI's that callers may send, such as input_type or seed. They go to the upstream as they are. All targets of a model must have the same list.",
  );
const capacity = {
  maxConcurrency: positive
    .max(100_000)
    .optional()
    .describe("Maximum calls in flight at once. Further calls wait. Default: 256."),
  requestsPerMinute: positive.optional().describe("Maximum calls per minute. Further calls wait."),
  tokensPerMinute: positive.optional().describe("Maximum tokens per minute. Further calls wait."),
  interactiveShare: z
    .number()
    .min(0)
    .max(0.9)
    .optional()
    .describe(
      "The share of maxConcurrency, requestsPerMinute and tokensPerMinute that bulk requests leave to interactive ones. Default: 0.25.",
    ),
};

export const embeddingTargetSchema = z.strictObject({
  ...routing,
  ...capacity,
  passThrough,
  maxInputs: positive
    .max(2048)
    .optional()
    .describe("Maximum inputs in one call. Default: the provider's limit, or the model's maxInputs."),
  bulkMaxInputs: positive
    .max(2048)
    .optional()
    .describe(
      "Maximum inputs in one call of a bulk request. A smaller number makes interactive requests wait less. Default: 64.",
    ),
  maxTokensPerRequest: positive
    .optional()
    .describe("Maximum tokens in one call, all inputs together. Default: the provider's limit, or 300000."),
  maxCharactersPerRequest: positive
    .optional()
    .describe("Maximum characters in one call, all inputs together. Default: the provider's limit, or none."),
  dimensions: z
    .enum(["pass", "emulate"])
    .optional()
    .describe(
      "pass: the upstream supports the parameter dimensions. emulate: it does not, and the gateway shortens its vectors. Default: what the provider supports.",
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

export const imageTargetSchema = z.strictObject({
  ...routing,
  ...capacity,
  passThrough,
  price: imagePriceSchema.optional().describe("The price at this target. Default: the model's price."),
});
