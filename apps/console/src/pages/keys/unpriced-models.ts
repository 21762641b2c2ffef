import type { ShownModel } from "../../operations/listModels.js";

type PricedModel = Pick<ShownModel, "id" | "targets">;

/** The models whose cost is not known, because a target of theirs has no price. No budget can count them. */
export function unpricedModels<Model extends PricedModel>(models: readonly Model[]): Model[] {
  return models.filter(({ targets = [] }) => targets.some(({ pricing }) => pricing === null));
}

const namedMax = 3;

/** "gte-small, bge-m3 and 4 more", or undefined if there are none. */
export function nameUnpriced(models: readonly PricedModel[]): string | undefined {
  const ids = unpricedModels(models).map(({ id }) => id);
  const more = ids.length - namedMax;
  if (ids.length === 0) return undefined;
  if (more > 0) return `${ids.slice(0, namedMax).join(", ")} and ${more} more`;
  return ids.length === 1 ? ids[0] : `${ids.slice(0, -1).join(", ")} and ${ids.at(-1)}`;
}
