import type { ContentImage } from "@model-gateway/domain/content-input";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { ImageInput } from "@model-gateway/domain/image-input";
import type { MediaInput } from "@model-gateway/domain/media-input";
import { anySignal } from "@model-gateway/runtime/abort";
import { Semaphore } from "@model-gateway/runtime/semaphore";
import { checkImage } from "../check-input-images.js";
import type { FetchImage } from "./fetch-image.js";
import { isInBody, type NamedLink, readLink, readMediaLink } from "./read-links.js";

export interface ReadContentImagesOptions {
  /** The size of one image. */
  readonly imageBytesMax: number;
  readonly signal: AbortSignal;
  /** Called for the bytes that were fetched. Those of data URLs are in the body, which was counted. */
  readonly takeMemory: (bytes: number) => Promise<void> | undefined;
}

/** A file of an input. */
export type ContentFile = ContentImage | MediaInput;

/** Reads and checks the images and media of a request's inputs, in the order of their links. */
export type ReadContentImages = (
  links: readonly NamedLink[],
  options: ReadContentImagesOptions,
) => Promise<ContentFile[]>;

const fetchesMax = 128;
const parallelFetchesMax = 8;
/** The fetched images of one request are held in memory, so they share one limit. */
const fetchedBytesMax = 64 * 1024 * 1024;

/**
 * @param timeoutMs The time for all images of a request. A slow host may take it whole; the other requests do not wait.
 */
export function createContentImageReader(fetchImage: FetchImage, timeoutMs: number): ReadContentImages {
  return async (links, options) => {
    const fetched = links.filter((link) => !isInBody(link));
    if (fetched.length === 0) return readAll(links, options, fetchImage);
    refuseMany(fetched);
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(timedOut(timeoutMs)), timeoutMs);
    try {
      const signal = anySignal([options.signal, ended.signal]);
      return await readAll(links, { ...options, signal }, fetchImage);
    } finally {
      clearTimeout(timer);
      // After a failure, the other fetches end.
      ended.abort();
    }
  };
}

function timedOut(timeoutMs: number): GatewayError {
  return new GatewayError(
    "invalid_image_url",
    (param) => `Invalid '${param}': its images did not arrive within ${timeoutMs} ms.`,
    { param: "input" },
  );
}

/** A link that occurs twice is fetched once. */
async function readAll(
  links: readonly NamedLink[],
  { imageBytesMax, signal, takeMemory }: ReadContentImagesOptions,
  fetchImage: FetchImage,
): Promise<ContentFile[]> {
  const semaphore = new Semaphore(parallelFetchesMax);
  const known = new Map<string, Promise<ContentFile>>();
  let bytesLeft = fetchedBytesMax;
  const readFile = async (link: NamedLink, bytesMax: number): Promise<ContentFile> => {
    const { readMedia } = link;
    const options = { bytesMax: Math.min(bytesMax, readMedia?.bytesMax ?? imageBytesMax), signal };
    if (readMedia !== undefined) return readMediaLink(link, readMedia, { options, fetchImage });
    return withSize(await readLink(link, options, fetchImage), imageBytesMax, link);
  };
  const fetchOne = (link: NamedLink) =>
    semaphore.run(async () => {
      signal.throwIfAborted();
      const file = await readFile(link, bytesLeft);
      bytesLeft -= file.bytes;
      if (bytesLeft < 0) throw tooManyBytes(link);
      const memory = takeMemory(file.bytes);
      if (memory !== undefined) await memory;
      return file;
    });
  const images: Promise<ContentFile>[] = [];
  for (const link of links) {
    const isSent = isInBody(link);
    // One file may be an image and a document: it is read once for each.
    const key = `${link.readMedia === undefined} ${link.url}`;
    const image = isSent ? readFile(link, Number.POSITIVE_INFINITY) : (known.get(key) ?? fetchOne(link));
    images.push(image);
    // The first failure ends the request, and the others go unheard.
    image.catch(() => undefined);
    // One after the other, since decoding takes time and memory.
    if (isSent) await image;
    else known.set(key, image);
  }
  return Promise.all(images);
}

async function withSize(image: ImageInput, bytesMax: number, { param }: NamedLink): Promise<ContentImage> {
  if (image.bytes > bytesMax) {
    const reason = `it has ${image.bytes} bytes; the maximum for this model is ${bytesMax}`;
    throw errorOf("invalid_image_file", { param, reason });
  }
  const { width, height } = await checkImage(image, param);
  return { ...image, width, height };
}

function refuseMany({ length }: readonly NamedLink[]): void {
  if (length <= fetchesMax) return;
  throw new GatewayError(
    "array_above_max_length",
    (param) =>
      `Invalid '${param}': it has ${length} links to images, but one request may have ${fetchesMax}. Send the others as data URLs, or in another request.`,
    { param: "input" },
  );
}

function tooManyBytes({ param }: NamedLink): GatewayError {
  const reason = `the linked images of one request may have ${fetchedBytesMax} bytes together`;
  return errorOf("invalid_image_file", { param, reason });
}
