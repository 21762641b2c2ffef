import { Readable } from "node:stream";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { mediaTypes } from "@model-gateway/domain/image-profile";
import type { Handler } from "../../execution/handler.js";
import type { ImageStore } from "../../images/delivery/image-store.js";
import type { SignedLinks } from "../../images/delivery/signed-links.js";
import { matchesTag, respondWithRange } from "../byte-range.js";

/** Stored images, and the links to them. */
export interface LinkedImages {
  readonly store: Pick<ImageStore, "open">;
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
    const cacheControl = `private, max-age=${links.secondsLeft(expires)}, immutable`;
    // A file never changes, so its name is its version.
    const tag = `"${file}"`;
    if (matchesTag(header("if-none-match"), tag)) {
      await image.close();
      return { status: 304, headers: { "cache-control": cacheControl, etag: tag }, file: Readable.from([]) };
    }
    const response = {
      bytes: image.bytes,
      // A part of another version is not wanted: the whole file is sent.
      range: (header("if-range") ?? tag) === tag ? header("range") : undefined,
      headers: {
        etag: tag,
        "content-type": mediaTypes[image.format],
        // An svg is a document. Shown on its own it could run scripts, so it is only saved; an <img> can still show it.
        "content-disposition": `${image.format === "svg" ? "attachment" : "inline"}; filename="${file}"`,
        "accept-ranges": "bytes",
        "cache-control": cacheControl,
        // The bytes come from an upstream: a browser must not take them for anything but an image.
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
      },
    };
    try {
      return await respondWithRange(response, (part) => image.read(part));
    } catch (refusal) {
      await image.close();
      throw refusal;
    }
  };
}
