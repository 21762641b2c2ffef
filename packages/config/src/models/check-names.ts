import type { Catalogue } from "@model-gateway/catalogue/catalogue";
import { billedOperations, type ModelOperation } from "@model-gateway/domain/operations";
import { captureWildcard } from "@model-gateway/domain/wildcard";
import { listAt, objectAt } from "@model-gateway/runtime/json";
import type { Fault } from "../files/read-yaml.js";
import type { RawModel, RawModels } from "../kinds/kind.js";
import { kindOf } from "../kinds/kinds.js";
import { rawModels } from "./check-kinds.js";

/* Rules about model names. They read the raw file, so that their faults are reported together with schema faults. */

/** Finds aliases that equal another model's id or alias. */
export function checkAliasesUnique(file: unknown): Fault[] {
  const models = Object.entries(objectAt(file, "models"));
  const owners = new Map<unknown, string>(models.map(([id]) => [id, `the model "${id}"`]));
  return models.flatMap(([id, model]) =>
    listAt(model, "aliases").flatMap((alias, index) => {
      const owner = owners.get(alias);
      if (owner === undefined) owners.set(alias, `an alias of "${id}"`);
      return owner === undefined
        ? []
        : [
            {
              path: ["models", id, "aliases", index],
              message: `"${String(alias)}" is already ${owner}; give each model its own names`,
            },
          ];
    }),
  );
}

/** Finds default models that do not exist, or that do not support their operation. */
export function checkDefaults(file: unknown, catalogue: Catalogue): Fault[] {
  const models = rawModels(file, catalogue);
  return Object.entries(objectAt(file, "defaults")).flatMap(([operation, name]) => {
    if (typeof name !== "string" || !isModelOperation(operation)) return [];
    const path = ["defaults", operation];
    const model = modelNamed(name, models);
    if (model === undefined)
      return [{ path, message: `there is no model "${name}"; use the id or an alias of one under models` }];
    // A type that is not valid is a fault already.
    if (model.type === undefined || kindOf({ type: model.type }).supports(model, operation)) return [];
    return [{ path, message: `the model "${name}" does not support ${operation}` }];
  });
}

/** The model with this id or alias, or the pattern that fits. */
function modelNamed(name: string, models: RawModels): RawModel | undefined {
  if (name.includes("*")) return undefined;
  return (
    models.get(name) ??
    [...models.values()].find(({ keys }) => listAt(keys, "aliases").includes(name)) ??
    patternFor(name, models)
  );
}

/** The longest pattern that the name fits. */
function patternFor(name: string, models: RawModels): RawModel | undefined {
  const fitting = [...models.keys()].filter(
    (id) => id.includes("*") && captureWildcard(id, name) !== undefined,
  );
  const [longest = ""] = fitting.sort((one, other) => other.length - one.length);
  return models.get(longest);
}

function isModelOperation(operation: string): operation is ModelOperation {
  return Object.hasOwn(billedOperations, operation);
}
