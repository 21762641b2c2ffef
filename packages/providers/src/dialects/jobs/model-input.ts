import type { FieldMap } from "@model-gateway/domain/field-map";
import type { ImageInput } from "@model-gateway/domain/image-input";
import type { ImageEditRequest, ImageRequest } from "@model-gateway/domain/requests";
import { ratioOf } from "../images/aspect-ratios.js";
import { missingMask, noGenerations } from "../images/image-refusals.js";

/** The input of a hosted model for a request, with images as links that `link` makes. */
export function modelInput(
  request: ImageRequest | ImageEditRequest,
  fields: FieldMap,
  link: (image: ImageInput) => string,
): Record<string, unknown> {
  const { seed, negative_prompt, output_format: format, n } = request;
  return {
    ...fields.input,
    prompt: request.prompt,
    ...sizeFields(request.size, fields.size),
    ...valueAt(fields.n, fields.n === undefined ? undefined : (n ?? 1)),
    ...valueAt(fields.seed, seed),
    ...valueAt(fields.negativePrompt, negative_prompt),
    ...valueAt(fields.outputFormat, formatWord(format, fields)),
    ...("images" in request ? imageFields(request, fields, link) : {}),
  };
}

function valueAt(field: string | undefined, value: unknown): object {
  return field === undefined || value === undefined ? {} : { [field]: value };
}

/** The first format is sent as well: a model's default may differ. */
function formatWord(format: string | undefined, { outputFormats }: FieldMap): string | undefined {
  const words: Readonly<Record<string, string | undefined>> = outputFormats;
  return format === undefined ? Object.values(outputFormats)[0] : words[format];
}

function sizeFields(size: string | undefined, form: FieldMap["size"]): object {
  if (size === undefined || size === "auto" || form === undefined) return {};
  const [width, height] = size.split("x").map(Number);
  switch (form) {
    case "aspect_ratio":
      return { aspect_ratio: ratioOf(size) };
    case "width_height":
      return { width, height };
    case "image_size":
      return { image_size: { width, height } };
    case "size":
      return { size };
  }
}

function imageFields(
  { images, mask }: ImageEditRequest,
  { image, mask: maskField, maxImages }: FieldMap,
  link: (image: ImageInput) => string,
): object {
  const links = images.map(link);
  return {
    ...valueAt(image, maxImages === undefined ? links[0] : links),
    ...(mask === undefined ? {} : valueAt(maskField, link(mask))),
  };
}

/** Refuses a request that the model cannot serve, before anything is sent. */
export function checkRequest(request: ImageRequest | ImageEditRequest, { onlyEdits, mask }: FieldMap): void {
  if (!onlyEdits) return;
  if (!("images" in request)) throw noGenerations();
  if (mask !== undefined && request.mask === undefined) throw missingMask();
}

/** The fields that hosted models usually have, in the caller's words. */
export const callersNames = {
  aspect_ratio: "size",
  width: "size",
  height: "size",
  image_size: "size",
  num_outputs: "n",
  num_images: "n",
  input_image: "image",
  image_url: "image",
  image_urls: "image",
  mask_url: "mask",
};
