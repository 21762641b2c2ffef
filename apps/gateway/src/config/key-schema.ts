import { z } from "zod";
import { usageLimitsSchema } from "./usage-limits-schema.js";

const name = z.string().min(1).max(256);

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
