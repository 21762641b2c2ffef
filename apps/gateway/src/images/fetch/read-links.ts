import { GatewayError } from "@model-gateway/domain/errors";
import { recogniseFormat } from "@model-gateway/domain/image-header";
import {
  type FileInput,
  fileInMemory,
  type ImageInput,
  imageInMemory,
} from "@model-gateway/domain/image-input";
import type { MediaInput } from "@model-gateway/domain/media-input";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import { ImageFetchError } from "./check-url.js";
import { encodedFile, encodedImage } from "./encoded-image.js";
import type { FetchImage } from "./fetch-image.js";

/** An image that a request names by URL. */
export interface NamedLink {
  readonly url: string;
  /** The parameter that holds it. */
  readonly param: string;
  /** The base64 of the image, if the URL stands for a data URL of the body. */
  readonly base64?: Buffer | undefined;
  /** Reads and checks a document, audio or video. Absent: it is an image. */
  readonly readMedia?: ReadMedia | undefined;
}

/** The text of a link may also be plain base64. */
export interface ReadMedia {
  readonly bytesMax: number;
  readonly read: (file: FileInput, param: string) => Promise<MediaInput>;
}

export type ReadLinks = (links: readonly NamedLink[], signal: AbortSignal) => Promise<ImageInput[]>;

/** The linked images of one request are held in memory, so they share one limit. */
const bytesMax = 64 * 1024 * 1024;

/** Reads data URLs, and fetches links from the public internet. */
export function createLinkReader(fetchImage: FetchImage): ReadLinks {
  return async (links, signal) => {
    const images: ImageInput[] = [];
    let bytesLeft = bytesMax;
    for (const link of links) {
      const image = await readLink(link, { bytesMax: bytesLeft, signal }, fetchImage);
      bytesLeft -= image.bytes;
      images.push(image);
    }
    return images;
  };
}

/** A document, audio or video that a request names by URL. Its container is read and checked. */
export async function readMediaLink(
  link: NamedLink,
  { read }: ReadMedia,
  { options, fetchImage }: { readonly options: ReadUrlOptions; readonly fetchImage: FetchImage },
): Promise<MediaInput> {
  const { url, param, base64 } = link;
  if (base64 !== undefined) return read(encodedFile(base64), param);
  const content = isInBody(link) && !isDataUrl(url) ? decodeBase64(url) : readUrl(link, options, fetchImage);
  return read(fileInMemory(await content), param);
}

/** Whether the bytes are in the body. Those of media may be plain base64. */
export function isInBody({ url, readMedia }: NamedLink): boolean {
  return isDataUrl(url) || (readMedia !== undefined && /^[A-Za-z0-9+/]+={0,2}$/.test(url));
}

const dataUrl = /^data:[^,]{0,200};base64,/i;

function isDataUrl(url: string): boolean {
  return dataUrl.test(url);
}

interface ReadUrlOptions {
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/** Reads one image. Its format is known, but its header is not checked yet. */
export async function readLink(
  link: NamedLink,
  options: ReadUrlOptions,
  fetchImage: FetchImage,
): Promise<ImageInput> {
  const { param, base64 } = link;
  const image =
    base64 === undefined ? withFormat(await readUrl(link, options, fetchImage)) : encodedImage(base64);
  if (image !== undefined) return image;
  throw new GatewayError(
    "unsupported_file_mimetype",
    (name) =>
      `Invalid '${name}': it is not an image that can be read. Supported file formats are 'image/jpeg', 'image/png', and 'image/webp'.`,
    { param },
  );
}

function withFormat(content: Buffer): ImageInput | undefined {
  const format = recogniseFormat(content);
  return format && imageInMemory(content, format);
}

function readUrl(
  { url, param }: NamedLink,
  options: ReadUrlOptions,
  fetchImage: FetchImage,
): Promise<Buffer> {
  const data = dataUrl.exec(url);
  if (data !== null) return decodeBase64(url.slice(data[0].length));
  return fetchImage(url, { allowPrivate: false, ...options }).catch((failure: unknown) =>
    Promise.reject(invalidUrl(failure, param)),
  );
}

/** Four letters are three bytes. */
const pieceLetters = 1024 * 1024;

/** Decodes base64 piece by piece, so that other requests run in between. */
async function decodeBase64(text: string): Promise<Buffer> {
  const slice = new TimeSlice();
  const decoded = Buffer.allocUnsafeSlow(Math.ceil(text.length / 4) * 3);
  let bytes = 0;
  for (let start = 0; start < text.length; start += pieceLetters) {
    const written = decoded.write(text.slice(start, start + pieceLetters), bytes, "base64");
    // Line breaks and other characters were skipped, so the pieces do not align. That is rare.
    const isLast = start + pieceLetters >= text.length;
    if (!isLast && written !== (pieceLetters / 4) * 3) return Buffer.from(text, "base64");
    bytes += written;
    if (slice.isOver) await slice.yield();
  }
  return decoded.subarray(0, bytes);
}

function invalidUrl(failure: unknown, param: string): unknown {
  if (!(failure instanceof ImageFetchError)) return failure;
  return new GatewayError("invalid_image_url", (name) => `Invalid '${name}': ${failure.message}`, {
    param,
    cause: failure,
  });
}
