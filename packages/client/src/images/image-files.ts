import type { components, operations, paths } from "../spec.js";

/** The form of an edit, with images in any type that holds bytes. */
export interface EditForm extends Omit<SpecForm, "image" | "mask" | "markup"> {
  /** The image to edit, or several. */
  readonly image: ImageFile | readonly ImageFile[];
  /** A PNG with an alpha channel, as large as the first image. Only fully transparent pixels may change. */
  readonly mask?: ImageFile | null | undefined;
  /** A PNG with an alpha channel, as large as the first image: drawings that guide the edit. Not with a mask. */
  readonly markup?: ImageFile | null | undefined;
}

type SpecForm = components["schemas"]["CreateImageEditForm"];

/** Turns the images into files with a name and a type. */
export async function nameFiles(form: EditForm): Promise<SpecForm> {
  const { image, mask, markup, ...fields } = form;
  const named = {
    ...fields,
    image: isList(image)
      ? await Promise.all(image.map((file, index) => nameFile(file, `image-${index + 1}`)))
      : await nameFile(image, "image"),
  };
  return {
    ...named,
    ...(mask && { mask: await nameFile(mask, "mask") }),
    ...(markup && { markup: await nameFile(markup, "markup") }),
  };
}

/** Writes the form as OpenAI's own clients do: one image as `image`, several as `image[]`, scalars as text. */
export function serializeForm(form: SpecForm): FormData {
  const { image, mask, markup, ...fields } = form;
  const parts = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) parts.append(name, String(value));
  }
  const images = [image].flat();
  for (const file of images) parts.append(images.length === 1 ? "image" : "image[]", file);
  if (mask) parts.append("mask", mask);
  if (markup) parts.append("markup", markup);
  return parts;
}

/** An image whose provenance is checked. */
export interface ProvenanceForm {
  /** A PNG, JPEG or WebP. */
  readonly file: ImageFile;
}

export function serializeFile({ file }: { readonly file: Blob }): FormData {
  const parts = new FormData();
  parts.append("file", file);
  return parts;
}

function isList(image: EditForm["image"]): image is readonly ImageFile[] {
  return Array.isArray(image);
}

/** An image to send. A `File` is a `Blob`, and a Node `Buffer` is a `Uint8Array`. */
export type ImageFile = Blob | Uint8Array | ArrayBuffer;

/** Adds the name and the type that a form part needs. A name or a type that is there is kept. */
export async function nameFile(image: ImageFile, name: string): Promise<File> {
  const blob = toBlob(image);
  const type = isTyped(blob) ? blob.type : await recognise(blob);
  const extension = extensions[type];
  const ownName = blob instanceof File ? blob.name : "";
  return new File([blob], ownName || (extension ? `${name}.${extension}` : name), { type });
}

function toBlob(image: ImageFile): Blob {
  if (image instanceof Blob) return image;
  // JavaScript lets a path or undefined through. Without this check it would be sent as an empty file.
  if (!(image instanceof Uint8Array || image instanceof ArrayBuffer)) {
    throw new TypeError("An image must be a File, a Blob, a Uint8Array or an ArrayBuffer.");
  }
  // A copy: the view may be of a SharedArrayBuffer, which a Blob does not accept.
  return new Blob([new Uint8Array(image)]);
}

const untyped = "application/octet-stream";

const extensions: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
};

function isTyped(blob: Blob): boolean {
  return blob.type !== "" && blob.type !== untyped;
}

/** Bytes of an unknown format stay untyped. The gateway refuses them and says why. */
async function recognise(blob: Blob): Promise<string> {
  const head = new Uint8Array(await blob.slice(0, 12).arrayBuffer());
  const holds = (text: string, at: number) =>
    [...text].every((letter, index) => head[at + index] === letter.charCodeAt(0));
  if (holds("\x89PNG\r\n\x1a\n", 0)) return "image/png";
  if (holds("\xff\xd8\xff", 0)) return "image/jpeg";
  if (holds("RIFF", 0) && holds("WEBP", 8)) return "image/webp";
  return untyped;
}

/** A link to an image: an image response's `url`, with or without its origin, or the parts of that URL. */
export type ImageLink = string | Readonly<LinkParts>;

type Parameters = operations["retrieveImageFile"]["parameters"];
type LinkParts = Parameters["path"] & Required<NonNullable<Parameters["query"]>>;

/** The URL of an image. A link without an origin belongs to the gateway. */
export function imageUrl(link: ImageLink, root: string): string {
  if (typeof link !== "string") {
    const { file, expires, signature } = link;
    return `${root}${path.replace("{file}", encodeURIComponent(file))}?${new URLSearchParams({ expires, signature })}`;
  }
  if (/^https?:\/\//i.test(link)) return link;
  if (link.startsWith("/")) return `${root}${link}`;
  throw new TypeError("An image link must be the `url` of an image response.");
}

const path = "/v1/images/files/{file}" satisfies keyof paths;
