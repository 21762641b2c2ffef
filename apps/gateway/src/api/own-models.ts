import type { AccessKey } from "@model-gateway/domain/access-key";
import { addHistograms } from "@model-gateway/domain/duration-histogram";
import { namesOf } from "@model-gateway/domain/model";
import { mayCall, mayCallAny } from "../keys/may-call.js";
import type { LedgerRow, UsageGroup } from "../usage/ledger/ledger-store.js";
import type { Catalog } from "./catalog.js";

/** Whether the caller may call a model of this name. */
type MayName = (name: string) => boolean;

export function mayNameAs(key: AccessKey, catalog: Pick<Catalog, "find">): MayName {
  const known = new Map<string, boolean>();
  const look = (name: string): boolean => {
    const model = catalog.find(name);
    return mayCall(key, name) || (model !== undefined && mayCallAny(key, namesOf(model)));
  };
  return (name) => {
    const may = known.get(name) ?? look(name);
    known.set(name, may);
    return may;
  };
}

/**
 * A row as its caller may see it. A key learns nothing of a model that it may not call, not even whether it exists: its
 * requests for one have the model in the ledger, and none here.
 */
export function hideModel(row: LedgerRow, mayName: MayName): LedgerRow {
  const { model, failure, upstream, cachedInputs } = row;
  if (model === null || upstream !== null || cachedInputs > 0) return row;
  return mayName(failure?.requestedModel ?? model) || mayName(model) ? row : { ...row, model: null };
}

/**
 * The same for sums: those of requests for such models are part of the sums without a model.
 *
 * @param model The model that the report is limited to.
 */
export function hideModels(
  groups: readonly UsageGroup[],
  mayName: MayName,
  model: string | undefined,
): readonly UsageGroup[] {
  if (model !== undefined) return mayName(model) ? groups : groups.filter(isUsed);
  const isHidden = (group: UsageGroup) =>
    typeof group.model === "string" && !isUsed(group) && !mayName(group.model);
  if (!groups.some(isHidden)) return groups;
  const shown = groups.filter((group) => group.model !== null && !isHidden(group));
  const others = new Map<string, UsageGroup>();
  for (const group of groups) {
    if (group.model !== null && !isHidden(group)) continue;
    const id = JSON.stringify([group.startsAt, group.operation, group.batchId]);
    const other = others.get(id);
    others.set(id, other === undefined ? { ...group, model: null } : addUnused(other, group));
  }
  return [...others.values(), ...shown].sort((one, other) => (one.startsAt ?? 0) - (other.startsAt ?? 0));
}

/** A key that may not call a model has never used anything of it. */
function isUsed({
  inputTokens,
  outputTokens,
  images,
  costNanos,
  unpriced,
  cachedInputs,
}: UsageGroup): boolean {
  return [inputTokens, outputTokens, images, costNanos, unpriced, cachedInputs].some((sum) => sum > 0);
}

function addUnused(one: UsageGroup, other: UsageGroup): UsageGroup {
  return {
    ...one,
    requests: one.requests + other.requests,
    failures: one.failures + other.failures,
    durations: addHistograms([one.durations, other.durations]),
  };
}
