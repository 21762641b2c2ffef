import type { Catalogue } from "@model-gateway/catalogue/catalogue";
import { isPattern } from "@model-gateway/domain/model";
import { findProvider } from "@model-gateway/providers/registry";
import { listAt, objectAt } from "@model-gateway/runtime/json";
import type { Fault } from "../files/read-yaml.js";
import type { RawModels, RawTarget } from "../kinds/kind.js";
import { isModelType, kindOf } from "../kinds/kinds.js";
import { modelAt } from "./model-at.js";

/*
 * Rules that depend on the model type. They read the raw file, so that their faults are reported together with schema
 * faults.
 */

/** Finds targets whose provider cannot serve a model of this type, and the faults that only its kind knows. */
export function checkKinds(file: unknown, catalogue: Catalogue): Fault[] {
  const models = rawModels(file, catalogue);
  return [...models.values()].flatMap((model) => {
    const { type, targets } = model;
    if (type === undefined) return [];
    const kind = kindOf({ type });
    const lacking = targets.filter(
      ({ provider, settings }) =>
        provider[kind.trait] === undefined || provider.lacks?.(settings).includes(kind.trait) === true,
    );
    return [
      ...lacking.map(({ path, provider, settings: { preset } }) => ({
        path: [...path, "upstream"],
        message: `the ${typeof preset === "string" ? `preset ${preset}` : `provider ${provider.name}`} has no ${kind.trait}; use another upstream`,
      })),
      ...targets.flatMap(checkServed),
      ...kind.check(model, models),
    ];
  });
}

/** Finds a model that no dialect serves: every request would fail. Behind a pattern there may be others. */
function checkServed({ path, provider, ...model }: RawTarget): Fault[] {
  const reason = isPattern(model.name) ? undefined : provider.unserved?.(model);
  if (reason === undefined) return [];
  return [
    {
      path: [...path, "model"],
      message: `the gateway does not know it. ${reason} If it is called like a model that the catalogue has, set like to that name`,
    },
  ];
}

/** The models in a file, by their ids. */
export function rawModels(file: unknown, catalogue: Catalogue): RawModels {
  const models = objectAt(file, "models");
  const upstreams = objectAt(file, "upstreams");
  return new Map(
    Object.keys(models).map((id) => {
      const keys = objectAt(models, id);
      const type = isModelType(keys.type) ? keys.type : undefined;
      const targets = listAt(keys, "targets").flatMap((target, index): RawTarget[] => {
        const targetKeys = objectAt({ target }, "target");
        const settings = objectAt(upstreams, String(targetKeys.upstream));
        const provider = findProvider(String(settings.provider));
        if (provider === undefined) return [];
        const path = ["models", id, "targets", index];
        const { like } = targetKeys;
        const named = modelAt(provider, { name: String(targetKeys.model), type, like, settings }, catalogue);
        return [{ ...named, path, keys: targetKeys, provider }];
      });
      return [id, { id, type, keys, targets }];
    }),
  );
}
