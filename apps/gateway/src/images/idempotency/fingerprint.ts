import { createHash, hash } from "node:crypto";
import type { ImageInput } from "@model-gateway/domain/image-input";
import type { ImageEditRequest, ImageRequest } from "@model-gateway/domain/requests";
import { sortKeys } from "@model-gateway/runtime/json";
import { TimeSlice } from "@model-gateway/runtime/time-slice";

/**
 * Identifies a request by its content: the model, every option, and the bytes of the images in order. Two requests with
 * one fingerprint are equal.
 */
export async function fingerprint(
  request: ImageRequest | ImageEditRequest,
  { model, allowPartial }: { readonly model: string; readonly allowPartial: boolean },
): Promise<string> {
  const { images = [], mask, markup, ...options }: ImageRequest & Images = request;
  const digests: string[] = [];
  // One after the other: sixteen images need no more memory than one.
  for (const image of images) digests.push(await digest(image));
  const content = {
    model,
    allowPartial,
    options,
    images: digests,
    mask: mask && (await digest(mask)),
    markup: markup && (await digest(markup)),
  };
  return hash("sha256", JSON.stringify(content, sortKeys), "hex");
}

interface Images {
  readonly images?: readonly ImageInput[];
  readonly mask?: ImageInput;
  readonly markup?: ImageInput;
}

async function digest(image: ImageInput): Promise<string> {
  const sum = createHash("sha256");
  const slice = new TimeSlice();
  for await (const chunk of image.stream()) {
    sum.update(chunk);
    if (slice.isOver) await slice.yield();
  }
  return sum.digest("hex");
}
