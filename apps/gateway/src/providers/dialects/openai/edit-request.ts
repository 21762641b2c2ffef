import type { ImageInput } from "../../../domain/image-input.js";
import type { ImageEditRequest } from "../../../domain/requests.js";
import { errorOf, type GatewayError } from "../../../errors.js";
import type { OutgoingRequest } from "../../http/send.js";
import {
  base64Length,
  encodeForm,
  encodeImageDocument,
  type FormPart,
  type PlaceImage,
} from "../images/image-body.js";

const path = "/images/edits";

/**
 * An edit as a form, which every upstream accepts and which streams files as they are. Only the JSON form has
 * `moderation`, so an edit that needs it goes as JSON. https://platform.openai.com/docs/api-reference/images/createEdit
 */
export function editRequest(request: ImageEditRequest, model: string): OutgoingRequest {
  // `auto` is the default of the form.
  if (request.moderation !== undefined && request.moderation !== "auto") return editAsJson(request, model);
  const { moderation: _default, ...others } = request;
  const { headers, body } = encodeForm(editParts(others, model));
  return { path, headers, body };
}

/** OpenAI refuses a repeated `image`, so several images go under `image[]`. */
function editParts(request: ImageEditRequest, model: string): FormPart[] {
  const { images, mask, markup, extras, ...options } = request;
  const name = images.length === 1 ? "image" : "image[]";
  return [
    { name: "model", text: model },
    // The gateway's fields go last: an extra never replaces them.
    ...Object.entries({ ...extras, ...options })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => ({ name: key, text: textOf(value) })),
    ...images.map((image) => ({ name, image })),
    ...(mask === undefined ? [] : [{ name: "mask", image: mask }]),
    ...(markup === undefined ? [] : [{ name: "markup", image: markup }]),
  ];
}

/** A form has only text. */
function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The longest data URL that the JSON form takes. */
const dataUrlLengthMax = 20_971_520;

/** The document is written while it is sent, so that no more than a part of one image is held in memory. */
function editAsJson(request: ImageEditRequest, model: string): OutgoingRequest {
  const { images, mask, markup, extras, ...options } = request;
  if (markup !== undefined) throw refused("markup", "it cannot be combined with 'moderation'");
  const { headers, body } = encodeImageDocument((base64) => {
    const reference = (image: ImageInput, param: string) => ({ image_url: linkTo(image, param, base64) });
    return {
      ...extras,
      model,
      ...options,
      images: images.map((image, index) =>
        reference(image, images.length === 1 ? "image" : `image[${index}]`),
      ),
      mask: mask === undefined ? undefined : reference(mask, "mask"),
    };
  });
  return { path, headers, body };
}

function linkTo(image: ImageInput, param: string, base64: PlaceImage): string {
  const prefix = `data:image/${image.format};base64,`;
  if (prefix.length + base64Length(image) > dataUrlLengthMax)
    throw refused("moderation", `an edit with it takes no image as large as '${param}'`);
  return `${prefix}${base64(image)}`;
}

function refused(param: string, reason: string): GatewayError {
  return errorOf("invalid_value", { param, reason });
}
