import { contentCredentialsSettings } from "@model-gateway/domain/content-credentials";
import { type ImageProfileName, imageProfiles } from "@model-gateway/domain/image-profiles";
import { name, positive, usd } from "@model-gateway/domain/settings";
import { z } from "zod";
import { modelSettings, priceDescription, targetSettings } from "../common-settings.js";

/** An image model, as an operator writes it. */

const profileNames = Object.keys(imageProfiles) as [ImageProfileName, ...ImageProfileName[]];

const customProfile = z.strictObject({
  like: z
    .enum(profileNames)
    .optional()
    .describe(
      "The profile whose values apply to every key that is absent here. Default: that of the provider.",
    ),
  sizes: z
    .array(name)
    .min(1)
    .optional()
    .describe("The accepted sizes. WIDTHxHEIGHT, written like this, accepts any size."),
  qualities: z.array(name).min(1).optional().describe("The accepted qualities."),
  backgrounds: z
    .array(z.enum(["auto", "transparent", "opaque"]))
    .min(1)
    .optional()
    .describe("The accepted backgrounds."),
  outputFormats: z
    .array(z.enum(["png", "jpeg", "webp", "gif", "svg"]))
    .min(1)
    .optional()
    .describe(
      "The formats that the upstream can create. The first is the default of callers. The gateway converts between png, jpeg and webp.",
    ),
  responseFormats: z
    .array(z.enum(["b64_json", "url"]))
    .min(1)
    .optional()
    .describe("The forms in which the upstream can return an image. The first is the default of callers."),
  maxN: positive.max(10).optional().describe("Maximum images that one call to the upstream can create."),
  maxPromptLength: positive.max(32_000).optional().describe("Maximum characters in a prompt."),
  edits: z.boolean().optional().describe("Whether the upstream can edit images."),
  onlyEdits: z
    .boolean()
    .optional()
    .describe("Whether it can do nothing else, so that generations are refused. It needs edits."),
  mask: z.boolean().optional().describe("Whether an edit may have a mask."),
  markup: z.boolean().optional().describe("Whether an edit may have markup."),
  maxImages: positive.max(16).optional().describe("Maximum input images of one edit."),
  streaming: z.boolean().optional().describe("Whether the upstream can stream."),
  seed: z.boolean().optional().describe("Whether the upstream takes a seed."),
  negativePrompt: z.boolean().optional().describe("Whether the upstream takes a negative_prompt."),
});

const price = z
  .strictObject({
    perImage: z
      .union([usd, z.record(name, z.union([usd, z.record(name, usd)]))])
      .optional()
      .describe(
        "The price of one image, in US dollars: one number, or a number for each size, or for each size and quality. A size is 1024x1024, or a resolution such as 2K. * matches every other size or quality.",
      ),
    perMegapixel: z
      .union([usd, z.strictObject({ first: usd, further: usd, input: usd.optional() })])
      .optional()
      .describe(
        "The price of one megapixel of an image, in US dollars: one number, or a number each for the first megapixel, each further one, and a megapixel of an input image. A megapixel is 1024 x 1024 pixels, and a part of one counts as a whole one.",
      ),
    perSecond: usd
      .optional()
      .describe(
        "The price of one second of the upstream's hardware, in US dollars, for upstreams that report the time.",
      ),
    perRequest: usd.optional().describe("The price of one call, in US dollars. It is added to the others."),
    perMillionInputTokens: z
      .union([
        usd,
        z.strictObject({
          text: usd,
          image: usd,
          cachedText: usd.optional(),
          cachedImage: usd.optional(),
        }),
      ])
      .optional()
      .describe(
        "The price of one million input tokens, in US dollars: one number, or a number each for text and image tokens, and for those that the upstream had in its cache.",
      ),
    perMillionOutputTokens: z
      .union([usd, z.strictObject({ text: usd, image: usd })])
      .optional()
      .describe(
        "The price of one million output tokens, in US dollars: one number, or a number each for text and image tokens.",
      ),
  })
  .refine(
    ({ perMillionInputTokens: input, perMillionOutputTokens: output, ...others }) =>
      (input === undefined) === (output === undefined) &&
      (input !== undefined || Object.values(others).some((one) => one !== undefined)),
    "needs perImage, perMegapixel, perSecond, perRequest, or both perMillionInputTokens and perMillionOutputTokens",
  );

const target = z.strictObject({
  ...targetSettings,
  price: price.optional().describe("The price at this target. Default: the model's price."),
});

export const imageSettings = z.strictObject({
  type: z.literal("image"),
  profile: z
    .union([z.enum(profileNames), customProfile])
    .optional()
    .describe(
      "The options that the upstream accepts and the form of its reply: the name of a profile, or a custom profile. Default: that of the provider.",
    ),
  fallback: name
    .optional()
    .describe(
      "The id of another image model. It serves a request that fits it when no target of this one can and nothing was created. The response names it in x-gateway-model.",
    ),
  credentials: z
    .enum(contentCredentialsSettings)
    .optional()
    .describe(
      "Content credentials (C2PA) of its images: keep refuses requests that would need a conversion, which removes them; convert serves them. Default: images.credentials.",
    ),
  ...modelSettings,
  price: price.optional().describe(priceDescription),
  targets: z.array(target).min(1).describe("The upstreams that serve the model."),
});

export type ImageFile = z.output<typeof imageSettings>;
