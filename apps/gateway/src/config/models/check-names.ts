import { type ImageProfile, imageOperationsOf } from "../../domain/image-profile.js";
import { imageProfiles } from "../../domain/image-profiles.js";
import { isObject, listAt, objectAt } from "../../domain/json.js";
import { captureWildcard } from "../../domain/wildcard.js";
import { billedOperations, type ModelOperation } from "../../operations.js";
import { findProvider } from "../../providers/registry.js";
import type { Fault } from "../files/read-yaml.js";
import { profileOf } from "./provider-traits.js";

/*
 * Rules about the names of models. They read the raw file, so that their faults are reported together with those of the
 * schema.
 */

/** Finds aliases that are the id of a model, or an alias of another one. */
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
export function checkDefaults(file: unknown): Fault[] {
  return Object.entries(objectAt(file, "defaults")).flatMap(([operation, name]) => {
    if (typeof name !== "string" || !isModelOperation(operation)) return [];
    const path = ["defaults", operation];
    const model = modelNamed(name, file);
    if (model === undefined)
      return [{ path, message: `there is no model "${name}"; use the id or an alias of one under models` }];
    if (supports(model, operation, file)) return [];
    return [{ path, message: `the model "${name}" does not support ${operation}` }];
  });
}

/** Finds fallbacks that are no image model of the file, and those that lead back to where they began. */
export function checkFallbacks(file: unknown): Fault[] {
  const models = objectAt(file, "models");
  const nextOf = (id: string): unknown => objectAt(models, id).fallback;
  return Object.keys(models).flatMap((id) => {
    const fallback = nextOf(id);
    if (typeof fallback !== "string") return [];
    const path = ["models", id, "fallback"];
    if (!Object.hasOwn(models, fallback) || fallback.includes("*"))
      return [{ path, message: `there is no model "${fallback}"; use the id of one under models` }];
    if (objectAt(models, fallback).type === "embedding")
      return [{ path, message: `the model "${fallback}" creates no images` }];
    return leadsBack(id, nextOf) ? [{ path, message: "leads back to this model; end the chain" }] : [];
  });
}

/** Finds shadows that are no other embedding model of the file, or that have no cache to keep the vectors. */
export function checkShadows(file: unknown): Fault[] {
  const models = objectAt(file, "models");
  return Object.keys(models).flatMap((id) => {
    const { model: shadow } = objectAt(models[id], "shadow");
    if (typeof shadow !== "string") return [];
    const path = ["models", id, "shadow", "model"];
    if (!Object.hasOwn(models, shadow) || shadow.includes("*"))
      return [{ path, message: `there is no model "${shadow}"; use the id of one under models` }];
    if (shadow === id) return [{ path, message: "is this model; name the one that callers will switch to" }];
    const next = objectAt(models, shadow);
    if (next.type === "image") return [{ path, message: `the model "${shadow}" creates no vectors` }];
    if (hasCache(next, file)) return [];
    return [
      {
        path,
        message: `the model "${shadow}" has no cache, and its vectors would be lost; set its cache and its dimensions`,
      },
    ];
  });
}

/** As `resolveModel` decides it. */
function hasCache({ cache, dimensions, ...model }: Record<string, unknown>, file: unknown): boolean {
  if (dimensions === undefined || cache === false) return false;
  if (cache !== undefined) return true;
  return listAt(model, "targets").every((target) => {
    const { upstream } = isObject(target) ? target : {};
    const { provider } = objectAt(objectAt(file, "upstreams"), String(upstream));
    return typeof provider === "string" && findProvider(provider)?.defaults.cacheTtl !== undefined;
  });
}

function leadsBack(id: string, nextOf: (id: string) => unknown): boolean {
  const seen = new Set<unknown>();
  for (let next = nextOf(id); typeof next === "string" && !seen.has(next); next = nextOf(next)) {
    if (next === id) return true;
    seen.add(next);
  }
  return false;
}

/** The model with this id or alias, or the pattern that fits, as it is in the file. */
export function modelNamed(name: string, file: unknown): Record<string, unknown> | undefined {
  const models = objectAt(file, "models");
  if (name.includes("*")) return undefined;
  const model = Object.hasOwn(models, name)
    ? models[name]
    : (Object.values(models).find((one) => listAt(one, "aliases").includes(name)) ??
      patternFor(name, models));
  return isObject(model) ? model : undefined;
}

/** The longest pattern that the name fits. */
function patternFor(name: string, models: Record<string, unknown>): unknown {
  const fitting = Object.keys(models).filter(
    (id) => id.includes("*") && captureWildcard(id, name) !== undefined,
  );
  const [longest = ""] = fitting.sort((one, other) => other.length - one.length);
  return models[longest];
}

function isModelOperation(operation: string): operation is ModelOperation {
  return Object.hasOwn(billedOperations, operation);
}

/** A model whose type or profile is not valid has a fault of its own. */
function supports(model: Record<string, unknown>, operation: ModelOperation, file: unknown): boolean {
  if (operation === "createEmbedding") return model.type !== "image";
  if (model.type === "embedding") return false;
  return imageOperationsOf(editsOf(model, file)).includes(operation);
}

/** Whether a model edits images, or does nothing else. */
export function editsOf(
  model: Record<string, unknown>,
  file: unknown,
): Pick<ImageProfile, "edits" | "onlyEdits"> {
  const { profile } = model;
  const changes = isObject(profile) ? profile : {};
  const name = typeof profile === "string" ? profile : changes.like;
  const base = name === undefined ? defaultProfile(model, file) : profileNamed(String(name));
  const { edits = base?.edits, onlyEdits = base?.onlyEdits } = changes;
  return { edits: edits !== false, onlyEdits: onlyEdits === true };
}

/** The profile of the first target's provider. */
function defaultProfile(model: Record<string, unknown>, file: unknown): ImageProfile | undefined {
  const [target] = listAt(model, "targets");
  const { upstream, model: name } = isObject(target) ? target : {};
  const settings = objectAt(objectAt(file, "upstreams"), String(upstream));
  const { provider } = settings;
  const traits =
    typeof provider === "string" ? findProvider(provider)?.images?.(String(name), settings) : undefined;
  return traits && profileOf(traits);
}

function profileNamed(name: string): ImageProfile | undefined {
  const profiles: Readonly<Record<string, ImageProfile>> = imageProfiles;
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}
