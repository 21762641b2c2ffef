import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import { type ImageInput, imageInMemory } from "@model-gateway/domain/image-input";
import type { MaskForm } from "@model-gateway/domain/image-profile";
import type { ImageTarget } from "@model-gateway/domain/model";
import type { ImageEditRequest } from "@model-gateway/domain/requests";
import type { GreyMaskForm } from "./delivery/image-decoder.js";

/** A request's mask in every form that its model's targets want. */
export type Masks = ReadonlyMap<MaskForm, ImageInput>;

/** Encodes a mask for the caller of one request (`ImageDecoder.encodeMask`). */
export type EncodeMask = (mask: ImageInput, form: GreyMaskForm) => Promise<Buffer>;

/**
 * Converts a mask for all targets that may serve a request, once for all calls and attempts. It happens before the first call: a mask
 * that cannot be read costs nothing.
 */
export async function convertMask(
  mask: ImageInput,
  targets: readonly ImageTarget[],
  encodeMask: EncodeMask,
): Promise<Masks> {
  const masks = new Map<MaskForm, ImageInput>([["alpha", mask]]);
  for (const { mask: form = "alpha" } of targets)
    if (form !== "alpha" && !masks.has(form)) masks.set(form, await encode(mask, form, encodeMask));
  return masks;
}

/** The request in a target's form. A mask in another form would edit the area that the caller wants to keep. */
export function withMaskFor<R extends object>(
  request: R,
  { mask: form }: ImageTarget,
  masks: Masks | undefined,
): R {
  if (!hasMask(request) || form === "alpha") return request;
  const mask = form && masks?.get(form);
  if (mask === undefined) throw takesNoMask();
  return { ...request, mask };
}

function takesNoMask(): GatewayError {
  return errorOf("unsupported_parameter", { param: "mask" });
}

function hasMask(request: object): request is Pick<Required<ImageEditRequest>, "mask"> {
  return "mask" in request && request.mask !== undefined;
}

async function encode(mask: ImageInput, form: GreyMaskForm, encodeMask: EncodeMask): Promise<ImageInput> {
  try {
    return imageInMemory(await encodeMask(mask, form), "png");
  } catch (cause) {
    throw errorOf("invalid_image_file", { param: "mask", reason: "it cannot be decoded" }, { cause });
  }
}
