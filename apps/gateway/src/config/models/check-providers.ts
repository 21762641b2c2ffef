import { imageProfiles } from "../../domain/image-profiles.js";
import { listAt, objectAt } from "../../domain/json.js";
import type { Provider } from "../../providers/provider.js";
import { findProvider } from "../../providers/registry.js";
import type { Fault } from "../files/read-yaml.js";
import { editsOf } from "./check-names.js";
import { commonInputTypes, profileOf } from "./provider-traits.js";

/*
 * Rules between a model and the providers of its targets. They read the raw file, so that their faults are reported
 * together with those of the schema.
 */

interface RawTarget {
  readonly path: readonly PropertyKey[];
  readonly keys: Record<string, unknown>;
  /** The model's name at the upstream. */
  readonly name: string;
  readonly provider: Provider;
  /** Those of its upstream. */
  readonly settings: Record<string, unknown>;
}

interface RawModel {
  readonly id: string;
  readonly model: Record<string, unknown>;
  /** Those whose upstream has a provider: other checks report the rest. */
  readonly targets: readonly RawTarget[];
}

/** Finds targets whose provider cannot serve a model of this type. */
export function checkOperations(file: unknown): Fault[] {
  return modelsOf(file).flatMap(({ model, targets }) => {
    const { type } = model;
    const lacks = ({ provider }: RawTarget): boolean =>
      (type === "embedding" && provider.embeddings === undefined) ||
      (type === "image" && provider.images === undefined);
    return targets.filter(lacks).map(({ path, provider }) => ({
      path: [...path, "upstream"],
      message: `the provider ${provider.name} has no ${type === "image" ? "images" : "embeddings"}; use another upstream`,
    }));
  });
}

/** Finds keys of targets that the provider does not read. */
export function checkTargetKeys(file: unknown): Fault[] {
  return modelsOf(file).flatMap(({ targets }) =>
    targets.flatMap(({ path, keys, name, provider }) => {
      const { targetKeys = [], dimensions } = provider.embeddings?.(name) ?? {};
      const unread = (["dimensionsField", "encoding"] as const).filter(
        (key) => keys[key] !== undefined && !targetKeys.includes(key),
      );
      const isImpossible = keys.dimensions === "pass" && dimensions === "emulate";
      return [...unread, ...(isImpossible ? ["dimensions"] : [])].map((key) => ({
        path: [...path, key],
        message:
          isImpossible && key === "dimensions"
            ? `the provider ${provider.name} takes no width for this model; use emulate`
            : `is fixed for the provider ${provider.name}; remove it`,
      }));
    }),
  );
}

/** Finds models whose vectors are known to have another width: every reply would be refused. */
export function checkWidths(file: unknown): Fault[] {
  return modelsOf(file).flatMap(({ id, model: { type, dimensions }, targets }) => {
    if (type !== "embedding" || typeof dimensions !== "number") return [];
    const path = ["models", id, "dimensions"];
    return targets.slice(0, 1).flatMap(({ name, provider, settings }) => {
      const { width, widths = [] } = provider.embeddings?.(name, settings) ?? {};
      const widest = Math.max(...widths);
      if (width !== undefined && dimensions !== width)
        return [
          { path, message: `is ${dimensions}, but vectors of the model ${name} have ${width}; set ${width}` },
        ];
      return widths.length > 0 && dimensions > widest
        ? [{ path, message: `is ${dimensions}, but vectors of the model ${name} have at most ${widest}` }]
        : [];
    });
  });
}

/** Finds vocabularies of models whose provider takes no token ids: the ids would reach it as they are. */
export function checkTokenizers(file: unknown): Fault[] {
  return modelsOf(file).flatMap(({ id, model, targets }) => {
    if (model.type !== "embedding" || model.tokenizer === undefined) return [];
    const unable = targets.find(({ name, provider }) => provider.embeddings?.(name).takesTokenIds !== true);
    if (unable === undefined) return [];
    return [
      {
        path: ["models", id, "tokenizer"],
        message: `the provider ${unable.provider.name} takes no token ids; set clientTokenizer instead, and callers' ids are decoded to text`,
      },
    ];
  });
}

/** Finds default input types that a target does not know, and models that need one and have none. */
export function checkInputTypes(file: unknown): Fault[] {
  return modelsOf(file).flatMap(({ id, model, targets }) => {
    if (model.type !== "embedding") return [];
    const traits = targets.map(({ name, provider }) => provider.embeddings?.(name));
    const words = commonInputTypes(traits);
    const { inputType } = model;
    const path = ["models", id, "inputType"];
    if (typeof inputType === "string" && !words.has(inputType)) {
      const known = words.size === 0 ? "remove it" : `use one of: ${[...words].join(", ")}`;
      return [{ path, message: `is not supported by all targets; ${known}` }];
    }
    const needs = targets.find((_target, index) => traits[index]?.requiresInputType === true);
    if (needs === undefined || inputType !== undefined) return [];
    return [
      {
        path: ["models", id],
        message: `needs inputType, because the provider ${needs.provider.name} creates different vectors for queries and documents; set inputType to what requests without input_type mean: ${[...words].join(", ")}`,
      },
    ];
  });
}

/** Finds image models without a profile whose targets have different default profiles. */
export function checkProfileNamed(file: unknown): Fault[] {
  return modelsOf(file).flatMap(({ id, model, targets }) => {
    if (model.type !== "image" || model.profile !== undefined) return [];
    const profiles = new Set(
      targets.flatMap(({ name, provider, settings }) =>
        provider.images === undefined ? [] : profileOf(provider.images(name, settings)).name,
      ),
    );
    if (profiles.size < 2) return [];
    // A provider's own profile has no name that a file could set.
    const named = [...profiles].filter((name) => Object.hasOwn(imageProfiles, name));
    const remedy = [...named, "an object with the options that all of them accept"].join(" or ");
    return [
      {
        path: ["models", id],
        message: `needs a profile, because its targets have different defaults; set profile to ${remedy}`,
      },
    ];
  });
}

/** Finds profiles that accept masks for a target whose provider takes none. */
export function checkMasks(file: unknown): Fault[] {
  return modelsOf(file).flatMap(({ id, model, targets }) => {
    if (model.type !== "image" || objectAt(model, "profile").mask !== true) return [];
    return targets
      .filter(
        ({ name, provider, settings }) =>
          provider.images !== undefined && provider.images(name, settings).mask === undefined,
      )
      .map(({ name, provider }) => ({
        path: ["models", id, "profile", "mask"],
        message: `the provider ${provider.name} takes no mask for the model ${name}; remove it`,
      }));
  });
}

/** Finds profiles that leave a model without any operation. */
export function checkOnlyEdits(file: unknown): Fault[] {
  return modelsOf(file).flatMap(({ id, model }) => {
    if (model.type !== "image") return [];
    const { edits, onlyEdits } = editsOf(model, file);
    return onlyEdits === true && !edits
      ? [{ path: ["models", id, "profile"], message: "with onlyEdits needs edits; the model can do nothing" }]
      : [];
  });
}

function modelsOf(file: unknown): RawModel[] {
  const models = objectAt(file, "models");
  const upstreams = objectAt(file, "upstreams");
  return Object.keys(models).map((id) => ({
    id,
    model: objectAt(models, id),
    targets: listAt(models[id], "targets").flatMap((target, index): RawTarget[] => {
      const keys = objectAt({ target }, "target");
      const settings = objectAt(upstreams, String(keys.upstream));
      const { provider: named } = settings;
      const provider = typeof named === "string" ? findProvider(named) : undefined;
      if (provider === undefined) return [];
      return [{ path: ["models", id, "targets", index], keys, name: String(keys.model), provider, settings }];
    }),
  }));
}
