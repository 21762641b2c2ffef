import type { ImageProfile } from "../../domain/image-profile.js";
import { imageProfiles } from "../../domain/image-profiles.js";
import type { EmbeddingModel, EmbeddingTarget, Target } from "../../domain/model.js";
import { customProfile } from "../../images/options/custom-profile.js";
import type { EmbeddingTraits, ImageTraits } from "../../providers/traits.js";
import type { ConfigFile } from "../schema/schema.js";

/* What providers declare of their models, and the operator's own values, as the rest of the gateway reads them. */

type ModelFile = ConfigFile["models"][string];
type EmbeddingModelFile = Extract<ModelFile, { type: "embedding" }>;
type ImageModelFile = Extract<ModelFile, { type: "image" }>;

const defaultTokensPerRequest = 300_000;

/** @param traits Absent only where `checkOperations` refuses the model. */
export function resolveEmbeddingTarget(
  target: EmbeddingModelFile["targets"][number],
  model: EmbeddingModelFile,
  traits: EmbeddingTraits | undefined,
): Omit<EmbeddingTarget, keyof Target> {
  const { dimensionsField, encoding = onlyEncoding(traits) } = target;
  const { widths } = traits ?? {};
  const inputTypes = passesInputType(target) ? "as-is" : traits?.inputTypes;
  return {
    maxInputs: target.maxInputs ?? Math.min(traits?.maxInputs ?? model.maxInputs, model.maxInputs),
    ...(target.bulkMaxInputs === undefined ? {} : { bulkMaxInputs: target.bulkMaxInputs }),
    maxTokensPerRequest: target.maxTokensPerRequest ?? traits?.maxTokensPerRequest ?? defaultTokensPerRequest,
    maxCharactersPerRequest:
      target.maxCharactersPerRequest ?? traits?.maxCharactersPerRequest ?? Number.POSITIVE_INFINITY,
    dimensions: target.dimensions ?? traits?.dimensions ?? "pass",
    takesUser: traits?.takesUser ?? false,
    normalizes: model.normalize ?? traits?.unitVectors === "not-always",
    ...(dimensionsField === undefined ? {} : { dimensionsField }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(widths === undefined ? {} : { widths }),
    ...(inputTypes === undefined ? {} : { inputTypes }),
  };
}

/** What all targets of a model have in common: the smallest limit, and the words that every one knows. */
export function resolveEmbeddingTraits(
  model: EmbeddingModelFile,
  traits: readonly (EmbeddingTraits | undefined)[],
): Pick<EmbeddingModel, "maxTokens" | "inputTypes" | "inputType" | "unitVectors"> {
  const limits = traits.flatMap((one) => one?.maxTokens ?? []);
  const maxTokens = model.maxTokens ?? (limits.length === 0 ? undefined : Math.min(...limits));
  const common = commonInputTypes(traits);
  // `checkPassThrough` refuses targets that differ.
  const inputTypes = model.targets.some(passesInputType) ? "any" : common.size === 0 ? undefined : common;
  return {
    unitVectors: traits.every((one) => hasUnitVectors(one, model.normalize)),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(inputTypes === undefined ? {} : { inputTypes }),
    ...(model.inputType === undefined ? {} : { inputType: model.inputType }),
  };
}

function hasUnitVectors(traits: EmbeddingTraits | undefined, normalize: boolean | undefined): boolean {
  if (traits?.unitVectors === "always") return true;
  return normalize ?? traits?.unitVectors === "not-always";
}

/** Any target may serve a request, so all must know its word. */
export function commonInputTypes(traits: readonly (EmbeddingTraits | undefined)[]): ReadonlySet<string> {
  const [first, ...others] = traits.map((one) => one?.inputTypes);
  const words = [...(first?.keys() ?? [])];
  return new Set(words.filter((word) => others.every((other) => other?.has(word) === true)));
}

function passesInputType({ passThrough }: EmbeddingModelFile["targets"][number]): boolean {
  return passThrough?.includes("input_type") === true;
}

/** A provider that only returns numbers is not asked for an encoding. */
function onlyEncoding(traits: EmbeddingTraits | undefined): EmbeddingTarget["encoding"] {
  return traits?.encodings.includes("base64") === false ? "none" : undefined;
}

/**
 * `checkProfileNamed` refuses targets with different default profiles. A mask is only accepted if every target takes one:
 * which of them serves a request is not known before.
 */
export function resolveProfile(
  { profile, targets }: Pick<ImageModelFile, "profile" | "targets">,
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
function passedExtensions(target: ImageModelFile["targets"][number] | undefined) {
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
