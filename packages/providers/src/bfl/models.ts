import type { ImageProfile } from "@model-gateway/domain/image-profile";
import type { ModelFacts } from "@model-gateway/domain/model-facts";
import { ratiosBySize } from "../dialects/images/aspect-ratios.js";
import { plainProfile } from "../dialects/images/image-profile.js";
import { imageTraits } from "../dialects/images/image-traits.js";
import type { ImageTraits } from "../traits.js";

/** How a model is called: with sides, an aspect ratio, a ratio and a class of resolution, or an area to fill. */
export const variants = ["sides", "ratio", "class", "fill"] as const;
export type BflVariant = (typeof variants)[number];

const common: ImageProfile = {
  ...plainProfile,
  name: "bfl",
  parameters: ["size", "output_format", "seed", "moderation"],
  sizes: ["auto", "WIDTHxHEIGHT"],
  outputFormats: ["png", "jpeg"],
};

/** A size maps to its ratio and its class: the model chooses the exact sides. */
export const classesBySize: ReadonlyMap<
  string,
  { readonly aspect_ratio: string; readonly resolution: string }
> = new Map([
  ["768x768", { aspect_ratio: "1:1", resolution: "768sq" }],
  ...[...ratiosBySize].flatMap(([size, ratio]) => [
    [size, { aspect_ratio: ratio, resolution: "1k" }] as const,
    [timesOf(size, 1.5), { aspect_ratio: ratio, resolution: "1.5k" }] as const,
    [timesOf(size, 2), { aspect_ratio: ratio, resolution: "2k" }] as const,
    [timesOf(size, 4), { aspect_ratio: ratio, resolution: "4k" }] as const,
  ]),
]);

function timesOf(size: string, factor: number): string {
  return size
    .split("x")
    .map((side) => factor * Number(side))
    .join("x");
}

const profiles: Readonly<Record<BflVariant, ImageProfile>> = {
  sides: common,
  ratio: { ...common, sizes: ["auto", ...ratiosBySize.keys()] },
  // It has neither a format nor a seed.
  class: {
    ...common,
    parameters: ["size", "moderation"],
    sizes: ["auto", ...classesBySize.keys()],
    outputFormats: ["jpeg"],
  },
  // A filled image has the size of the input image.
  fill: {
    ...common,
    parameters: ["output_format", "seed", "moderation"],
    sizes: ["auto"],
    edits: true,
    onlyEdits: true,
    mask: true,
  },
};

export function isVariant(name: string | undefined): name is BflVariant {
  return variants.some((one) => one === name);
}

/** The traits of a model without a variant do not matter: it is unavailable. */
export function traitsOf(facts: ModelFacts | undefined): ImageTraits {
  const variant = isVariant(facts?.variant) ? facts.variant : "sides";
  const profile = profiles[variant];
  return imageTraits(facts, variant === "fill" ? { profile, mask: "white" } : { profile });
}
