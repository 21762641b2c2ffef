import { tinyPng } from "../../fake-upstream/sample-images.mjs";

export const boundary = "b0undary";

export type Part = readonly [head: string, content: Buffer | string];

/** Writes a multipart form from its parts, right or wrong. */
export function encode(parts: readonly Part[]): Buffer {
  const written = parts.map(([head, content]) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`, "latin1"),
      Buffer.from(content),
      Buffer.from("\r\n"),
    ]),
  );
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]);
}

export function text(name: string, value: string): Part {
  return [`content-disposition: form-data; name="${name}"`, value];
}

export function file(name: string, content: Buffer, filename = "a.png"): Part {
  return [
    `content-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: image/png`,
    content,
  ];
}

export function image(name: string): Part {
  return file(name, tinyPng);
}

/** Required fields of an edit, besides its image. */
export const asked = [text("model", "image"), text("prompt", "a fox")];
