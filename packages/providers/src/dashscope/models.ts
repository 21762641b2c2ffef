import type { ImageProfile } from "@model-gateway/domain/image-profile";
import { plainProfile } from "../dialects/images/image-profile.js";
import type { ImageArea } from "../dialects/images/image-refusals.js";
import type { EmbeddingTraits, ImageTraits } from "../traits.js";

/** Image models with the same profile and fields. */
export interface DashscopeModels {
  readonly profile: ImageProfile;
  /** The call: a message whose reply has the images, or a task that is polled. */
  readonly call: "message" | "text-task" | "image-task";
  /** Absent: the profile's sizes are all that there is to check. */
  readonly area?: ImageArea;
  /** The area of an edit, if it is another. */
  readonly editArea?: ImageArea;
  /** Whether it rewrites prompts unless it is told not to. */
  readonly rewrites: boolean;
}

/** The largest seed of all image models, and the longest negative prompt. */
export const seedMax = 2_147_483_647;
export const negativePromptLengthMax = 500;

/** Longer prompts are cut by the service without a word, so that each profile has their length. */
const common: ImageProfile = {
  ...plainProfile,
  name: "dashscope",
  parameters: ["size", "n", "seed", "negative_prompt"],
  sizes: ["auto", "WIDTHxHEIGHT"],
  maxPromptLength: 800,
};
const edits = { edits: true, maxImages: 3 } as const;
const onlyEdits = { ...edits, onlyEdits: true } as const;
const area = (sideMin: number, sideMax: number, ratioMax: number): ImageArea => ({
  pixelsMin: sideMin ** 2,
  pixelsMax: sideMax ** 2,
  ratioMax,
});

const qwen: DashscopeModels = {
  profile: { ...common, ...edits, name: "qwen-image", maxN: 6 },
  call: "message",
  area: area(512, 2048, 8),
  rewrites: true,
};
/** It reads 4,500 tokens, which no text with as many characters exceeds. */
const qwen3: DashscopeModels = {
  ...qwen,
  profile: { ...qwen.profile, name: "qwen-image-3", maxPromptLength: 4500 },
};
const qwenManyImages: DashscopeModels = {
  ...qwen,
  profile: { ...qwen.profile, name: "qwen-image-2.1-pro", maxImages: 10 },
};
const qwenFixedSizes: DashscopeModels = {
  profile: {
    ...common,
    name: "qwen-image-1",
    sizes: ["auto", "1664x928", "1472x1104", "1328x1328", "1104x1472", "928x1664"],
  },
  call: "message",
  rewrites: true,
};
const qwenEdit: DashscopeModels = {
  profile: { ...common, ...onlyEdits, name: "qwen-image-edit", maxN: 6, sides: { min: 512, max: 2048 } },
  call: "message",
  rewrites: true,
};
/** It takes neither a size nor a number of images, and rewrites nothing. */
const qwenEditOne: DashscopeModels = {
  profile: {
    ...common,
    ...onlyEdits,
    name: "qwen-image-edit-1",
    parameters: ["seed", "negative_prompt"],
    sizes: ["auto"],
  },
  call: "message",
  rewrites: false,
};
const wan27: DashscopeModels = {
  profile: {
    ...common,
    name: "wan-2.7-image",
    parameters: ["size", "n", "seed"],
    maxN: 4,
    maxPromptLength: 5000,
    edits: true,
    maxImages: 9,
  },
  call: "message",
  area: area(768, 2048, 8),
  rewrites: false,
};
const wan27Pro: DashscopeModels = {
  ...wan27,
  profile: { ...wan27.profile, name: "wan-2.7-image-pro" },
  area: area(768, 4096, 8),
  editArea: area(768, 2048, 8),
};
const wan26: DashscopeModels = {
  profile: { ...common, name: "wan-2.6", maxN: 4, maxPromptLength: 2000 },
  call: "message",
  area: area(1280, 1440, 4),
  rewrites: true,
};
const wan26Edit: DashscopeModels = {
  profile: { ...wan26.profile, ...onlyEdits, name: "wan-2.6-image", maxImages: 4 },
  call: "message",
  area: area(768, 1280, 4),
  rewrites: true,
};
const wan25: DashscopeModels = {
  ...wan26,
  profile: { ...wan26.profile, name: "wan-2.5" },
  call: "text-task",
};
const wan25Edit: DashscopeModels = {
  ...wan26Edit,
  profile: { ...wan26Edit.profile, name: "wan-2.5-i2i", maxImages: 2 },
  call: "image-task",
};
const wan22: DashscopeModels = {
  profile: {
    ...common,
    name: "wan-2.2",
    sides: { min: 512, max: 1440 },
    maxN: 4,
    maxPromptLength: 500,
  },
  call: "text-task",
  rewrites: true,
};

/** A name may end with the day of a snapshot. */
const kinds: readonly (readonly [RegExp, DashscopeModels])[] = [
  [/^qwen-image-3\.\d(-pro)?(-\d{4}-\d\d-\d\d)?$/, qwen3],
  [/^qwen-image-2\.1-pro(-\d{4}-\d\d-\d\d)?$/, qwenManyImages],
  [/^qwen-image-2\.\d(-pro)?(-\d{4}-\d\d-\d\d)?$/, qwen],
  [/^qwen-image(-plus|-max)?(-\d{4}-\d\d-\d\d)?$/, qwenFixedSizes],
  [/^qwen-image-edit-(plus|max)(-\d{4}-\d\d-\d\d)?$/, qwenEdit],
  [/^qwen-image-edit$/, qwenEditOne],
  [/^wan2\.7-image-pro$/, wan27Pro],
  [/^wan2\.7-image$/, wan27],
  [/^wan2\.6-t2i$/, wan26],
  [/^wan2\.6-image$/, wan26Edit],
  [/^wan2\.5-t2i-preview$/, wan25],
  [/^wan2\.5-i2i-preview$/, wan25Edit],
  [/^wan2\.2-t2i-(flash|plus)$|^wanx2\.1-t2i-(turbo|plus)$/, wan22],
];

/** Undefined for a model that the gateway does not know how to call. */
export function kindOf(model: string): DashscopeModels | undefined {
  return kinds.find(([pattern]) => pattern.test(model))?.[1];
}

/** An unknown model's traits do not matter: it is unavailable. */
export function imageTraitsOf(model: string): ImageTraits {
  return { profile: (kindOf(model) ?? qwenFixedSizes).profile };
}

/** https://www.alibabacloud.com/help/en/model-studio/text-embedding-synchronous-api */
export function embeddingTraitsOf(model: string): EmbeddingTraits {
  const { widths, maxInputs, maxTokens } = embeddingLimits(model);
  return {
    maxInputs,
    maxTokens,
    encodings: ["float"],
    dimensions: widths === undefined ? "emulate" : "pass",
    ...(widths === undefined ? {} : { widths }),
    tooLong: "refused",
    // Not documented.
    unitVectors: "not-always",
    takesUser: false,
  };
}

interface EmbeddingLimits {
  readonly widths?: readonly number[];
  readonly maxInputs: number;
  readonly maxTokens: number;
}

function embeddingLimits(model: string): EmbeddingLimits {
  if (/^text-embedding-v[12]$/.test(model)) return { maxInputs: 25, maxTokens: 2048 };
  if (model === "text-embedding-v3") return { widths: [1024, 768, 512], maxInputs: 10, maxTokens: 8192 };
  if (model.startsWith("qwen3.7-text-embedding"))
    return { widths: [2560, 2048, 1536, 1024, 768, 512, 256], maxInputs: 20, maxTokens: 128_000 };
  return { widths: [2048, 1536, 1024, 768, 512, 256, 128, 64], maxInputs: 10, maxTokens: 8192 };
}
