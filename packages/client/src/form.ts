import type { components } from "./spec.js";

/** A file to send. A `File` is a `Blob`, and a Node `Buffer` is a `Uint8Array`. */
export type FileContent = Blob | Uint8Array | ArrayBuffer;

/** A body of the spec. Each file of a form may be any type that holds bytes. */
export type FormFiles<Body> =
  Extract<Body[keyof Body], Blob> extends never
    ? Body
    : {
        readonly [Name in keyof Body]: Part<
          Body[Name],
          Record<never, never> extends Pick<Body, Name> ? null | undefined : never
        >;
      };

type Part<Value, Absent> =
  Extract<Value, Blob> extends never
    ? Value
    : FileContent | (Extract<Value, readonly Blob[]> extends never ? never : readonly FileContent[]) | Absent;

/** The form of an edit, with images in any type that holds bytes. */
export type EditForm = FormFiles<components["schemas"]["CreateImageEditForm"]>;

/** An edit: a form with files, or JSON with the images as data URLs or `https` URLs. */
export type ImageEdit = EditForm | components["schemas"]["CreateImageEditRequest"];

/** A file to store. */
export type FileUpload = FormFiles<components["schemas"]["UploadFileForm"]>;

type Fields = Readonly<Record<string, unknown>>;

/** Writes a form as OpenAI's own clients do: scalars as text, the fields of an object in brackets, then the files. */
export async function writeForm(body: Fields, files: Readonly<Record<string, string>>): Promise<FormData> {
  const form = new FormData();
  const given = Object.entries(body).filter(([, value]) => value !== undefined && value !== null);
  for (const [name, value] of given) if (!Object.hasOwn(files, name)) appendField(form, name, value);
  for (const [name, value] of given) {
    const fallback = files[name];
    if (fallback === undefined) continue;
    for (const file of await nameFiles(value, fallback)) form.append(partName(name, value), file);
  }
  return form;
}

function appendField(form: FormData, name: string, value: unknown): void {
  if (typeof value !== "object" || value === null) return form.append(name, String(value));
  for (const [key, inner] of Object.entries(value)) form.append(`${name}[${key}]`, String(inner));
}

/** One file as `image`, several as `image[]`. */
function partName(name: string, value: unknown): string {
  return Array.isArray(value) && value.length !== 1 ? `${name}[]` : name;
}

function nameFiles(value: unknown, fallback: string): Promise<File[]> {
  const files = Array.isArray(value)
    ? value.map((file, index) => nameFile(file, `${fallback}-${index + 1}`))
    : [nameFile(value, fallback)];
  return Promise.all(files);
}

/** Adds the name and the type that a form part needs. A name or a type that is there is kept. */
export async function nameFile(content: unknown, name: string): Promise<File> {
  const blob = toBlob(content);
  const type = isTyped(blob) ? blob.type : await recognise(blob);
  const extension = extensions[type];
  const ownName = blob instanceof File ? blob.name : "";
  return new File([blob], ownName || (extension ? `${name}.${extension}` : name), { type });
}

function toBlob(content: unknown): Blob {
  if (content instanceof Blob) return content;
  // JavaScript lets a path or undefined through. Without this check it would be sent as an empty file.
  if (!(content instanceof Uint8Array || content instanceof ArrayBuffer)) {
    throw new TypeError("A file must be a File, a Blob, a Uint8Array or an ArrayBuffer.");
  }
  // A copy: the view may be of a SharedArrayBuffer, which a Blob does not accept.
  return new Blob([new Uint8Array(content)]);
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

/** Bytes of an unknown format stay untyped. The gateway refuses them as an image, and says why. */
async function recognise(blob: Blob): Promise<string> {
  const head = new Uint8Array(await blob.slice(0, 12).arrayBuffer());
  const holds = (text: string, at: number) =>
    [...text].every((letter, index) => head[at + index] === letter.charCodeAt(0));
  if (holds("\x89PNG\r\n\x1a\n", 0)) return "image/png";
  if (holds("\xff\xd8\xff", 0)) return "image/jpeg";
  if (holds("RIFF", 0) && holds("WEBP", 8)) return "image/webp";
  return untyped;
}
