import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { TooManyBlocksError } from "@model-gateway/domain/image-blocks";
import type { ImageMetadata } from "@model-gateway/domain/image-header";
import type { ImageInput } from "@model-gateway/domain/image-input";
import type { ImageProfile } from "@model-gateway/domain/image-profile";
import type { ImageEditRequest } from "@model-gateway/domain/requests";
import { inspectImage, pixelsMax } from "./delivery/inspect-image.js";

/** Checks the images of an edit before an upstream is called: a refusal costs nothing, and names the image at fault. */
export async function checkInputImages(request: ImageEditRequest, profile: ImageProfile): Promise<void> {
  if (request.images.length > profile.maxImages) {
    throw new GatewayError(
      "array_above_max_length",
      `Invalid 'image': this model takes at most ${profile.maxImages} images, but ${request.images.length} were sent.`,
      { param: "image" },
    );
  }
  for (const overlay of overlays) {
    if (request[overlay] === undefined || profile[overlay]) continue;
    throw errorOf("unsupported_parameter", { param: overlay });
  }
  if (request.mask !== undefined && request.markup !== undefined) {
    throw errorOf("invalid_value", { param: "markup", reason: "it cannot be combined with 'mask'" });
  }
  const nameOf = (index: number) => (request.images.length === 1 ? "image" : `image[${index}]`);
  const [first] = await Promise.all(request.images.map((image, index) => checkImage(image, nameOf(index))));
  for (const overlay of overlays) {
    const image = request[overlay];
    if (image !== undefined && first !== undefined) await checkOverlay(image, overlay, first);
  }
}

/** PNGs that must have the size of the first image, and their transparency rule. */
const overlays = ["mask", "markup"] as const;
const transparentArea = { mask: "the area to edit", markup: "everything but the drawings" };

async function checkOverlay(
  image: ImageInput,
  overlay: (typeof overlays)[number],
  first: ImageMetadata,
): Promise<void> {
  if (image.format !== "png") {
    throw new GatewayError(
      "unsupported_file_mimetype",
      `Invalid file '${overlay}': unsupported mimetype ('image/${image.format}'). A ${overlay} is an 'image/png' with an alpha channel.`,
      { param: overlay },
    );
  }
  const facts = await checkImage(image, overlay);
  if (!facts.hasAlpha)
    throw invalid(overlay, `it has no alpha channel; make ${transparentArea[overlay]} transparent`);
  if (facts.width !== first.width || facts.height !== first.height) {
    throw invalid(
      overlay,
      `its size is ${facts.width}x${facts.height}, but the first image has ${first.width}x${first.height}`,
    );
  }
}

/** Refuses an image by its header and its end: one that is not readable, or too large to decode. */
export async function checkImage(image: ImageInput, param: string): Promise<ImageMetadata> {
  const facts = await inspectImage(image).catch((cause: unknown) => {
    throw cause instanceof TooManyBlocksError ? invalid(param, cause.reason) : cause;
  });
  if (facts === undefined) throw invalid(param, "it is not a readable image, or it is truncated");
  const { width, height } = facts;
  // A decompression bomb is small to send and huge to decode, so the header decides.
  if (width * height > pixelsMax)
    throw invalid(param, `it has ${width}x${height} pixels; the maximum is ${pixelsMax} in all`);
  return facts;
}

function invalid(param: string, reason: string): GatewayError {
  return errorOf("invalid_image_file", { param, reason });
}
