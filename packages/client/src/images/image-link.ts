import { readFault, unexpectedResponse } from "../responses/gateway-fault.js";
import { parseJson } from "../responses/json.js";
import { fail, type Result, succeed } from "../responses/result.js";
import type { operations, paths } from "../spec.js";

/** A link to an image: an image response's `url`, with or without its origin, or the parts of that URL. */
export type ImageLink = string | Readonly<LinkParts>;

type Parameters = operations["retrieveImageFile"]["parameters"];
type LinkParts = Parameters["path"] & Required<NonNullable<Parameters["query"]>>;

/** The URL of an image. A link without an origin belongs to the gateway. */
export function imageUrl(link: ImageLink, root: string): string {
  if (typeof link !== "string") {
    const { file, expires, signature } = link;
    return `${root}${path.replace("{file}", encodeURIComponent(file))}?${new URLSearchParams({ expires, signature })}`;
  }
  if (/^https?:\/\//i.test(link)) return link;
  if (link.startsWith("/")) return `${root}${link}`;
  throw new TypeError("An image link must be the `url` of an image response.");
}

const path = "/v1/images/files/{file}" satisfies keyof paths;

/** Reads the bytes of an image. A 200 with anything else is a failure. */
export async function readImage(response: Response): Promise<Result<Blob>> {
  if (!response.ok) {
    const text = await response.text();
    return fail(response, readFault(parseJson(text) ?? text, response));
  }
  if (!response.headers.get("content-type")?.startsWith("image/")) {
    await response.body?.cancel();
    return fail(response, unexpectedResponse(response, undefined));
  }
  return succeed(response, await response.blob());
}
