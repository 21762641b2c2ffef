import type { AccessKey } from "@model-gateway/domain/access-key";
import { matchesWildcard } from "@model-gateway/domain/wildcard";

/** Whether a key may call a model: it has no model list, or one of the patterns matches. */
export function mayCall({ models }: Pick<AccessKey, "models">, modelId: string): boolean {
  if (models === undefined) return true;
  for (const pattern of models) if (matchesWildcard(pattern, modelId)) return true;
  return false;
}

/** Whether a key may call a model under one of its names. One that it may use is enough to use all of them. */
export function mayCallAny(key: Pick<AccessKey, "models">, names: readonly string[]): boolean {
  return names.some((name) => mayCall(key, name));
}
