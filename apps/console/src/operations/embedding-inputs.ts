import type { Schemas } from "./schemas.js";

/** A text, or an image with the text that goes with it, if any. */
export interface InputToEmbed {
  readonly text: string;
  readonly image?: { readonly blob: Blob; readonly url: string; readonly name: string };
}

/** The name of an input where it is listed. */
export function nameInput({ text, image }: InputToEmbed): string {
  return text === "" ? (image?.name ?? "") : text;
}

/** Images of one request. Base64 is a third longer, and a body may have 32 MiB. A larger image goes alone. */
const imageBytesMax = 16 * 1024 * 1024;

/** Splits inputs into requests, in their order. */
export function inBatches(inputs: readonly InputToEmbed[], inputsMax: number): InputToEmbed[][] {
  const batches: InputToEmbed[][] = [];
  let bytes = 0;
  for (const input of inputs) {
    const size = input.image?.blob.size ?? 0;
    const last = batches.at(-1);
    const fits = last !== undefined && last.length < inputsMax && bytes + size <= imageBytesMax;
    if (fits) last.push(input);
    else batches.push([input]);
    bytes = fits ? bytes + size : size;
  }
  return batches;
}

type Content = Schemas["EmbeddingContentInput"];

/** An input as the API takes it. Images are read when they are sent, and not before. */
export async function writeInput({ text, image }: InputToEmbed): Promise<string | Content> {
  if (image === undefined) return text;
  const url = await readDataUrl(image.blob);
  const part = { type: "image_url" as const, image_url: { url } };
  return { content: text === "" ? [part] : [{ type: "text", text }, part] };
}

function readDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
