import type { ImageReply, UpstreamImage, UpstreamImages } from "@model-gateway/domain/requests";

/** A reply of an upstream that does not say when it created its images. */
export function imageReply(
  data: readonly UpstreamImage[],
  more: Omit<UpstreamImages, "created" | "data"> = {},
): ImageReply {
  return { images: { created: Math.floor(Date.now() / 1000), data, ...more } };
}
