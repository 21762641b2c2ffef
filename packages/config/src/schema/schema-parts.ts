import { headerTokenRule, isHeaderToken } from "@model-gateway/domain/header-token";
import { parseRange } from "@model-gateway/domain/ip-address";
import { operatorRoles } from "@model-gateway/domain/operator";
import { name, usageLimitsSchema } from "@model-gateway/domain/settings";
import { z } from "zod";

/** A proxy, or a network of them. A range of all addresses would let every caller choose its address. */
export const proxyRange = z
  .string()
  .refine(
    (text) => (parseRange(text)?.[1] ?? 0) > 0,
    "must be an IP address or a CIDR range, such as 10.0.0.0/8",
  );

const budget = z.strictObject({
  usd: z.number().positive().max(1_000_000_000).describe("The most it may spend, in US dollars."),
  per: z.enum(["day", "month"]).describe("The period of the budget. Days and months are in UTC."),
});

/** A webhook as an operator writes it. */
export const webhookSchema = z.strictObject({
  url: z
    .url({
      protocol: /^https?$/,
      error: "must be an http or https URL, such as https://hooks.example/gateway",
    })
    .refine((text) => !URL.canParse(text) || new URL(text).username === "", "must not contain a user name")
    .describe("Where events are posted. It may be a private address. Redirects are not followed."),
  secret: z
    .string()
    .refine(
      isWebhookSecret,
      "must be 24 to 64 random bytes in base64, with or without whsec_; openssl rand -base64 32 prints such a secret",
    )
    .describe(
      "The secret that signs events, as in Standard Webhooks. Take it from the environment: ${NAME}.",
    ),
  events: z
    .array(z.enum(["budget", "target", "job", "batch"]))
    .min(1)
    .default(["budget", "target"])
    .describe(
      "budget: a key has spent a share of its budget. target: a target has changed its state. job: a job has ended. batch: a batch has ended.",
    ),
  budgetShares: z
    .array(z.number().positive().max(1))
    .min(1)
    .max(10)
    .default([0.5, 0.8, 1])
    .describe("The shares of a budget that send an event, each once in a period. 1 is the whole budget."),
});

function isWebhookSecret(text: string): boolean {
  const bytes = decodeWebhookSecret(text);
  return /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(text) && bytes.length >= 24 && bytes.length <= 64;
}

export function decodeWebhookSecret(text: string): Buffer {
  return Buffer.from(text.replace(/^whsec_/, ""), "base64");
}

/** An operator beside the one with the admin key. */
export const operatorSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9._-]{0,63}$/i,
      "must be letters, digits, dots, hyphens and underscores, at most 64",
    )
    .describe("A unique name. The log has it beside what the operator has changed."),
  key: z
    .string()
    .min(16)
    .refine(isHeaderToken, headerTokenRule)
    .describe("The key of the operator. Take it from the environment: ${NAME}."),
  role: z
    .enum(operatorRoles)
    .describe(
      "What the operator may do. admin: everything. operator: all but changes of keys. viewer: reads everything. billing: usage and costs. metrics: the metrics alone.",
    ),
});

/** A caller's key, as an operator writes it. */
export const keySchema = z
  .strictObject({
    name: name.describe("A unique name. It appears in the log and in usage reports."),
    key: z
      .string()
      .min(8)
      .refine(isHeaderToken, headerTokenRule)
      .optional()
      .describe("The secret itself. Take it from the environment: ${NAME}."),
    sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, "must be a SHA-256 digest of 64 hexadecimal digits")
      .optional()
      .describe("The SHA-256 digest of the secret, in hexadecimal. It replaces key."),
    owner: name
      .optional()
      .describe(
        "The person or team responsible for the key. Keys with one owner share files, batches and jobs.",
      ),
    models: z
      .array(name)
      .min(1)
      .max(1000)
      .optional()
      .describe(
        "The models it may call: a list of ids, in which * matches any characters. Default: all models.",
      ),
    priority: z
      .enum(["interactive", "bulk"])
      .optional()
      .describe(
        "How urgent its requests are. bulk: they may wait, and interactive ones go first. Default: interactive.",
      ),
    limits: usageLimitsSchema.optional().describe("The rate limits of the key. Default: none."),
    budget: budget.optional().describe("The budget of the key. Default: none."),
    expiresAt: z
      .union([z.iso.datetime({ offset: true }), z.iso.date()], {
        error: "must be a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z",
      })
      .optional()
      .describe("When the key stops working. A date means the start of that day in UTC."),
  })
  .refine((value) => (value.key === undefined) !== (value.sha256 === undefined), {
    error: "needs either key or sha256, and not both",
    // Reported together with the other faults of the key, not after they are fixed.
    when: ({ value }) => typeof value === "object" && value !== null,
  });
