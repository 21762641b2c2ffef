import { defaultInputImageLimits, type InputImageLimits } from "@model-gateway/domain/content-input";
import type { EmbeddingTraits } from "@model-gateway/providers/traits";
import { withoutUndefined } from "@model-gateway/runtime/json";
import { inputImages } from "./settings.js";

/**
 * The images that a target takes: those of the operator, or else of its provider. Undefined: none.
 *
 * @param keys The target in the file. Of any shape: it may not be checked yet.
 */
export function inputImagesOf(
  { inputImages: own }: { readonly inputImages?: unknown },
  traits: EmbeddingTraits | undefined,
): InputImageLimits | undefined {
  const known = traits?.inputImages;
  if (own === false || (own === undefined && known === undefined)) return undefined;
  const limits = {
    ...defaultInputImageLimits,
    ...withoutUndefined(known ?? {}),
    ...withoutUndefined(inputImages.safeParse(own).data ?? {}),
  };
  // A conversation has one vector.
  return limits.form === "messages" ? { ...limits, maxInputs: 1 } : limits;
}

/** The images that every target takes which takes any. A request with images is sent to no other target. */
export function commonInputImages(
  targets: readonly { readonly inputImages?: InputImageLimits }[],
): InputImageLimits | undefined {
  const [first, ...others] = targets.flatMap(({ inputImages }) => inputImages ?? []);
  if (first === undefined) return undefined;
  return others.reduce(
    (common, other) => ({
      maxInputs: Math.min(common.maxInputs, other.maxInputs),
      maxImagesPerInput: Math.min(common.maxImagesPerInput, other.maxImagesPerInput),
      maxImagesPerRequest: Math.min(common.maxImagesPerRequest, other.maxImagesPerRequest),
      maxImageBytes: Math.min(common.maxImageBytes, other.maxImageBytes),
      maxImageBytesPerRequest: Math.min(common.maxImageBytesPerRequest, other.maxImageBytesPerRequest),
      imageTypes: common.imageTypes.filter((type) => other.imageTypes.includes(type)),
      mixesParts: common.mixesParts && other.mixesParts,
      form: common.form,
    }),
    first,
  );
}
