import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import type { ImageInput } from "@model-gateway/domain/image-input";
import { mediaTypes } from "@model-gateway/domain/image-profile";
import type { ImageEditRequest } from "@model-gateway/domain/requests";
import type { OutgoingRequest } from "../../http/send.js";
import {
  base64Length,
  dataUrls,
  encodeForm,
  encodeImageDocument,
  type FormPart,
} from "../images/image-body.js";

const path = "/images/edits";

/**
 * How an upstream takes the images of an edit: `brackets` is a form with several of them under `image[]`, as OpenAI has
 * it; `repeated` a form with several under `image`; `json` OpenAI's JSON form with data URLs.
 */
export const editForms = ["brackets", "repeated", "json"] as const;
export type EditForm = (typeof editForms)[number];

/**
 * An edit as a form, which most upstreams accept and which streams files as they are. Only the JSON form has
 * `moderation`, so an edit that needs it goes as JSON. https://platform.openai.com/docs/api-reference/images/createEdit
 */
export function editRequest(
  request: ImageEditRequest,
  model: string,
  form: EditForm = "brackets",
): OutgoingRequest {
  // `auto` is the default of the form.
  const needsJson = request.moderation !== undefined && request.moderation !== "auto";
  if (needsJson || form === "json") return editAsJson(request, model, needsJson ? "moderation" : undefined);
  const { moderation: _default, ...others } = request;
  const { headers, body } = encodeForm(editParts(others, model, form));
  return { path, headers, body };
}

/** OpenAI refuses a repeated `image`, and others refuse `image[]`. */
function editParts(request: ImageEditRequest, model: string, form: EditForm): FormPart[] {
  const { images, mask, markup, extras, ...options } = request;
  const name = images.length === 1 || form === "repeated" ? "image" : "image[]";
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

/**
 * The document is written while it is sent, so that no more than a part of one image is held in memory.
 *
 * @param cause The parameter that needs this form. Undefined: the upstream has no other.
 */
function editAsJson(
  request: ImageEditRequest,
  model: string,
  cause: "moderation" | undefined,
): OutgoingRequest {
  const { images, mask, markup, extras, ...options } = request;
  if (markup !== undefined)
    throw refused("markup", cause ? `it cannot be combined with '${cause}'` : "this model does not take it");
  const { headers, body } = encodeImageDocument((base64) => {
    const reference = (image: ImageInput, param: string) => {
      checkLength(image, param, cause);
      return { image_url: dataUrls(base64)(image) };
    };
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

function checkLength(image: ImageInput, param: string, cause: string | undefined): void {
  const prefix = `data:${mediaTypes[image.format]};base64,`;
  if (prefix.length + base64Length(image) <= dataUrlLengthMax) return;
  throw cause === undefined
    ? refused(param, "the image is larger than an upstream with JSON edits takes")
    : refused(cause, `an edit with it takes no image as large as '${param}'`);
}

function refused(param: string, reason: string): GatewayError {
  return errorOf("invalid_value", { param, reason });
}
