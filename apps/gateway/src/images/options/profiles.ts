import type { ImageEnvelope, ImageFormat, ImageParameter, ImageProfile } from "../../domain/image-profile.js";

const gptImageParameters: readonly ImageParameter[] = [
  "size",
  "quality",
  "background",
  "n",
  "moderation",
  "output_compression",
  "output_format",
  "input_fidelity",
  "stream",
  "partial_images",
];

/** The profiles that the configuration can name. */
export const imageProfiles = {
  "gpt-image": {
    name: "gpt-image",
    parameters: gptImageParameters,
    sizes: ["auto", "1024x1024", "1536x1024", "1024x1536", "WIDTHxHEIGHT"],
    qualities: ["auto", "low", "medium", "high", "xhigh", "max"],
    autoIsAbsent: false,
    backgrounds: ["auto", "transparent", "opaque"],
    outputFormats: ["png", "jpeg", "webp"],
    responseFormats: ["b64_json"],
    maxN: 10,
    maxPromptLength: 32_000,
    edits: true,
    mask: true,
    maxImages: 16,
    streaming: true,
  },
  "dall-e": {
    name: "dall-e",
    parameters: ["size", "quality", "n", "response_format", "style"],
    sizes: ["auto", "256x256", "512x512", "1024x1024", "1792x1024", "1024x1792"],
    qualities: ["auto", "standard", "hd"],
    autoIsAbsent: true,
    backgrounds: ["auto", "opaque"],
    outputFormats: ["png"],
    responseFormats: ["url", "b64_json"],
    maxN: 10,
    maxPromptLength: 4000,
    edits: true,
    mask: true,
    maxImages: 1,
    streaming: false,
  },
  sketch: {
    name: "sketch",
    parameters: [
      "size",
      "quality",
      "background",
      "n",
      "output_compression",
      "output_format",
      "stream",
      "partial_images",
    ],
    sizes: ["auto", "WIDTHxHEIGHT"],
    sides: { min: 16, max: 4096 },
    qualities: ["auto", "low", "medium", "high"],
    autoIsAbsent: false,
    backgrounds: ["auto", "transparent", "opaque"],
    outputFormats: ["png", "jpeg", "webp"],
    responseFormats: ["b64_json"],
    maxN: 10,
    maxPromptLength: 32_000,
    edits: true,
    mask: true,
    maxImages: 16,
    streaming: true,
  },
} as const satisfies Record<string, ImageProfile>;

export type ImageProfileName = keyof typeof imageProfiles;

/** How an upstream differs from one of the profiles above, as an operator configures it. */
export interface ProfileChanges {
  readonly like: ImageProfileName;
  readonly sizes?: readonly string[] | undefined;
  readonly qualities?: readonly string[] | undefined;
  readonly backgrounds?: readonly string[] | undefined;
  readonly outputFormats?: readonly ImageFormat[] | undefined;
  readonly responseFormats?: readonly ImageEnvelope[] | undefined;
  readonly maxN?: number | undefined;
  readonly maxPromptLength?: number | undefined;
  readonly edits?: boolean | undefined;
  readonly mask?: boolean | undefined;
  readonly maxImages?: number | undefined;
  readonly streaming?: boolean | undefined;
}

/** A profile with an operator's changes. It sends no parameter that is left with a single possible value. */
export function customProfile({ like, ...changes }: ProfileChanges): ImageProfile {
  const changed = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const base: ImageProfile = imageProfiles[like];
  const profile: ImageProfile = { ...base, ...changed, name: `like ${like}` };
  const hasOneValue: Partial<Record<ImageParameter, boolean>> = {
    size: profile.sizes.length < 2,
    quality: profile.qualities.length < 2,
    background: profile.backgrounds.length < 2,
    output_format: profile.outputFormats.length < 2,
    output_compression: profile.outputFormats.length < 2,
    response_format: profile.responseFormats.length < 2,
    n: profile.maxN < 2,
    stream: !profile.streaming,
    partial_images: !profile.streaming,
  };
  return {
    ...profile,
    parameters: profile.parameters.filter((parameter) => hasOneValue[parameter] !== true),
  };
}
