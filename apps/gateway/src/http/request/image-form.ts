import { errorOf } from "@model-gateway/domain/errors";
import type { JsonSchema } from "../../execution/validation/json-schema.js";
import { type EditRequestForm, imageOf, refuseMisplacedFile } from "./edit-form.js";
import type { Form, FormShape } from "./read-form.js";

const part = "file";

/** The shape of a form with one image. Undefined for that of an edit. */
export function imageShapeOf({ properties = {} }: JsonSchema): FormShape | undefined {
  return Object.hasOwn(properties, part) ? { filesMax: 1, filesName: part } : undefined;
}

/** Turns the parts of a form with one image into the body that the spec describes, and the image. */
export function readImageForm({ files, fields }: Form, { properties = {} }: JsonSchema): EditRequestForm {
  for (const file of files) refuseMisplacedFile(file, { properties, isFile: (name) => name === part });
  if (Object.hasOwn(fields, part))
    throw errorOf("invalid_type", { param: part, expected: "a file", actual: "a string" });
  const [file] = files;
  if (file === undefined) return { body: { ...fields }, images: [] };
  return { body: { ...fields, [part]: "" }, images: [imageOf(file, part)] };
}
