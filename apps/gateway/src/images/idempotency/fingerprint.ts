import { createHash, hash } from "node:crypto";
import type { ImageInput } from "../../domain/image-input.js";
import type { ImageEditRequest, ImageRequest } from "../../domain/requests.js";

/** The same for two requests that ask the same: every option, the model, and the bytes of the images in order. */
export async function fingerprint(
  request: ImageRequest | ImageEditRequest,
  { model, allowPartial }: { readonly model: string; readonly allowPartial: boolean },
): Promise<string> {
  const { images = [], mask, ...options }: ImageRequest & Images = request;
  const digests: string[] = [];
  // One after the other: sixteen images need no more memory than one.
  for (const image of images ?? []) digests.push(await digest(image));
  // `pictures` is the name that fingerprints of stored responses were made with.
  const asked = { model, allowPartial, options, pictures: digests, mask: mask && (await digest(mask)) };
  return hash("sha256", JSON.stringify(asked, sortKeys), "hex");
}

interface Images {
  readonly images?: readonly ImageInput[];
  readonly mask?: ImageInput;
}

async function digest(image: ImageInput): Promise<string> {
  const sum = createHash("sha256");
  for await (const chunk of image.stream()) sum.update(chunk);
  return sum.digest("hex");
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
