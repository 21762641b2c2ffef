import { mediaTypes } from "../../domain/image-profile.js";
import { errorOf, GatewayError } from "../../errors.js";
import type { ImageStore, StoredImage } from "../../images/delivery/image-store.js";
import type { SignedLinks } from "../../images/delivery/signed-links.js";
import type { FileResponse, Handler } from "../handler.js";

/** Stored images, and the links to them. */
export interface LinkedImages {
  readonly store: ImageStore;
  readonly links: SignedLinks;
}

export function retrieveImageFile(images: LinkedImages): Handler<"retrieveImageFile"> {
  return async ({ parameters: { file }, query, header }) => {
    const { store, links } = images;
    const { expires = "", signature } = query;
    const verdict = links.check(file, expires, signature);
    if (verdict === "invalid") throw errorOf("invalid_signature", {});
    if (verdict === "expired") throw new GatewayError("link_expired", "The link has expired.");
    const image = await store.open(file);
    if (image === undefined) throw new GatewayError("link_expired", "The image is no longer stored.");
    return fileResponse(image, {
      // A response has no ETag, so If-Range never matches: the whole file is sent.
      range: header("if-range") === undefined ? header("range") : undefined,
      headers: {
        "content-type": mediaTypes[image.format],
        // An svg is a document. Shown on its own it could run scripts, so it is only saved; an <img> can still show it.
        "content-disposition": `${image.format === "svg" ? "attachment" : "inline"}; filename="${file}"`,
        "accept-ranges": "bytes",
        "cache-control": `private, max-age=${links.secondsLeft(expires)}, immutable`,
        // The bytes come from an upstream: a browser must not take them for anything but an image.
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
      },
    });
  };
}

async function fileResponse(
  image: StoredImage,
  { range, headers }: { range: string | undefined; headers: FileResponse["headers"] },
): Promise<FileResponse> {
  const { bytes } = image;
  const part = readByteRange(range, bytes);
  if (part === "unsatisfiable") {
    await image.close();
    throw errorOf("range_not_satisfiable", { bytes }, { headers: { "content-range": `bytes */${bytes}` } });
  }
  if (part === "whole") {
    return { status: 200, headers: { ...headers, "content-length": String(bytes) }, file: image.read() };
  }
  const { start, end } = part;
  return {
    status: 206,
    headers: {
      ...headers,
      "content-length": String(end - start + 1),
      "content-range": `bytes ${start}-${end}/${bytes}`,
    },
    file: image.read(part),
  };
}

/** A part of a file: the first byte and the last, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a `Range` header for a file of the given size. Anything but a single range of bytes is ignored, since a server
 * may always send the whole file. https://www.rfc-editor.org/rfc/rfc9110#section-14.2
 */
export function readByteRange(
  header: string | undefined,
  bytes: number,
): ByteRange | "whole" | "unsatisfiable" {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return "whole";
  if (first === "") {
    const start = Math.max(0, bytes - Number(last));
    return start < bytes ? { start, end: bytes - 1 } : "unsatisfiable";
  }
  const start = Number(first);
  const end = last === "" ? Number.POSITIVE_INFINITY : Number(last);
  if (end < start) return "whole";
  return start < bytes ? { start, end: Math.min(end, bytes - 1) } : "unsatisfiable";
}
