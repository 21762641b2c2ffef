import type { ContentImage, ContentInput, ContentPart } from "@model-gateway/domain/content-input";
import { errorOf } from "@model-gateway/domain/errors";
import type { PlaceImage } from "../images/image-body.js";

/** Inputs in the form in which callers send them. */
export function writeContents(inputs: readonly ContentInput[], dataUrl: PlaceImage): object[] {
  return inputs.map(({ parts }) => ({ content: parts.map((part) => writePart(part, dataUrl)) }));
}

function writePart(part: ContentPart, dataUrl: PlaceImage): object {
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.type === "image") return { type: "image_url", image_url: { url: dataUrl(part.image) } };
  const { kind, format } = part.media;
  return { type: `input_${kind}`, [`input_${kind}`]: { data: dataUrl(part.media), format } };
}

/** The same for vLLM, which takes sound and video in the form of its chat. */
export function writeMessage({ parts }: ContentInput, dataUrl: PlaceImage): object {
  const content = parts.map((part) => {
    if (part.type !== "media") return writePart(part, dataUrl);
    const name = part.media.kind === "audio" ? "audio_url" : "video_url";
    return { type: name, [name]: { url: dataUrl(part.media) } };
  });
  return { role: "user", content };
}

/** The size in pixels that a model takes. */
interface PixelLimits {
  readonly sideMax?: number;
  readonly pixelsMax?: number;
}

/** Refuses, before anything is sent, an image that the provider would refuse. */
export function checkPixels(inputs: readonly ContentInput[], limits: PixelLimits): void {
  for (const [inputIndex, { parts }] of inputs.entries())
    for (const part of parts) {
      const reason = part.type === "image" ? pixelFault(part.image, limits) : undefined;
      if (reason === undefined) continue;
      throw errorOf("invalid_image_file", { param: "input", reason }, { inputIndex, nothingBilled: true });
    }
}

function pixelFault(
  { width, height }: ContentImage,
  { sideMax, pixelsMax }: PixelLimits,
): string | undefined {
  const size = `it has ${width}x${height} pixels`;
  if (sideMax !== undefined && Math.max(width, height) > sideMax)
    return `${size}; this model takes at most ${sideMax}x${sideMax}`;
  if (pixelsMax !== undefined && width * height > pixelsMax)
    return `${size}; this model takes at most ${pixelsMax} in all`;
  return undefined;
}
