import type { ImageProfile } from "@model-gateway/domain/image-profile";
import { plainProfile } from "../dialects/images/image-profile.js";
import type { ImageTraits } from "../traits.js";

/** Both directions of each size of the third generation, but for the square. */
const sizes3 = [
  ...["512x1536", "576x1408", "576x1472", "576x1536", "640x1344", "640x1408", "640x1472", "640x1536"],
  ...["704x1152", "704x1216", "704x1280", "704x1344", "704x1408", "704x1472", "736x1312", "768x1088"],
  ...["768x1216", "768x1280", "768x1344", "800x1280", "832x960", "832x1024", "832x1088", "832x1152"],
  ...["832x1216", "832x1248", "864x1152", "896x960", "896x1024", "896x1088", "896x1120", "896x1152"],
  ...["960x1024", "960x1088"],
];
const sizes4 = [
  ...["1440x2880", "1664x2496", "1792x2240", "1440x2560", "1600x2560", "1728x2304", "1296x3168"],
  ...["1152x2944", "1248x3328", "1280x3072"],
];

function bothDirections(square: string, upright: readonly string[]): string[] {
  return ["auto", square, ...upright.flatMap((size) => [size, size.split("x").reverse().join("x")])];
}

/** The largest seed of all models. */
export const seedMax = 2_147_483_647;

const version3: ImageProfile = {
  ...plainProfile,
  name: "ideogram-3",
  parameters: ["size", "quality", "n", "seed", "negative_prompt"],
  sizes: bothDirections("1024x1024", sizes3),
  qualities: ["auto", "low", "medium", "high"],
  maxN: 8,
  maxPromptLength: 10_000,
  edits: true,
  mask: true,
};
const version4: ImageProfile = {
  ...plainProfile,
  name: "ideogram-4",
  parameters: ["size", "quality"],
  sizes: bothDirections("2048x2048", sizes4),
  qualities: version3.qualities,
  maxPromptLength: 10_000,
};

type KnownTraits = ImageTraits & { readonly profile: ImageProfile };

const third: KnownTraits = { profile: version3, mask: "black" };
const fourth: KnownTraits = { profile: version4 };

/** Undefined for a model that there is not. */
export function traitsOf(model: string): KnownTraits | undefined {
  if (model === "ideogram-v3") return third;
  return model === "ideogram-v4" ? fourth : undefined;
}

/** An unknown model's traits do not matter: it is unavailable. */
export function imageTraitsOf(model: string): ImageTraits {
  return traitsOf(model) ?? third;
}
