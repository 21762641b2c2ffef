import type { ImageProfile } from "@model-gateway/domain/image-profile";
import { ratiosBySize } from "../dialects/images/aspect-ratios.js";
import { plainProfile } from "../dialects/images/image-profile.js";
import type { ImageTraits } from "../traits.js";

/** The size fields of a request. */
export type SizeFields = "sides" | "ratio" | "none";

/** Models with the same profile and fields. */
export interface BflModels {
  readonly profile: ImageProfile;
  readonly size: SizeFields;
  /** The field of the first input image. Others have a number: `input_image_2`. Absent: it takes none. */
  readonly imageField?: "image" | "input_image";
  /** The most tolerant moderation, for `moderation: low`. Absent: the parameter is refused. */
  readonly leastModeration?: number;
}

const common: ImageProfile = {
  ...plainProfile,
  name: "bfl",
  parameters: ["size", "output_format", "seed", "moderation"],
  sizes: ["auto", "WIDTHxHEIGHT"],
  outputFormats: ["png", "jpeg"],
};
const byRatio = { sizes: ["auto", ...ratiosBySize.keys()] };

const flux1: BflModels = {
  profile: { ...common, name: "bfl-flux-1", sides: { min: 256, max: 1440 } },
  size: "sides",
  leastModeration: 6,
};
const ultra: BflModels = {
  profile: { ...common, ...byRatio, name: "bfl-ultra" },
  size: "ratio",
  leastModeration: 6,
};
const flux2: BflModels = {
  profile: { ...common, name: "bfl-flux-2", sides: { min: 256, max: 2048 }, edits: true, maxImages: 8 },
  size: "sides",
  imageField: "input_image",
  leastModeration: 5,
};
const kontext: BflModels = {
  profile: {
    ...common,
    ...byRatio,
    name: "bfl-kontext",
    // With an input image it takes no more tolerance than its default.
    parameters: ["size", "output_format", "seed"],
    edits: true,
    maxImages: 4,
  },
  size: "ratio",
  imageField: "input_image",
};
/** A filled image has the size of the input image. */
const fill: BflModels = {
  profile: {
    ...common,
    name: "bfl-fill",
    parameters: ["output_format", "seed", "moderation"],
    sizes: ["auto"],
    edits: true,
    onlyEdits: true,
    mask: true,
  },
  size: "none",
  imageField: "image",
  leastModeration: 6,
};

const kinds: readonly (readonly [RegExp, BflModels])[] = [
  [/^flux-(pro|dev|pro-1\.1)$/, flux1],
  [/^flux-pro-1\.1-ultra$/, ultra],
  [/^flux-2-(pro|max|flex|klein-\w+)$/, flux2],
  [/^flux-kontext-(pro|max)$/, kontext],
  [/^flux-pro-1\.0-fill$/, fill],
];

/** Undefined for a model that the gateway does not know how to call. */
export function kindOf(model: string): BflModels | undefined {
  return kinds.find(([pattern]) => pattern.test(model))?.[1];
}

/** An unknown model's traits do not matter: it is unavailable. */
export function traitsOf(model: string): ImageTraits {
  const { profile } = kindOf(model) ?? flux1;
  return profile.mask ? { profile, mask: "white" } : { profile };
}
