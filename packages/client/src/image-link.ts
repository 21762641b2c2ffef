import type { operations, paths } from "./spec.js";

/** A link to a picture: the `url` of an image answer, whole or without its origin, or the parts that it is made of. */
export type ImageLink = string | Readonly<LinkParts>;

type Parameters = operations["retrieveImageFile"]["parameters"];
type LinkParts = Parameters["path"] & Required<NonNullable<Parameters["query"]>>;

/** The address of a picture. A link that has no origin of its own leads to the gateway. */
export function imageUrl(link: ImageLink, root: string): string {
  if (typeof link !== "string") {
    const { file, expires, signature } = link;
    return `${root}${path.replace("{file}", encodeURIComponent(file))}?${new URLSearchParams({ expires, signature })}`;
  }
  if (/^https?:\/\//i.test(link)) return link;
  if (link.startsWith("/")) return `${root}${link}`;
  throw new TypeError("A link to a picture is given as the `url` of an image answer.");
}

const path = "/v1/images/files/{file}" satisfies keyof paths;
