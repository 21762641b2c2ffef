import { mediaKinds } from "@model-gateway/domain/media-input";
import { defaultSpace } from "@model-gateway/domain/model";
import type { SettingFault } from "@model-gateway/domain/settings";
import { isObject, listAt, objectAt } from "@model-gateway/runtime/json";
import type { RawModel, RawModels } from "../kind.js";
import { checkSingleInputs } from "./check-single-inputs.js";
import { inputImagesOf } from "./input-images.js";
import { commonInputTypes, inputTypesOf } from "./input-types.js";

export function checkEmbeddingModel(model: RawModel, models: RawModels): SettingFault[] {
  return [
    ...checkSpaces(model),
    ...checkDimensionsDeclared(model),
    ...checkTargetKeys(model),
    ...checkWidth(model),
    ...checkTokenizer(model),
    ...checkInputType(model),
    ...checkInputTypeField(model),
    ...checkInputImages(model),
    ...checkInputMedia(model),
    ...checkSingleInputs(model),
    ...checkShadow(model, models),
  ];
}

/**
 * Finds targets that return vectors of different spaces. A search over a mix of such vectors gives wrong results without
 * an error. An operator who knows that the spaces are the same gives the targets the same `space`.
 */
function checkSpaces({ id, keys }: RawModel): SettingFault[] {
  const width = typeof keys.dimensions === "number" ? keys.dimensions : undefined;
  const [first, ...others] = listAt(keys, "targets").map((target) => {
    const { space, model: name } = isObject(target) ? target : {};
    return typeof space === "string" ? space : defaultSpace(String(name), width);
  });
  return others.flatMap((space, index) =>
    space === first
      ? []
      : [
          {
            path: ["models", id, "targets", index + 1],
            message: `its vector space is "${space}", but the first target has "${first}"; vectors of different spaces cannot be compared. If both targets serve the same model, set the same space on both`,
          },
        ],
  );
}

/** Finds `matryoshka` or a cache, which both need the width, but no `dimensions`. */
function checkDimensionsDeclared({ id, keys: { dimensions, matryoshka, cache } }: RawModel): SettingFault[] {
  if (dimensions !== undefined) return [];
  const keys = [
    matryoshka === true ? "matryoshka" : [],
    cache === undefined || cache === false ? [] : "cache",
  ];
  return keys.flat().map((key) => ({
    path: ["models", id, key],
    message: "needs dimensions; set dimensions to the width of the model's vectors",
  }));
}

/** Finds keys of targets that the provider does not read. */
function checkTargetKeys({ targets }: RawModel): SettingFault[] {
  return targets.flatMap(({ path, keys, name, provider, facts, settings }) => {
    const { targetKeys = [], dimensions } = provider.embeddings?.({ name, facts, settings }) ?? {};
    const unread = (["dimensionsField", "encoding", "inputTypeField", "inputTypes"] as const)
      .filter((key) => keys[key] !== undefined && !targetKeys.includes(key))
      .map((key) => ({
        path: [...path, key],
        message: `is fixed for the provider ${provider.name}; remove it`,
      }));
    const isFixed = dimensions === "emulate" && !targetKeys.includes("dimensions");
    if (keys.dimensions !== "pass" || !isFixed) return unread;
    const message = `the provider ${provider.name} takes no width for this model; use emulate`;
    return [...unread, { path: [...path, "dimensions"], message }];
  });
}

/** Finds a width that the vectors are known not to have: every reply would be refused. */
function checkWidth({ id, keys: { dimensions }, targets: [target] }: RawModel): SettingFault[] {
  if (typeof dimensions !== "number" || target === undefined) return [];
  const { name, provider, facts, settings } = target;
  const { width, widths = [] } = provider.embeddings?.({ name, facts, settings }) ?? {};
  const path = ["models", id, "dimensions"];
  const widest = Math.max(...widths);
  if (width !== undefined && dimensions !== width)
    return [
      { path, message: `is ${dimensions}, but vectors of the model ${name} have ${width}; set ${width}` },
    ];
  return widths.length > 0 && dimensions > widest
    ? [{ path, message: `is ${dimensions}, but vectors of the model ${name} have at most ${widest}` }]
    : [];
}

/** Finds a vocabulary although a provider takes no token ids: the ids would reach it as they are. */
function checkTokenizer({ id, keys, targets }: RawModel): SettingFault[] {
  if (keys.tokenizer === undefined) return [];
  const unable = targets.find(
    ({ name, provider, facts, settings }) =>
      provider.embeddings?.({ name, facts, settings }).takesTokenIds !== true,
  );
  if (unable === undefined) return [];
  return [
    {
      path: ["models", id, "tokenizer"],
      message: `the provider ${unable.provider.name} takes no token ids; set clientTokenizer instead, and callers' ids are decoded to text`,
    },
  ];
}

/** Finds a default input type that a target does not know, and a missing one that the model needs. */
function checkInputType({ id, keys: { inputType }, targets }: RawModel): SettingFault[] {
  const traits = targets.map(({ name, provider, facts, settings }) =>
    provider.embeddings?.({ name, facts, settings }),
  );
  const words = commonInputTypes(targets.map(({ keys }, index) => inputTypesOf(keys, traits[index])));
  if (typeof inputType === "string" && !words.has(inputType)) {
    const known = words.size === 0 ? "remove it" : `use one of: ${[...words].join(", ")}`;
    return [{ path: ["models", id, "inputType"], message: `is not supported by all targets; ${known}` }];
  }
  const needs = targets.find((_target, index) => traits[index]?.requiresInputType === true);
  if (needs === undefined || inputType !== undefined) return [];
  return [
    {
      path: ["models", id, "inputType"],
      message: `is required, because the provider ${needs.provider.name} creates different vectors for queries and documents; set it to what requests without input_type mean: ${[...words].join(", ")}`,
    },
  ];
}

/** Finds another name for `input_type` although the parameter is never sent. */
function checkInputTypeField({ targets }: RawModel): SettingFault[] {
  return targets
    .filter(({ keys, name, provider, facts, settings }) => {
      const traits = provider.embeddings?.({ name, facts, settings });
      if (keys.inputTypeField === undefined || traits?.targetKeys?.includes("inputTypeField") !== true)
        return false;
      return !listAt(keys, "passThrough").includes("input_type") && inputTypesOf(keys, traits) === undefined;
    })
    .map(({ path }) => ({
      path: [...path, "inputTypeField"],
      message: "needs inputTypes; set the upstream's word for each value that callers may send",
    }));
}

/** Finds media at a provider that takes none of the kind, at a target without images, and PDFs in a chat message. */
function checkInputMedia({ targets }: RawModel): SettingFault[] {
  return targets.flatMap(({ path, keys, name, provider, facts, settings }) => {
    const traits = provider.embeddings?.({ name, facts, settings });
    const own = objectAt(keys, "inputMedia");
    const asked = mediaKinds.filter((kind) => own[kind] !== undefined && own[kind] !== false);
    const images = inputImagesOf(keys, traits);
    const at = [...path, "inputMedia"];
    if (asked.length > 0 && images === undefined)
      return [{ path: at, message: "needs inputImages: only targets that take images take other media" }];
    return asked.flatMap((kind): SettingFault[] => {
      if (kind === "file" && images?.form === "messages")
        return [{ path: [...at, kind], message: "is not a part of chat messages; remove it" }];
      if (traits?.targetKeys?.includes("inputMedia") || traits?.inputMedia?.[kind] !== undefined) return [];
      const message = `the provider ${provider.name} takes no ${kind} with this model; remove it`;
      return [{ path: [...at, kind], message }];
    });
  });
}

/** Finds images at a provider that takes none with this model, a form that is not read, and formats without a common one. */
function checkInputImages({ targets }: RawModel): SettingFault[] {
  const faults = targets.flatMap(({ path, keys, name, provider, facts, settings }) => {
    const { inputImages = false } = keys;
    const { targetKeys = [], inputImages: known } = provider.embeddings?.({ name, facts, settings }) ?? {};
    if (inputImages === false || targetKeys.includes("inputImages")) return [];
    const at = [...path, "inputImages"];
    if (known === undefined)
      return [
        { path: at, message: `the provider ${provider.name} takes no images with this model; remove it` },
      ];
    if (!isObject(inputImages) || inputImages.form === undefined) return [];
    return [{ path: [...at, "form"], message: `is fixed for the provider ${provider.name}; remove it` }];
  });
  return faults.length > 0 ? faults : checkImageTypes(targets);
}

/** An image is converted once, to a format that every target with images takes. */
function checkImageTypes(targets: RawModel["targets"]): SettingFault[] {
  const [first, ...others] = targets.flatMap(({ path, keys, name, provider, facts, settings }) => {
    const limits = inputImagesOf(keys, provider.embeddings?.({ name, facts, settings }));
    return limits === undefined ? [] : { path, types: limits.imageTypes };
  });
  return others
    .filter(({ types }) => first?.types.some((type) => types.includes(type)) === false)
    .map(({ path }) => ({
      path: [...path, "inputImages"],
      message: "has no image type in common with the first target that takes images",
    }));
}

/** Finds a shadow that is not another configured embedding model, or that has no cache to keep the vectors. */
function checkShadow({ id, keys }: RawModel, models: RawModels): SettingFault[] {
  const { model: shadow } = objectAt(keys, "shadow");
  if (typeof shadow !== "string") return [];
  const path = ["models", id, "shadow", "model"];
  const next = shadow.includes("*") ? undefined : models.get(shadow);
  if (next === undefined)
    return [{ path, message: `there is no model "${shadow}"; use the id of one under models` }];
  if (shadow === id) return [{ path, message: "is this model; name the one that callers will switch to" }];
  if (next.type !== undefined && next.type !== "embedding")
    return [{ path, message: `the model "${shadow}" creates no vectors` }];
  if (hasCache(next)) return [];
  return [
    {
      path,
      message: `the model "${shadow}" has no cache, and its vectors would be lost; set its cache and its dimensions`,
    },
  ];
}

/** As `resolveCache` decides it. */
function hasCache({ keys: { cache, dimensions }, targets }: RawModel): boolean {
  if (dimensions === undefined || cache === false) return false;
  return cache !== undefined || targets.every(({ provider }) => provider.defaults.cacheTtl !== undefined);
}
