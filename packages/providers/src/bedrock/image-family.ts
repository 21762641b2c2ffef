import { readImageHeader } from "@model-gateway/domain/image-input";
import type { ImageProfile } from "@model-gateway/domain/image-profile";
import type { ImageEditRequest, ImageRequest } from "@model-gateway/domain/requests";
import type { Call } from "../call.js";
import { invalidImage } from "../dialects/images/image-refusals.js";
import type { ImageTraits } from "../traits.js";

/** Models with the same body and reply. A reply has one image. */
export interface ImageFamily {
  readonly traits: ImageTraits & { readonly profile: ImageProfile };
  createBody?(request: ImageRequest): object;
  editBody?(request: ImageEditRequest): Promise<object>;
  /** Throws if the reply has no image that may be shown. */
  check(document: Readonly<Record<string, unknown>>, created: ImageModelReply): void;
}

export interface ImageModelReply {
  readonly images: readonly unknown[];
  readonly call: Pick<Call, "committed">;
}

/** The service takes 25 MB in one request. A signed body is held in memory, so it must not be larger than that. */
const requestBytesMax = 25_000_000;
/** For the prompts. */
const otherBytes = 128 * 1024;

interface InputBounds {
  readonly sideMin: number;
  readonly sideMax: number;
  readonly pixelsMax: number;
}

/**
 * Refuses, before sending, inputs that the service would refuse. Returns the image and its mask as base64.
 *
 * @returns `hasAlpha` says whether the image has an alpha channel.
 */
export async function readInputs(
  { images: [image], mask }: ImageEditRequest,
  { sideMin, sideMax, pixelsMax }: InputBounds,
): Promise<{ readonly image: string; readonly mask: string | undefined; readonly hasAlpha: boolean }> {
  const facts = await readImageHeader(image);
  if (facts === undefined) throw invalidImage("it is not a readable image");
  const { width, height, hasAlpha } = facts;
  if (image.format === "webp") throw invalidImage("this model takes png and jpeg");
  if (Math.min(width, height) < sideMin || Math.max(width, height) > sideMax || width * height > pixelsMax)
    throw invalidImage(
      `it has ${width}x${height} pixels; this model takes sides of ${sideMin} to ${sideMax}, and at most ${pixelsMax} pixels in all`,
    );
  if ((4 / 3) * (image.bytes + (mask?.bytes ?? 0)) + otherBytes > requestBytesMax)
    throw invalidImage("with its mask it is larger than the 25 MB, as base64, that the service takes");
  return {
    image: (await image.read()).toString("base64"),
    mask: (await mask?.read())?.toString("base64"),
    hasAlpha,
  };
}
