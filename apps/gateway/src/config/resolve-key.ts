import { createHash } from "node:crypto";
import type { z } from "zod";
import type { ConfigKey } from "./config.js";
import type { keySchema } from "./key-schema.js";
import { resolveUsageLimits } from "./resolve-usage-limits.js";

/** A key of the file is known by its name. */
export function resolveKey(file: z.output<typeof keySchema>): ConfigKey {
  const { name, key, sha256, owner, models, limits, budget, expiresAt } = file;
  return {
    key: {
      id: `config:${name}`,
      name,
      limits: resolveUsageLimits(limits ?? {}),
      isDisabled: false,
      ...(owner === undefined ? {} : { owner }),
      ...(models === undefined ? {} : { models }),
      ...(budget === undefined ? {} : { budget }),
      ...(expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) }),
    },
    sha256: sha256 === undefined ? digest(key ?? "") : Buffer.from(sha256, "hex"),
  };
}

/** How keys are compared and kept. */
export function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
