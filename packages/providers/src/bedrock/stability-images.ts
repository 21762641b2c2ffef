import { GatewayError } from "@model-gateway/domain/errors";
import type { ImageProfile } from "@model-gateway/domain/image-profile";
import { blockedImage, missingArea } from "../dialects/images/image-refusals.js";
import {
  exactMask,
  generateProfile,
  inpaintProfile,
  inputPixelsMax,
  inputSideMin,
  optionFields,
} from "../dialects/stable-image.js";
import { invalidReply } from "../http/replies/value-separator.js";
import { type ImageFamily, type ImageModelReply, readInputs } from "./image-family.js";

const outputFormats: ImageProfile["outputFormats"] = ["png", "jpeg"];

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-stability-diffusion.html */
export const stabilityGenerate: ImageFamily = {
  traits: { profile: { ...generateProfile, name: "bedrock-stability", outputFormats } },
  createBody: optionFields,
  check,
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/stable-image-services.html */
export const stabilityInpaint: ImageFamily = {
  traits: { profile: { ...inpaintProfile, name: "bedrock-stability-inpaint", outputFormats }, mask: "grey" },
  editBody: async (request) => {
    const { image, mask, hasAlpha } = await readInputs(request, {
      sideMin: inputSideMin,
      sideMax: inputPixelsMax / inputSideMin,
      pixelsMax: inputPixelsMax,
    });
    if (mask === undefined && !hasAlpha) throw missingArea();
    return { ...optionFields(request), image, mask, ...exactMask };
  },
  check,
};

/** A reason that is not null means that there is no image, or that it must not be shown. */
function check(
  { finish_reasons: reasons }: Readonly<Record<string, unknown>>,
  created: ImageModelReply,
): void {
  const reason: unknown = Array.isArray(reasons) ? (reasons[0] ?? null) : undefined;
  if (typeof reason === "string" && reason.startsWith("Filter reason")) throw blockedImage(created.call);
  if (reason === "Inference error")
    throw new GatewayError("upstream_error", "The upstream failed to create the image.");
  if (reason !== null || created.images.length !== 1) throw invalidReply("it has no finished image");
}
