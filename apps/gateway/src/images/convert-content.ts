import {
  type ContentImage,
  type ContentInput,
  type ContentPart,
  filesOf,
  type InputImageLimits,
} from "@model-gateway/domain/content-input";
import { errorOf } from "@model-gateway/domain/errors";
import { imageInMemory } from "@model-gateway/domain/image-input";
import type { RasterFormat } from "@model-gateway/domain/image-profile";
import type { ImageDecoder, TranscodedImage } from "./delivery/image-decoder.js";

/** Converts the images of an input that a model does not take. Undefined if it takes all of them. */
export type ConvertContent = (
  input: ContentInput,
  limits: InputImageLimits,
  caller: string,
) => Promise<ContentInput> | undefined;

/** High enough that a model sees no difference. */
const jpegQuality = 95;

export function createContentConverter(decoder: Pick<ImageDecoder, "transcode">): ConvertContent {
  return (input, limits, caller) => {
    if (input.parts.every((part) => isTaken(part, limits))) return undefined;
    return convert(input, limits, (content, form) => decoder.transcode(content, form, caller));
  };
}

function isTaken(part: ContentPart, { imageTypes }: InputImageLimits): boolean {
  return part.type !== "image" || imageTypes.includes(part.image.format);
}

async function convert(
  input: ContentInput,
  limits: InputImageLimits,
  transcode: Transcode,
): Promise<ContentInput> {
  const convertPart = async (part: ContentPart): Promise<ContentPart> =>
    part.type !== "image" || isTaken(part, limits)
      ? part
      : { type: "image", image: await convertImage(part.image, limits, transcode) };
  const [first, ...others] = input.parts;
  const parts: [ContentPart, ...ContentPart[]] = [await convertPart(first)];
  for (const part of others) parts.push(await convertPart(part));
  const contentBytes = filesOf({ parts }).reduce((sum, { bytes }) => sum + bytes, 0);
  // The digest stays that of the caller's images: equal inputs are equal whatever they are converted to.
  return { ...input, parts, contentBytes };
}

/** For the caller of one request. */
type Transcode = (
  content: Buffer,
  form: { readonly format: RasterFormat; readonly compression: number },
) => Promise<TranscodedImage>;

/** PNG keeps every pixel. An image that becomes too large by it is sent as JPEG. */
async function convertImage(
  image: ContentImage,
  { imageTypes, maxImageBytes }: InputImageLimits,
  transcode: Transcode,
): Promise<ContentImage> {
  const content = await image.read();
  const formats = preferred.filter((format) => imageTypes.includes(format));
  for (const format of formats) {
    const transcoded = await transcode(content, { format, compression: jpegQuality }).catch(unreadable);
    if (transcoded.content.length > maxImageBytes) continue;
    const { width, height } = transcoded;
    return { ...imageInMemory(transcoded.content, format), width, height };
  }
  const reason = `it must be converted to ${formats.join(" or ")}, which is larger than ${maxImageBytes} bytes`;
  throw errorOf("invalid_image_file", { param: "input", reason });
}

const preferred: readonly RasterFormat[] = ["png", "jpeg", "webp"];

function unreadable(cause: unknown): never {
  const reason = "it must be converted for this model, and cannot be decoded";
  throw errorOf("invalid_image_file", { param: "input", reason }, { cause });
}
