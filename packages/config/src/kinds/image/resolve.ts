import type { ImageProfile } from "@model-gateway/domain/image-profile";
import { imageProfiles } from "@model-gateway/domain/image-profiles";
import type { ImageModel } from "@model-gateway/domain/model";
import type { ImageTraits } from "@model-gateway/providers/traits";
import { withoutUndefined } from "@model-gateway/runtime/json";
import { type ModelParts, mapTargets, type TargetParts } from "../kind.js";
import { customProfile } from "./custom-profile.js";
import type { ImageFile } from "./settings.js";

/** A configured model: its providers' declarations, overridden by the operator's values. */
export function resolveImageModel(file: ImageFile, parts: ModelParts<ImageFile>): ImageModel {
  const { base, targets } = parts;
  const profile = resolveProfile(file, targets.map(traitsOf));
  const { credentials = parts.credentials } = file;
  return {
    ...base,
    type: "image",
    profile: credentials === "keep" ? { ...profile, keepsCredentials: true } : profile,
    targets: mapTargets(targets, (parts) => ({
      ...parts.target,
      ...withoutUndefined({ mask: traitsOf(parts)?.mask }),
    })),
    ...withoutUndefined({ fallback: file.fallback }),
  };
}

function traitsOf({ model, provider }: TargetParts<ImageFile>): ImageTraits | undefined {
  return provider.images?.(model);
}

/**
 * `checkProfile` refuses targets with different default profiles. A mask is only accepted if every target takes one:
 * which of them serves a request is not known before.
 */
export function resolveProfile(
  { profile, targets }: Pick<ImageFile, "profile" | "targets">,
  [first, ...others]: readonly (ImageTraits | undefined)[],
): ImageProfile {
  const own = profileOf(first);
  const base = typeof profile === "string" ? imageProfiles[profile] : own;
  const changes = { ...passedExtensions(targets[0]), ...(typeof profile === "object" && profile) };
  const resolved = Object.keys(changes).length === 0 ? base : customProfile(changes, base);
  const takesMask = [first, ...others].every((traits) => traits?.mask !== undefined);
  return takesMask || !resolved.mask ? resolved : { ...resolved, mask: false };
}

/** Parameters beyond OpenAI's that the gateway knows, and that the upstream takes as they are. */
function passedExtensions(target: ImageFile["targets"][number] | undefined) {
  const passed = target?.passThrough ?? [];
  return {
    ...(passed.includes("seed") && { seed: true }),
    ...(passed.includes("negative_prompt") && { negativePrompt: true }),
  };
}

/** The profile that a provider declares for a model. */
export function profileOf(traits: ImageTraits | undefined): ImageProfile {
  const { profile = "gpt-image" } = traits ?? {};
  return typeof profile === "string" ? imageProfiles[profile] : profile;
}
