import { name, positive, usageLimitsSchema } from "@model-gateway/domain/settings";
import { z } from "zod";

/** The settings that models of every kind have, as an operator writes them. */

export const modelSettings = {
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
      "The day on which the model will shut down, as YYYY-MM-DD. Callers see it as shutdown_date. Default: the day in the catalogue. The gateway goes on serving the model.",
    ),
  limits: usageLimitsSchema
    .optional()
    .describe("Rate limits for all callers of the model together. Default: none."),
};

export const priceDescription =
  "The price at targets without their own. Default: the price in the catalogue; 0 for models in the gateway's own process.";

const routing = {
  upstream: name.describe("The name of an upstream under upstreams."),
  model: name.describe("The model's name at that upstream."),
  like: name
    .optional()
    .describe(
      "The name of another model of the same provider, whose facts in the catalogue hold for this one: for a deployment with a name of your own, or a model that the catalogue does not know yet.",
    ),
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

/** The settings that targets of every kind have. */
export const targetSettings = { ...routing, ...capacity, passThrough };

/** A model of any kind, as far as every kind has the same settings. */
export type ModelFile = z.output<z.ZodObject<typeof modelSettings>> & {
  readonly type: string;
  readonly price?: object | undefined;
  readonly targets: readonly TargetFile[];
};

/** A target of any kind. */
export type TargetFile = z.output<z.ZodObject<typeof targetSettings>> & {
  readonly price?: object | undefined;
};
