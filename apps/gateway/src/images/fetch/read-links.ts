import { recogniseFormat } from "../../domain/image-header.js";
import { type ImageInput, imageInMemory } from "../../domain/image-input.js";
import { GatewayError } from "../../errors.js";
import { TimeSlice } from "../../runtime/time-slice.js";
import { ImageFetchError } from "./check-url.js";
import type { FetchImage } from "./fetch-image.js";

/** An image that a request names by URL. */
export interface NamedLink {
  readonly url: string;
  /** The parameter that holds it. */
  readonly param: string;
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
      const image = await read(link, { bytesLeft, signal }, fetchImage);
      bytesLeft -= image.bytes;
      images.push(image);
    }
    return images;
  };
}

async function read(
  { url, param }: NamedLink,
  { bytesLeft, signal }: { bytesLeft: number; signal: AbortSignal },
  fetchImage: FetchImage,
): Promise<ImageInput> {
  const data = /^data:[^,]{0,200};base64,/i.exec(url);
  const content =
    data === null
      ? await fetchImage(url, { allowPrivate: false, bytesMax: bytesLeft, signal }).catch(
          (failure: unknown) => Promise.reject(invalidUrl(failure, param)),
        )
      : await decodeBase64(url.slice(data[0].length));
  const format = recogniseFormat(content);
  if (format !== undefined) return imageInMemory(content, format);
  throw new GatewayError(
    "unsupported_file_mimetype",
    `Invalid '${param}': it is not an image that can be read. Supported file formats are 'image/jpeg', 'image/png', and 'image/webp'.`,
    { param },
  );
}

/** Four letters are three bytes. */
const pieceLetters = 1024 * 1024;

/** Decodes base64 piece by piece, so that other requests run in between. */
async function decodeBase64(text: string): Promise<Buffer> {
  const slice = new TimeSlice();
  const pieces: Buffer[] = [];
  for (let start = 0; start < text.length; start += pieceLetters) {
    const piece = Buffer.from(text.slice(start, start + pieceLetters), "base64");
    // Line breaks and other characters were skipped, so the pieces do not align. That is rare.
    const isLast = start + pieceLetters >= text.length;
    if (!isLast && piece.length !== (pieceLetters / 4) * 3) return Buffer.from(text, "base64");
    pieces.push(piece);
    if (slice.isOver) await slice.yield();
  }
  return Buffer.concat(pieces);
}

function invalidUrl(failure: unknown, param: string): unknown {
  if (!(failure instanceof ImageFetchError)) return failure;
  return new GatewayError("invalid_image_url", `Invalid '${param}': ${failure.message}`, {
    param,
    cause: failure,
  });
}
