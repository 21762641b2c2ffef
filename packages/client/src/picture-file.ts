/** A picture to send. A `File` is a `Blob`, and a Node `Buffer` is a `Uint8Array`. */
export type PictureFile = Blob | Uint8Array | ArrayBuffer;

/** Gives a picture the name and the type that a form part needs. What it already says of itself is kept. */
export async function nameFile(picture: PictureFile, name: string): Promise<File> {
  const blob = toBlob(picture);
  const type = isTyped(blob) ? blob.type : await recognise(blob);
  const extension = extensions[type];
  const ownName = blob instanceof File ? blob.name : "";
  return new File([blob], ownName || (extension ? `${name}.${extension}` : name), { type });
}

function toBlob(picture: PictureFile): Blob {
  if (picture instanceof Blob) return picture;
  // Without this a path or a missing picture, which JavaScript lets through, would be sent as an empty file.
  if (!(picture instanceof Uint8Array || picture instanceof ArrayBuffer)) {
    throw new TypeError("A picture is given as a File, a Blob, a Uint8Array or an ArrayBuffer.");
  }
  // A copy, since a view may lie over memory that is shared, and a Blob takes none of that.
  return new Blob([new Uint8Array(picture)]);
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

/** Bytes that are not a known picture stay untyped: the gateway refuses them by name. */
async function recognise(blob: Blob): Promise<string> {
  const head = new Uint8Array(await blob.slice(0, 12).arrayBuffer());
  const holds = (text: string, at: number) =>
    [...text].every((letter, index) => head[at + index] === letter.charCodeAt(0));
  if (holds("\x89PNG\r\n\x1a\n", 0)) return "image/png";
  if (holds("\xff\xd8\xff", 0)) return "image/jpeg";
  if (holds("RIFF", 0) && holds("WEBP", 8)) return "image/webp";
  return untyped;
}
