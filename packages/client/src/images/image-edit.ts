import type { ImageEdit } from "../operations.js";
import type { components } from "../spec.js";
import { nameFiles, serializeForm } from "./image-files.js";

type SpecEdit =
  | components["schemas"]["CreateImageEditForm"]
  | components["schemas"]["CreateImageEditRequest"];

export async function prepareEdit(edit: ImageEdit): Promise<SpecEdit> {
  return "images" in edit ? edit : nameFiles(edit);
}

/** A form for files, JSON for data URLs and links. */
export function serializeEdit(edit: SpecEdit): FormData | string {
  return "images" in edit ? JSON.stringify(edit) : serializeForm(edit);
}
