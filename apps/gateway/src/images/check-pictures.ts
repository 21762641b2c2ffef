import type { ImageProfile } from "../domain/image-profile.js";
import type { ImageEditRequest } from "../domain/requests.js";
import { GatewayError } from "../errors.js";

/** Refuses pictures that the model can not take, by name, before any is sent. */
export function checkPictures(request: ImageEditRequest, profile: ImageProfile): void {
  if (request.images.length > profile.maxImages) {
    throw new GatewayError(
      "array_above_max_length",
      `Invalid 'image': this model takes at most ${profile.maxImages}, but ${request.images.length} were sent.`,
      { param: "image" },
    );
  }
  if (request.mask === undefined) return;
  if (!profile.mask) {
    throw new GatewayError(
      "unsupported_parameter",
      "Unsupported parameter: 'mask' is not supported with this model.",
      {
        param: "mask",
      },
    );
  }
  if (request.mask.format !== "png") {
    throw new GatewayError(
      "unsupported_file_mimetype",
      `Invalid file 'mask': unsupported mimetype ('image/${request.mask.format}'). A mask is an 'image/png' with an alpha channel.`,
      { param: "mask" },
    );
  }
}
