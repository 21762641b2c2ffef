import type { ModelType } from "../../operations.js";
import type { ImportReport } from "../import-report.js";
import { literal, type ModelDraft, type TargetDraft } from "../write-gateway-file.js";
import type { Deployment } from "./deployment.js";
import { importedKinds } from "./model-kinds.js";

interface FallbackSource {
  readonly groups: ReadonlyMap<string, { readonly first: Deployment }>;
  readonly fallbacks: ReadonlyMap<string, readonly string[]>;
  readonly report: ImportReport;
}

/** A fallback to the same model elsewhere becomes targets of a higher tier. One to another model is left out. */
export function addFallbacks(
  models: Map<string, ModelDraft>,
  { groups, fallbacks, report }: FallbackSource,
): void {
  // Targets of the file alone: a fallback is not followed by the fallbacks of the other model.
  const own = new Map(models);
  for (const [id, others] of fallbacks) {
    const group = groups.get(id)?.first;
    for (const other of others) {
      const [model, source] = [models.get(id), own.get(other)];
      const isSame =
        group?.identity === groups.get(other)?.first.identity &&
        group?.type === groups.get(other)?.first.type;
      if (model === undefined || source === undefined || !isSame) {
        if (model !== undefined)
          report.leaveOut(
            `fallbacks: "${id}" to "${other}"`,
            "Vectors and images of another model cannot replace them",
          );
        continue;
      }
      models.set(id, withFallback(model, source, group?.identity ?? id));
    }
  }
}

function withFallback(model: ModelDraft, source: ModelDraft, space: string): ModelDraft {
  const lowest = Math.max(...model.targets.map(({ tier = 1 }) => tier));
  const known = new Set(model.targets.map(({ upstream, model: name }) => `${upstream} ${name}`));
  const added = source.targets
    .filter(({ upstream, model: name }) => !known.has(`${upstream} ${name}`))
    .map((target) => ({ ...target, tier: lowest + (target.tier ?? 1) }));
  const { type } = model;
  return { ...model, targets: withSpace([...model.targets, ...added], { type, space }) };
}

/** Upstreams that call the same model by different names share its vector space. */
export function withSpace(
  targets: readonly TargetDraft[],
  { type, space }: { readonly type: ModelType; readonly space: string },
): readonly TargetDraft[] {
  const hasNames = targets.some((target) => target.model !== targets[0]?.model);
  return importedKinds[type].hasVectors && hasNames ? targets.map((one) => ({ ...one, space })) : targets;
}

/** An alias becomes another name of its model. */
export function addAliases(
  models: Map<string, ModelDraft>,
  aliases: ReadonlyMap<string, string>,
  report: ImportReport,
): void {
  for (const [alias, id] of aliases) {
    const model = models.get(id);
    if (model === undefined) report.leaveOut(`model_group_alias.${alias}`, "Its model was not carried over");
    else if (models.has(alias)) report.leaveOut(`model_group_alias.${alias}`, "A model has the same name");
    else if (alias.includes("*"))
      report.leaveOut(`model_group_alias.${alias}`, "An alias stands for one name");
    else models.set(id, { ...model, aliases: [...(model.aliases ?? []), literal(alias)] });
  }
}
