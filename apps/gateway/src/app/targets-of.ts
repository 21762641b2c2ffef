import type { Config } from "@model-gateway/config/config";
import type { FactsOf } from "@model-gateway/config/models/with-facts";
import { isPattern, type Target } from "@model-gateway/domain/model";
import { nameInCatalogue } from "@model-gateway/providers/registry";

/** Every target of every model. Patterns are left out: their targets are unknown until a caller names one. */
export function targetsOf({ models }: Pick<Config, "models">): Target[] {
  return [...models.values()].flatMap((model): Target[] => (isPattern(model.id) ? [] : [...model.targets]));
}

/** Facts about a target whose name was not in the file. */
export function factsOf(
  { upstream: name, model, like }: Parameters<FactsOf>[0],
  { upstreams, catalogue }: Pick<Config, "upstreams" | "catalogue">,
): ReturnType<FactsOf> {
  const upstream = upstreams.get(name);
  if (upstream === undefined) return {};
  return catalogue.factsOf({ ...upstream, model, knownAs: like ?? nameInCatalogue(model, upstream) });
}
