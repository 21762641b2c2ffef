import type { z } from "zod";
import type { UsageLimits } from "../domain/access-key.js";
import type { usageLimitsSchema } from "./usage-limits-schema.js";

/** The limits that were said, and no others. */
export function resolveUsageLimits(limits: z.output<typeof usageLimitsSchema>): UsageLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
