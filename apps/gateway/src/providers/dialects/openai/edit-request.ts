import { Readable } from "node:stream";
import type { ImageInput } from "../../../domain/image-input.js";
import type { ImageEditRequest } from "../../../domain/requests.js";
import { GatewayError } from "../../../errors.js";
import { base64Of } from "../../http/replies/image-json.js";
import type { OutgoingRequest } from "../../http/send.js";
import { encodeForm, type FormPart } from "../images/multipart.js";

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
    // What the gateway sets goes last: an extra never replaces it.
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
  const pieces: (string | ImageInput)[] = [
    JSON.stringify({ ...extras, model, ...options }).slice(0, -1),
    ',"images":[',
  ];
  for (const [index, image] of images.entries()) {
    const param = images.length === 1 ? "image" : `image[${index}]`;
    pieces.push(index === 0 ? "" : ",", ...reference(image, param));
  }
  pieces.push("]");
  if (mask !== undefined) pieces.push(',"mask":', ...reference(mask, "mask"));
  pieces.push("}");
  const bytes = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  return {
    path,
    headers: { "content-type": "application/json", "content-length": String(bytes) },
    body: () => Readable.from(write(pieces)),
  };
}

function reference(image: ImageInput, param: string): (string | ImageInput)[] {
  const prefix = `data:image/${image.format};base64,`;
  if (prefix.length + lengthOf(image) > dataUrlLengthMax)
    throw refused("moderation", `an edit with it takes no image as large as '${param}'`);
  return [`{"image_url":"${prefix}`, image, '"}'];
}

/** An image is written in base64: four bytes for three. */
function lengthOf(piece: string | ImageInput): number {
  return typeof piece === "string" ? Buffer.byteLength(piece) : 4 * Math.ceil(piece.bytes / 3);
}

async function* write(pieces: readonly (string | ImageInput)[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (typeof piece === "string") yield Buffer.from(piece);
    else yield* base64Of(piece);
  }
}

function refused(param: string, reason: string): GatewayError {
  return new GatewayError("invalid_value", `Invalid '${param}': ${reason}.`, { param });
}
