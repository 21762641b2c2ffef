import type { ImageProfile } from "@model-gateway/domain/image-profile";
import type { ImageRequest } from "@model-gateway/domain/requests";
import { plainProfile } from "./images/image-profile.js";
import { listedSize } from "./images/image-refusals.js";

/* The options of the Stable Image models, at Stability AI's own API and at others that host them. */

/** A size maps to its aspect ratio: the models choose the resolution themselves. */
const ratiosBySize: ReadonlyMap<string, string> = new Map([
  ["1024x1024", "1:1"],
  ["1536x1024", "3:2"],
  ["1024x1536", "2:3"],
  ["1280x1024", "5:4"],
  ["1024x1280", "4:5"],
  ["1920x1080", "16:9"],
  ["1080x1920", "9:16"],
  ["1344x576", "21:9"],
  ["576x1344", "9:21"],
]);

/** The models that create images. */
export const generateProfile: ImageProfile = {
  ...plainProfile,
  name: "stability-generate",
  parameters: ["size", "output_format", "seed", "negative_prompt"],
  sizes: ["auto", ...ratiosBySize.keys()],
  outputFormats: ["png", "jpeg", "webp"],
  maxPromptLength: 10_000,
};

/** The model that fills masks. An edited image keeps its size. */
export const inpaintProfile: ImageProfile = {
  ...generateProfile,
  name: "stability-inpaint",
  parameters: ["output_format", "seed", "negative_prompt"],
  sizes: ["auto"],
  edits: true,
  onlyEdits: true,
  mask: true,
};

/** The images that can be edited. */
export const inputSideMin = 64;
export const inputPixelsMax = 9_437_184;

/** By default the painted area grows by five pixels beyond the mask. */
export const exactMask = { grow_mask: 0 } as const;

/**
 * There, a seed of 0 means a random one, but a caller's 0 must create the same image each time: the largest seed
 * replaces it.
 */
const seedForZero = 4_294_967_294;

/** The options of a request, as the models call them. */
export function optionFields({ prompt, size, output_format, seed, negative_prompt }: ImageRequest) {
  return {
    prompt,
    negative_prompt,
    aspect_ratio: size === undefined || size === "auto" ? undefined : listedSize(size, ratiosBySize),
    seed: seed === 0 ? seedForZero : seed,
    output_format,
  };
}
