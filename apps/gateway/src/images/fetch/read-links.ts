import { type ImageInput, imageInMemory } from "../../domain/image-input.js";
import { GatewayError } from "../../errors.js";
import { recogniseFormat } from "../delivery/inspect-image.js";
import { ImageFetchError } from "./check-url.js";
import type { FetchImage } from "./fetch-image.js";

export interface NamedLink {
  readonly url: string;
  /** Where it stands in the request. */
  readonly param: string;
}

export type ReadLinks = (links: readonly NamedLink[], signal: AbortSignal) => Promise<ImageInput[]>;

/** All images that one request names by URL are held in memory, so together they have one limit. */
const bytesMax = 64 * 1024 * 1024;

/** Reads images that a caller names by URL: data URLs, or links on the public internet, fetched under the guard. */
export function createLinkReader(fetchImage: FetchImage): ReadLinks {
  return async (links, signal) => {
    const images: ImageInput[] = [];
    let left = bytesMax;
    for (const link of links) {
      const image = await read(link, { left, signal }, fetchImage);
      left -= image.bytes;
      images.push(image);
    }
    return images;
  };
}

async function read(
  { url, param }: NamedLink,
  { left, signal }: { left: number; signal: AbortSignal },
  fetchImage: FetchImage,
): Promise<ImageInput> {
  const data = /^data:[^,]{0,200};base64,/i.exec(url);
  const content =
    data === null
      ? await fetchImage(url, { allowPrivate: false, bytesMax: left, signal }).catch((failure: unknown) =>
          Promise.reject(named(failure, param)),
        )
      : Buffer.from(url.slice(data[0].length), "base64");
  const format = recogniseFormat(content);
  if (format !== undefined) return imageInMemory(content, format);
  throw new GatewayError(
    "unsupported_file_mimetype",
    `Invalid '${param}': it is not an image that can be read. Supported file formats are 'image/jpeg', 'image/png', and 'image/webp'.`,
    { param },
  );
}

function named(failure: unknown, param: string): unknown {
  if (!(failure instanceof ImageFetchError)) return failure;
  return new GatewayError("invalid_image_url", `Invalid '${param}': ${failure.message}`, {
    param,
    cause: failure,
  });
}
