import { createHash, hash } from "node:crypto";
import type { Picture } from "../../domain/image-input.js";
import type { ImageEditRequest, ImageRequest } from "../../domain/requests.js";

/** The same for two requests that ask the same: every option, the model, and the bytes of the pictures in order. */
export async function fingerprint(
  request: ImageRequest | ImageEditRequest,
  { model, allowPartial }: { readonly model: string; readonly allowPartial: boolean },
): Promise<string> {
  const { images = [], mask, ...options }: ImageRequest & Pictures = request;
  const pictures: string[] = [];
  // One after the other: sixteen pictures need no more memory than one.
  for (const picture of images ?? []) pictures.push(await digest(picture));
  const asked = { model, allowPartial, options, pictures, mask: mask && (await digest(mask)) };
  return hash("sha256", JSON.stringify(asked, sortKeys), "hex");
}

interface Pictures {
  readonly images?: readonly Picture[];
  readonly mask?: Picture;
}

async function digest(picture: Picture): Promise<string> {
  const sum = createHash("sha256");
  for await (const chunk of picture.stream()) sum.update(chunk);
  return sum.digest("hex");
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
