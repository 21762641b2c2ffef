import type { ImageProfile } from "@model-gateway/domain/image-profile";
import { isObject } from "@model-gateway/runtime/json";
import { plainProfile } from "../dialects/images/image-profile.js";
import type { ImageArea } from "../dialects/images/image-refusals.js";
import type { EmbeddingTraits, ImageTraits } from "../traits.js";

/** Image models with the same profile. */
export interface ArkModels {
  readonly profile: ImageProfile;
  readonly area: ImageArea;
}

/** A call creates one image. */
const common: ImageProfile = {
  ...plainProfile,
  name: "seedream",
  parameters: ["size"],
  sizes: ["auto", "WIDTHxHEIGHT"],
  outputFormats: ["jpeg"],
  edits: true,
  maxImages: 14,
};
const area = (pixelsMin: number, pixelsMax: number): ImageArea => ({ pixelsMin, pixelsMax, ratioMax: 16 });
/** 1280x720 and 2560x1440. */
const smallest = 921_600;
const smallestOfLarge = 3_686_400;

const seedream4: ArkModels = {
  profile: { ...common, name: "seedream-4.0" },
  area: area(smallest, 16_777_216),
};
const seedream45: ArkModels = {
  profile: { ...common, name: "seedream-4.5" },
  area: area(smallestOfLarge, 16_777_216),
};
const withFormats: ImageProfile = {
  ...common,
  parameters: ["size", "output_format"],
  outputFormats: ["png", "jpeg"],
};
const seedream5: ArkModels = {
  profile: { ...withFormats, name: "seedream-5.0" },
  area: area(smallestOfLarge, 10_404_496),
};
const seedream5Pro: ArkModels = {
  profile: { ...withFormats, name: "seedream-5.0-pro", maxImages: 10 },
  area: area(smallest, 4_624_220),
};

/** Volcengine puts `doubao-` in front of the names, BytePlus does not. */
const kinds: readonly (readonly [RegExp, ArkModels])[] = [
  [/^(doubao-|dola-)?seedream-4-0-/, seedream4],
  [/^(doubao-|dola-)?seedream-4-5-/, seedream45],
  [/^(doubao-|dola-)?seedream-5-0-(pro|flash)-|^(doubao-|dola-)?seedream-5-5-/, seedream5Pro],
  [/^(doubao-|dola-)?seedream-5-0-(lite-)?\d/, seedream5],
];

/**
 * Undefined for a model that the gateway does not know how to call.
 *
 * @param settings Those of the upstream, which may name the model behind an endpoint. They may not be checked yet.
 */
export function kindOf(model: string, settings: unknown): ArkModels | undefined {
  const { endpoints } = isObject(settings) ? settings : {};
  const behind = isObject(endpoints) && Object.hasOwn(endpoints, model) ? endpoints[model] : model;
  return kinds.find(([pattern]) => pattern.test(String(behind)))?.[1];
}

/** An unknown model's traits do not matter: its requests are refused. */
export function imageTraitsOf(model: string, settings: unknown): ImageTraits {
  return { profile: (kindOf(model, settings) ?? seedream4).profile };
}

/** https://www.volcengine.com/docs/82379/1302003 */
export function embeddingTraitsOf(): EmbeddingTraits {
  return {
    maxInputs: 256,
    maxTokens: 4096,
    encodings: ["float", "base64"],
    dimensions: "emulate",
    tooLong: "refused",
    // Not documented.
    unitVectors: "not-always",
    takesUser: false,
  };
}
