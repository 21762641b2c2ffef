import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { ImageInput } from "@model-gateway/domain/image-input";
import { type EditImages, overlayNames } from "@model-gateway/domain/requests";
import { unknownParameter } from "../../execution/validation/fault-message.js";
import type { JsonSchema } from "../../execution/validation/json-schema.js";
import type { Form, FormFile } from "./read-form.js";
import { uploadedImage } from "./upload.js";

export interface EditRequestForm extends EditImages {
  /** For the validator: typed fields, and an empty string for each file. */
  readonly body: Record<string, unknown>;
}

export type FormProperties = Readonly<Record<string, JsonSchema>>;

/** Turns the parts of a form into the body that the spec describes, and its files into images. */
export function readEditForm(form: Form, schema: JsonSchema): EditRequestForm {
  const properties = schema.properties ?? {};
  for (const file of form.files) refuseMisplacedFile(file, { properties, isFile: isFileName });
  for (const [name, value] of Object.entries(form.fields)) refuseMisplacedText(name, value);

  const imageFiles = byIndex(form.files.filter(({ name }) => baseName(name) === "image"));
  const images = imageFiles.map((file, index) =>
    imageOf(file, imageFiles.length === 1 ? "image" : `image[${index}]`),
  );

  // Object.fromEntries treats a field named __proto__ like any other field.
  const fields = Object.entries(form.fields).map(([name, value]) => [
    name,
    typedValue(value, schemaOf(name, properties)),
  ]);
  const body: Record<string, unknown> = Object.fromEntries(fields);
  if (images.length > 0) body.image = images.length === 1 ? "" : images.map(() => "");
  const overlays: Partial<Record<Overlay, ImageInput>> = {};
  for (const name of overlayNames) {
    const [file, ...others] = form.files.filter((one) => one.name === name);
    if (others.length > 0) throw duplicateParameter(name);
    if (file === undefined) continue;
    body[name] = "";
    overlays[name] = imageOf(file, name);
  }
  return { body, images, ...overlays };
}

type Overlay = (typeof overlayNames)[number];

function isFileName(name: string): boolean {
  return name === "image" || overlayNames.some((overlay) => overlay === name);
}

function schemaOf(name: string, properties: FormProperties): JsonSchema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** `image`, `image[]` and `image[0]` are the same parameter. */
function baseName(name: string): string {
  return name.replace(/^image\[\d*\]$/, "image");
}

function byIndex(files: readonly FormFile[]): FormFile[] {
  const indexOf = ({ name }: FormFile) => Number(/\[(\d+)\]$/.exec(name)?.[1] ?? 0);
  return [...files].sort((left, right) => indexOf(left) - indexOf(right));
}

/** Reads the format of a file, and refuses one that is not an image. */
export function imageOf({ upload }: FormFile, param: string): ImageInput {
  const image = uploadedImage(upload);
  if (image !== undefined) return image;
  throw new GatewayError(
    "unsupported_file_mimetype",
    `Invalid file '${param}': it is not an image that can be read. Supported file formats are 'image/jpeg', 'image/png', and 'image/webp'.`,
    { param },
  );
}

interface FormParts {
  readonly properties: FormProperties;
  readonly isFile: (name: string) => boolean;
}

/** Refuses a file that is not a part of the form, or should be text. */
export function refuseMisplacedFile(file: FormFile, { properties, isFile }: FormParts): void {
  const name = baseName(file.name);
  if (isFile(name)) return;
  if (schemaOf(name, properties) === undefined) throw unknownParameter(name, Object.keys(properties));
  throw errorOf("invalid_type", { param: name, expected: "text", actual: "a file" });
}

function refuseMisplacedText(name: string, value: unknown): void {
  if (isFileName(name)) {
    const param = Array.isArray(value) ? `${name}[0]` : name;
    throw errorOf("invalid_type", { param, expected: "a file", actual: "a string" });
  }
  if (typeof value !== "string") throw duplicateParameter(name);
}

function duplicateParameter(param: string): GatewayError {
  return errorOf("duplicate_parameter", { param });
}

/** A form has only text. Text that cannot be converted stays as it is, and the validator names the expected type. */
export function typedValue(value: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof value !== "string" || schema === undefined) return value;
  const types = [schema.type].flat();
  // The OpenAI SDK refuses a null in a form, and advises sending this text.
  if (types.includes("null") && value === "null") return null;
  if (types.includes("integer") && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (types.includes("boolean") && /^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  return value;
}
