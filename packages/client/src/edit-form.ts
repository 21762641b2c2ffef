import { nameFile, type PictureFile } from "./picture-file.js";
import type { components } from "./spec.js";

/** The form of an edit, with pictures in any shape that holds bytes. */
export interface EditForm extends Omit<SpecForm, "image" | "mask"> {
  /** The picture to edit, or several. */
  readonly image: PictureFile | readonly PictureFile[];
  /** A PNG with an alpha channel, the size of the first picture. Fully transparent = may change. */
  readonly mask?: PictureFile | null | undefined;
}

type SpecForm = components["schemas"]["CreateImageEditForm"];

/** Turns the pictures into files with a name and a type. */
export async function nameFiles(form: EditForm): Promise<SpecForm> {
  const { image, mask, ...fields } = form;
  const named = {
    ...fields,
    image: isList(image)
      ? await Promise.all(image.map((picture, index) => nameFile(picture, `image-${index + 1}`)))
      : await nameFile(image, "image"),
  };
  return mask ? { ...named, mask: await nameFile(mask, "mask") } : named;
}

/** Writes the form as OpenAI's own clients do: one picture as `image`, several as `image[]`, scalars as text. */
export function serializeForm(form: SpecForm): FormData {
  const { image, mask, ...fields } = form;
  const parts = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) parts.append(name, String(value));
  }
  const images = [image].flat();
  for (const file of images) parts.append(images.length === 1 ? "image" : "image[]", file);
  if (mask) parts.append("mask", mask);
  return parts;
}

function isList(image: EditForm["image"]): image is readonly PictureFile[] {
  return Array.isArray(image);
}
