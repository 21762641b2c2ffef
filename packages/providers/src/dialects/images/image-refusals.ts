import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { ImageArea } from "@model-gateway/domain/model-facts";
import type { Call } from "../../call.js";

/* Refusals of images in the caller's words. But for the last, they are thrown before anything is sent. */

/** @param possible A sentence with the sizes that there are. */
export function unsupportedSize(size: string, possible: string): GatewayError {
  return errorOf("unsupported_value", { param: "size", value: size }, { hint: possible });
}

/** Maps a size. An operator's profile may list others: they are refused, with the allowed ones. */
export function listedSize<T>(size: string, sizes: ReadonlyMap<string, T>): T {
  const meaning = sizes.get(size);
  if (meaning !== undefined) return meaning;
  throw unsupportedSize(size, `Supported values are: ${[...sizes.keys()].join(", ")}.`);
}

/** Width and height of a size such as `1024x768`, whose sides must be multiples of a step. */
export function exactSides(size: string, step: number): { readonly width: number; readonly height: number } {
  const [width = 0, height = 0] = size.split("x").map(Number);
  if (width % step === 0 && height % step === 0) return { width, height };
  throw unsupportedSize(size, `Width and height must be multiples of ${step}.`);
}

/** Refuses a size outside of an area, where not each side is bounded but the whole image. */
export function checkArea(
  size: string,
  { pixels_min: pixelsMin, pixels_max: pixelsMax, ratio_max: ratioMax }: ImageArea,
): void {
  const [width = 0, height = 0] = size.split("x").map(Number);
  const pixels = width * height;
  const ratio = Math.max(width, height) / Math.min(width, height);
  if (pixels >= pixelsMin && pixels <= pixelsMax && ratio <= ratioMax) return;
  throw unsupportedSize(
    size,
    `The image must have between ${pixelsMin} and ${pixelsMax} pixels, and sides of at most ${ratioMax} to 1.`,
  );
}

/** Refuses a seed that callers may send, but that a model does not have. */
export function checkSeed(seed: number | undefined, max: number): void {
  if (seed === undefined || seed <= max) return;
  throw errorOf(
    "unsupported_value",
    { param: "seed", value: String(seed) },
    { hint: `The largest seed of this model is ${max}.` },
  );
}

/** Refuses a text that a service would cut without a word. The profile has the limit of the prompt itself. */
export function checkNegativePrompt(text: string | undefined, lengthMax: number): void {
  if (text === undefined || text.length <= lengthMax) return;
  throw new GatewayError(
    "string_above_max_length",
    `Invalid 'negative_prompt': it has ${text.length} characters; this model takes at most ${lengthMax}.`,
    { param: "negative_prompt" },
  );
}

/** @param reason The end of a sentence about the image. */
export function invalidImage(reason: string): GatewayError {
  return errorOf("invalid_image_file", { param: "image", reason });
}

/** For a model that edits the area of a mask alone. */
export function missingMask(): GatewayError {
  return maskRequired("This model edits the area of a mask.");
}

/** For a model that also edits an image's transparent pixels. */
export function missingArea(): GatewayError {
  return maskRequired("This model edits the area of a mask, or the transparent pixels of the image.");
}

function maskRequired(area: string): GatewayError {
  return errorOf("missing_required_parameter", { param: "mask" }, { hint: area });
}

/** For models behind a pattern: they have the pattern's profile, which may promise more. */
export function noGenerations(): GatewayError {
  return unsupportedOperation("This model only edits images. Send the image to /v1/images/edits.");
}

/** The same for a model without edits. */
export function noEdits(): GatewayError {
  return unsupportedOperation("This model does not edit images.");
}

export function unsupportedOperation(message: string): GatewayError {
  return new GatewayError("unsupported_operation", message, { param: "model" });
}

/** For an image that was blocked after it was made: it may be billed. */
export function blockedImage(call: Pick<Call, "committed">): GatewayError {
  call.committed();
  return errorOf("moderation_blocked", { subject: "image" });
}
