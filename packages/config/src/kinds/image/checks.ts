import type { ImageProfile } from "@model-gateway/domain/image-profile";
import { imageProfiles } from "@model-gateway/domain/image-profiles";
import type { SettingFault } from "@model-gateway/domain/settings";
import { isObject, objectAt } from "@model-gateway/runtime/json";
import type { RawModel, RawModels } from "../kind.js";
import { profileOf } from "./resolve.js";

export function checkImageModel(model: RawModel, models: RawModels): SettingFault[] {
  return [
    ...checkProfile(model),
    ...checkMask(model),
    ...checkOnlyEdits(model),
    ...checkFallback(model, models),
  ];
}

/** Finds a model without a profile whose targets have different default profiles. */
function checkProfile({ id, keys, targets }: RawModel): SettingFault[] {
  if (keys.profile !== undefined) return [];
  const profiles = new Set(
    targets.flatMap(({ name, provider, facts, settings }) =>
      provider.images === undefined ? [] : profileOf(provider.images({ name, facts, settings })).name,
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
}

/** Finds a profile that accepts masks for a target whose provider takes none. */
function checkMask({ id, keys, targets }: RawModel): SettingFault[] {
  if (objectAt(keys, "profile").mask !== true) return [];
  return targets
    .filter(
      ({ name, provider, facts, settings }) =>
        provider.images !== undefined && provider.images({ name, facts, settings }).mask === undefined,
    )
    .map(({ name, provider }) => ({
      path: ["models", id, "profile", "mask"],
      message: `the provider ${provider.name} takes no mask for the model ${name}; remove it`,
    }));
}

/** Finds a profile that leaves the model without any operation. */
function checkOnlyEdits(model: RawModel): SettingFault[] {
  const { edits, onlyEdits } = editsOf(model);
  return onlyEdits === true && !edits
    ? [
        {
          path: ["models", model.id, "profile"],
          message: "with onlyEdits needs edits; the model can do nothing",
        },
      ]
    : [];
}

/** Finds a fallback that is not a configured image model, and one that leads back to this model. */
function checkFallback({ id, keys: { fallback } }: RawModel, models: RawModels): SettingFault[] {
  if (typeof fallback !== "string") return [];
  const path = ["models", id, "fallback"];
  const other = fallback.includes("*") ? undefined : models.get(fallback);
  if (other === undefined)
    return [{ path, message: `there is no model "${fallback}"; use the id of one under models` }];
  if (other.type !== undefined && other.type !== "image")
    return [{ path, message: `the model "${fallback}" creates no images` }];
  return leadsBack(id, models) ? [{ path, message: "leads back to this model; end the chain" }] : [];
}

function leadsBack(id: string, models: RawModels): boolean {
  const nextOf = (one: string): unknown => models.get(one)?.keys.fallback;
  const seen = new Set<unknown>();
  for (let next = nextOf(id); typeof next === "string" && !seen.has(next); next = nextOf(next)) {
    if (next === id) return true;
    seen.add(next);
  }
  return false;
}

/** Whether a model edits images, or does nothing else. */
export function editsOf({ keys: { profile }, targets }: RawModel): Pick<ImageProfile, "edits" | "onlyEdits"> {
  const changes = isObject(profile) ? profile : {};
  const name = typeof profile === "string" ? profile : changes.like;
  const base = name === undefined ? defaultProfile(targets) : profileNamed(String(name));
  const { edits = base?.edits, onlyEdits = base?.onlyEdits } = changes;
  return { edits: edits !== false, onlyEdits: onlyEdits === true };
}

/** The profile of the first target's provider. */
function defaultProfile([first]: RawModel["targets"]): ImageProfile | undefined {
  const traits = first?.provider.images?.(first);
  return traits && profileOf(traits);
}

function profileNamed(name: string): ImageProfile | undefined {
  const profiles: Readonly<Record<string, ImageProfile>> = imageProfiles;
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}
