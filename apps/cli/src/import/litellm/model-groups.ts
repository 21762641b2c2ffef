import type { ImportReport } from "../import-report.js";
import { sourceKinds, withSpace } from "../model-kinds.js";
import { literal, type ModelDraft } from "../write-gateway-file.js";
import type { Deployment } from "./deployment.js";
import type { Alias, Fallback } from "./settings.js";

const page = "guides/scheduling.md";

interface FallbackSource {
  readonly groups: ReadonlyMap<string, { readonly first: Deployment }>;
  readonly fallbacks: readonly Fallback[];
  readonly report: ImportReport;
}

/**
 * A fallback to the same model elsewhere becomes targets of a higher tier. One to another model is a setting of the
 * model where its kind has one; vectors of another model cannot replace them.
 */
export function addFallbacks(
  models: Map<string, ModelDraft>,
  { groups, fallbacks, report }: FallbackSource,
): void {
  // Targets of the file alone: a fallback is not followed by the fallbacks of the other model.
  const own = new Map(models);
  const identityOf = (id: string) =>
    JSON.stringify([groups.get(id)?.first.type, groups.get(id)?.first.identity]);
  for (const { path, model: named, other } of fallbacks) {
    const source = own.get(other);
    const ids = named === undefined ? [...models.keys()].filter((id) => id !== other) : [named];
    const refusals = ids.map((id): string | undefined => {
      const model = models.get(id);
      if (model === undefined || source === undefined) return "A model of it is not imported";
      if (identityOf(id) === identityOf(other)) {
        models.set(id, withFallback(model, source, groups.get(id)?.first.identity ?? id));
        return undefined;
      }
      return addFallback(models, { id, other });
    });
    const refusal = refusals.find((one) => one !== undefined);
    if (refusal === undefined) report.imported(path);
    else report.leaveOut(path, { why: refusal, page, title: `${nameOf(named)} to "${other}"` });
  }
}

function nameOf(model: string | undefined): string {
  return model === undefined ? "of other models" : `of "${model}"`;
}

/** Names another model of the same type. Returns why that cannot be done. */
function addFallback(
  models: Map<string, ModelDraft>,
  { id, other }: { readonly id: string; readonly other: string },
): string | undefined {
  const model = models.get(id);
  const key = model === undefined ? undefined : sourceKinds[model.type].fallbackKey;
  if (model === undefined || key === undefined || models.get(other)?.type !== model.type)
    return "Vectors and images of another model cannot replace them";
  if (model[key] !== undefined) return "A model has one fallback, which may have its own";
  if (other.includes("*")) return "A pattern cannot be a fallback";
  for (let next: unknown = other; typeof next === "string"; next = models.get(next)?.[key])
    if (next === id) return "The fallbacks would lead back to the first model";
  models.set(id, { ...model, [key]: literal(other) });
  return undefined;
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

/** An alias becomes another name of its model. */
export function addAliases(
  models: Map<string, ModelDraft>,
  aliases: readonly Alias[],
  report: ImportReport,
): void {
  for (const { path, alias, model: id } of aliases) {
    const model = models.get(id);
    if (model === undefined) report.leaveOut(path, "Its model is not imported");
    else if (models.has(alias)) report.leaveOut(path, "A model has the same name");
    else if (`${alias}${id}`.includes("*")) report.leaveOut(path, "An alias stands for one name");
    else {
      report.imported(path);
      models.set(id, { ...model, aliases: [...(model.aliases ?? []), literal(alias)] });
    }
  }
}
