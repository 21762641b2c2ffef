import type { ContentInput, ContentPart } from "@model-gateway/domain/content-input";
import { imageInMemory } from "@model-gateway/domain/image-input";

/** An input of these parts. An image is only its bytes: no provider decodes it. */
export function contentOf(...given: readonly [string | Buffer, ...(string | Buffer)[]]): ContentInput {
  const [first, ...others] = given;
  const images = given.filter((part) => typeof part !== "string");
  return {
    parts: [partOf(first), ...others.map(partOf)],
    digest: "digest",
    imageCount: images.length,
    contentBytes: images.reduce((sum, { length }) => sum + length, 0),
  };
}

function partOf(given: string | Buffer): ContentPart {
  if (typeof given === "string") return { type: "text", text: given };
  return { type: "image", image: { ...imageInMemory(given, "jpeg"), width: 1080, height: 1350 } };
}
