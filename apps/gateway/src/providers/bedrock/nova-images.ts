import { randomInt } from "node:crypto";
import type { ImageProfile } from "../../domain/image-profile.js";
import { objectAt } from "../../domain/json.js";
import type { ImageRequest } from "../../domain/requests.js";
import { GatewayError } from "../../errors.js";
import { plainProfile } from "../dialects/images/image-profile.js";
import { blockedImage, missingMask, unsupportedSize } from "../dialects/images/image-refusals.js";
import { invalidReply } from "../http/replies/value-separator.js";
import { isModeration } from "./errors.js";
import { type ImageModelReply, type ImageFamily, readInputs } from "./image-family.js";

const imagesMax = 5;
const qualities: Readonly<Record<string, string>> = { standard: "standard", hd: "premium" };

const novaProfile: ImageProfile = {
  ...plainProfile,
  name: "bedrock-nova-canvas",
  parameters: ["size", "quality", "n", "seed", "negative_prompt"],
  sizes: ["auto", "WIDTHxHEIGHT"],
  sides: { min: 320, max: 4096 },
  qualities: ["auto", ...Object.keys(qualities)],
  maxN: imagesMax,
  maxPromptLength: 1024,
  edits: true,
  mask: true,
};

const titanSizes = [
  ...["1024x1024", "768x768", "512x512", "768x1152", "1152x768", "768x1280", "1280x768", "896x1152"],
  ...["1152x896", "768x1408", "1408x768", "640x1408", "1408x640", "1152x640", "384x576", "576x384"],
];

/** https://docs.aws.amazon.com/nova/latest/userguide/image-gen-access.html */
export const novaCanvas: ImageFamily = familyOf(novaProfile, {
  seedMax: 858_993_459,
  input: { sideMin: 320, sideMax: 4096, pixelsMax: 4_194_304 },
});

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-image.html */
export const titanImage: ImageFamily = familyOf(
  {
    ...novaProfile,
    name: "bedrock-titan-image",
    sizes: ["auto", ...titanSizes],
    maxPromptLength: 512,
  },
  { seedMax: 2_147_483_646, input: { sideMin: 64, sideMax: 1408, pixelsMax: 1408 * 1408 } },
);

interface Limits {
  readonly seedMax: number;
  readonly input: Parameters<typeof readInputs>[1];
}

/** Both have one dialect. A mask must have nothing between black and white. */
function familyOf(profile: ImageProfile, { seedMax, input }: Limits): ImageFamily {
  const { maxPromptLength } = profile;
  return {
    traits: { profile, mask: "black" },
    imagesMax,
    createBody: (request) => ({
      taskType: "TEXT_IMAGE",
      textToImageParams: textOf(request, maxPromptLength),
      imageGenerationConfig: { ...configOf(request, seedMax), ...sizeOf(request.size) },
    }),
    editBody: async (request) => {
      const { size } = request;
      if (size !== undefined)
        throw unsupportedSize(size, "An edited image has the size of the image itself.");
      if (request.mask === undefined) throw missingMask();
      const { image, mask } = await readInputs(request, input);
      return {
        taskType: "INPAINTING",
        inPaintingParams: { ...textOf(request, maxPromptLength), image, maskImage: mask },
        imageGenerationConfig: configOf(request, seedMax),
      };
    },
    check,
  };
}

function textOf({ prompt, negative_prompt: negativeText }: ImageRequest, lengthMax: number) {
  if (negativeText !== undefined && negativeText.length > lengthMax)
    throw new GatewayError(
      "string_above_max_length",
      `Invalid 'negative_prompt': this model takes at most ${lengthMax} characters.`,
      { param: "negative_prompt" },
    );
  return { text: prompt, negativeText };
}

function configOf({ n = 1, quality, seed }: ImageRequest, seedMax: number) {
  if (seed !== undefined && seed > seedMax)
    throw new GatewayError(
      "integer_above_max_value",
      `Invalid 'seed': this model takes at most ${seedMax}.`,
      {
        param: "seed",
      },
    );
  return {
    numberOfImages: n,
    quality: quality === undefined ? undefined : qualities[quality],
    // Its own default is a fixed number, so that each call would create the same image.
    seed: seed ?? randomInt(seedMax),
  };
}

const step = 16;
const pixelsMax = 4_194_304;

function sizeOf(size: string | undefined): { readonly width?: number; readonly height?: number } {
  if (size === undefined) return {};
  const [width = 0, height = 0] = size.split("x").map(Number);
  const isExact = width % step === 0 && height % step === 0;
  const isWithin = width * height <= pixelsMax && Math.max(width, height) <= 4 * Math.min(width, height);
  if (isExact && isWithin) return { width, height };
  throw unsupportedSize(
    size,
    `Width and height must be multiples of ${step}, with at most ${pixelsMax} pixels in all and a ratio of at most 4:1.`,
  );
}

/** Some of the images may be blocked: the reply then has the others, and an error. */
function check({ error }: Readonly<Record<string, unknown>>, { images, body, call }: ImageModelReply): void {
  if (typeof error === "string" && isModeration(error)) throw blockedImage(call);
  const { numberOfImages } = objectAt({ ...body }, "imageGenerationConfig");
  if (images.length !== numberOfImages) throw invalidReply("it has not as many images as were asked for");
}
