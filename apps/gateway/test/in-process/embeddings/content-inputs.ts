import { createSolid, tinyPng } from "../../fake-upstream/sample-images.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";

/** Inputs with images, as callers send them and as the fake upstream gets them. */

export type Format = "png" | "jpeg" | "webp";
type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

export interface Content {
  readonly content: readonly Part[];
}

export function dataUrl(image: Buffer, format: Format = "png"): string {
  return `data:image/${format};base64,${image.toString("base64")}`;
}

export function textPart(text: string): Part {
  return { type: "text", text };
}

export function imagePart(image: Buffer, format?: Format): Part {
  return linkPart(dataUrl(image, format));
}

export function linkPart(url: string): Part {
  return { type: "image_url", image_url: { url } };
}

export function content(...parts: readonly Part[]): Content {
  return { content: parts };
}

/** A content that is a single text is that text. */
export function expectedVector(input: unknown, width = 8): number[] {
  const [first, ...others] = (input as Partial<Content>).content ?? [];
  return vectorOf(first?.type === "text" && others.length === 0 ? first.text : input, width);
}

/** Images that differ from each other. */
export async function sampleImages(count: number, format: Format = "png"): Promise<Buffer[]> {
  const sizes = Array.from({ length: count }, (_, index) => `${index + 2}x${index + 3}`);
  return Promise.all(sizes.map((size) => createSolid({ size, output_format: format })));
}

export { tinyPng };
