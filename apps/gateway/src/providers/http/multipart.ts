import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { ImageInput } from "../../domain/image-input.js";

export type FormPart =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly image: ImageInput };

export interface EncodedForm {
  readonly headers: { readonly "content-type": string; readonly "content-length": string };
  readonly body: Readable;
}

/** Encodes a multipart form as a stream of known length. Images are streamed, not held in memory. */
export function encodeForm(parts: readonly FormPart[]): EncodedForm {
  const boundary = `model-gateway-${randomBytes(16).toString("hex")}`;
  const heads = parts.map((part) => Buffer.from(partHead(part, boundary)));
  const end = Buffer.from(`--${boundary}--\r\n`);
  const contentBytes = parts.reduce(
    (sum, part) => sum + ("text" in part ? Buffer.byteLength(part.text) : part.image.bytes),
    0,
  );
  const bytes = heads.reduce((sum, head) => sum + head.length + 2, 0) + contentBytes + end.length;

  async function* body(): AsyncGenerator<Buffer> {
    for (const [index, part] of parts.entries()) {
      yield heads[index] ?? Buffer.alloc(0);
      if ("text" in part) yield Buffer.from(part.text);
      else yield* part.image.stream();
      yield Buffer.from("\r\n");
    }
    yield end;
  }

  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": String(bytes) },
    body: Readable.from(body()),
  };
}

/** Part names never come from a caller, so nothing needs escaping. */
function partHead(part: FormPart, boundary: string): string {
  const start = `--${boundary}\r\nContent-Disposition: form-data; name="${part.name}"`;
  if ("text" in part) return `${start}\r\n\r\n`;
  const { format } = part.image;
  return `${start}; filename="${part.name.replace("[]", "")}.${format}"\r\nContent-Type: image/${format}\r\n\r\n`;
}
