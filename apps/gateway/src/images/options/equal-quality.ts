import type { ImageProfile } from "@model-gateway/domain/image-profile";
import type { ImageRequest } from "@model-gateway/domain/requests";

/**
 * The quality in the words of a model. `standard` is DALL·E's word for the quality between the others, and its clients
 * send it by default: it is `medium`, or `auto` where a model has no choice of quality.
 */
export function equalQuality(
  quality: ImageRequest["quality"],
  { qualities }: Pick<ImageProfile, "qualities">,
): ImageRequest["quality"] {
  if (quality !== "standard" || qualities.includes("standard")) return quality;
  if (qualities.includes("medium")) return "medium";
  return qualities.every((one) => one === "auto") ? "auto" : quality;
}
