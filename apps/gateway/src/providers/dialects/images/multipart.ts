import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { ImageInput } from "../../../domain/image-input.js";

export type FormPart =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly image: ImageInput };

export interface EncodedForm {
  readonly headers: { readonly "content-type": string; readonly "content-length": string };
  /** Begins anew each time it is called. */
  readonly body: () => Readable;
}

/** Encodes a multipart form as a list of pieces of known length. Images are sent in the pieces they are kept in. */
export function encodeForm(parts: readonly FormPart[]): EncodedForm {
  const boundary = `model-gateway-${randomBytes(16).toString("hex")}`;
  const pieces: (Buffer | ImageInput)[] = [];
  // All text between two images is one piece.
  let text = "";
  for (const part of parts) {
    text += partHead(part, boundary);
    if ("text" in part) text += part.text;
    else {
      pieces.push(Buffer.from(text), part.image);
      text = "";
    }
    text += "\r\n";
  }
  pieces.push(Buffer.from(`${text}--${boundary}--\r\n`));
  const bytes = pieces.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.bytes), 0);

  async function* body(): AsyncGenerator<Buffer> {
    for (const piece of pieces) {
      if (Buffer.isBuffer(piece)) yield piece;
      else yield* piece.stream();
    }
  }

  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": String(bytes) },
    body: () => Readable.from(body()),
  };
}

/** Part names never come from a caller, so nothing needs escaping. */
function partHead(part: FormPart, boundary: string): string {
  const start = `--${boundary}\r\nContent-Disposition: form-data; name="${part.name}"`;
  if ("text" in part) return `${start}\r\n\r\n`;
  const { format } = part.image;
  return `${start}; filename="${part.name.replace("[]", "")}.${format}"\r\nContent-Type: image/${format}\r\n\r\n`;
}
