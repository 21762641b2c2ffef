import { hash } from "node:crypto";
import type { ContentInput } from "@model-gateway/domain/content-input";
import { imageInMemory } from "@model-gateway/domain/image-input";
import type { EmbeddingTarget } from "@model-gateway/domain/model";
import { probeImageSide, probeImages } from "@model-gateway/vector-check/probes";

/** The images that a target embeds: all of them, or none if it takes no PNGs of their size. */
export function probeImagesFor({
  inputImages,
}: Pick<EmbeddingTarget, "inputImages">): readonly ContentInput[] {
  if (inputImages === undefined || !inputImages.imageTypes.includes("png")) return [];
  const bytesMax = Math.min(inputImages.maxImageBytes, inputImages.maxImageBytesPerRequest);
  const inputs = Object.values(probeImages).map(readProbe);
  return inputs.reduce((sum, { contentBytes }) => sum + contentBytes, 0) > bytesMax ? [] : inputs;
}

function readProbe(base64: string): ContentInput {
  const content = Buffer.from(base64, "base64");
  const image = { ...imageInMemory(content, "png"), width: probeImageSide, height: probeImageSide };
  return {
    parts: [{ type: "image", image }],
    digest: hash("sha256", content, "base64url"),
    imageCount: 1,
    contentBytes: content.length,
  };
}
