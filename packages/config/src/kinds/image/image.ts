import { imageOperationsOf } from "@model-gateway/domain/image-profile";
import type { ImageModel } from "@model-gateway/domain/model";
import type { ModelKind } from "../kind.js";
import { checkImageModel, editsOf } from "./checks.js";
import { resolveImageModel } from "./resolve.js";
import { type ImageFile, imageSettings } from "./settings.js";

/** Models that create and edit images. */
export const image = {
  type: "image",
  trait: "images",
  mainOperation: "createImage",
  example: { prompt: "a red fox in the snow" },

  settings: imageSettings,
  check: checkImageModel,
  supports: (model, operation) => imageOperationsOf(editsOf(model)).some((one) => one === operation),
  resolve: resolveImageModel,

  operationsOf: ({ profile }) => imageOperationsOf(profile),

  withoutDetours: ({ fallback: _fallback, ...model }) => model,
  derive: () => ({}),
  readListed: ({ profile: { keepsCredentials } }, { profile }) =>
    profile === undefined ? {} : { profile: { ...profile, ...(keepsCredentials && { keepsCredentials }) } },
} satisfies ModelKind<ImageModel, ImageFile>;
