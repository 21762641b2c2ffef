import type { ImageInput } from "../../domain/image-input.js";
import type { ImageProfile } from "../../domain/image-profile.js";
import type { ImageEditRequest } from "../../domain/requests.js";
import { GatewayError } from "../../errors.js";
import { type ImageFacts, inspectImage, pixelsMax } from "../delivery/inspect-image.js";

/** Checks the images of an edit before any is sent: a refusal costs nothing, and names the image at fault. */
export async function preflight(request: ImageEditRequest, profile: ImageProfile): Promise<void> {
  if (request.images.length > profile.maxImages) {
    throw new GatewayError(
      "array_above_max_length",
      `Invalid 'image': this model takes at most ${profile.maxImages}, but ${request.images.length} were sent.`,
      { param: "image" },
    );
  }
  if (request.mask !== undefined && !profile.mask) {
    throw new GatewayError(
      "unsupported_parameter",
      "Unsupported parameter: 'mask' is not supported with this model.",
      {
        param: "mask",
      },
    );
  }
  const nameOf = (index: number) => (request.images.length === 1 ? "image" : `image[${index}]`);
  const [first] = await Promise.all(request.images.map((image, index) => factsOf(image, nameOf(index))));
  if (request.mask !== undefined && first !== undefined) await checkMask(request.mask, first);
}

async function checkMask(mask: ImageInput, first: ImageFacts): Promise<void> {
  if (mask.format !== "png") {
    throw new GatewayError(
      "unsupported_file_mimetype",
      `Invalid file 'mask': unsupported mimetype ('image/${mask.format}'). A mask is an 'image/png' with an alpha channel.`,
      { param: "mask" },
    );
  }
  const size = await factsOf(mask, "mask");
  if (!size.hasAlpha) throw invalid("mask", "it has no alpha channel; make the part to change transparent");
  if (size.width !== first.width || size.height !== first.height) {
    throw invalid(
      "mask",
      `it is ${size.width}x${size.height}, and the first image is ${first.width}x${first.height}`,
    );
  }
}

async function factsOf(image: ImageInput, param: string): Promise<ImageFacts> {
  const facts = await inspectImage(image);
  if (facts === undefined) throw invalid(param, "it cannot be read as an image, or breaks off");
  const { width, height } = facts;
  // Small to send and huge to decode: refused by its header.
  if (width * height > pixelsMax)
    throw invalid(param, `it has ${width}x${height} pixels, which is more than ${pixelsMax}`);
  return facts;
}

function invalid(param: string, reason: string): GatewayError {
  return new GatewayError("invalid_image_file", `Invalid image file '${param}': ${reason}.`, { param });
}
