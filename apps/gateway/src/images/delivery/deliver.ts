import { imageInMemory } from "../../domain/image-input.js";
import type { ImageFormat } from "../../domain/image-profile.js";
import { GatewayError } from "../../errors.js";
import type { Schemas } from "../../operations.js";
import type { Delivery } from "../options/plan.js";
import { inspectImage, openImage, pixelsMax, recogniseFormat } from "./inspect-image.js";

/** What the gateway needs to hand over images in any form. */
export interface DeliveryTools {
  /** Fetches what an upstream answers as a link. */
  readonly fetchLink: (url: string, signal: AbortSignal) => Promise<Buffer>;
  /** Keeps an image and gives back a link to it. */
  readonly store: (content: Buffer, format: ImageFormat) => Promise<string>;
}

/** An image that is on its way out: checked, in the format that was asked for, with what it is. */
export interface FinishedImage {
  readonly content: Buffer;
  readonly format: ImageFormat;
  readonly size: string;
  readonly background: "transparent" | "opaque";
}

/** Makes of what an upstream returned an image that was looked at, in the format that was asked for. */
export async function finishImage(content: Buffer, delivery: Delivery): Promise<FinishedImage> {
  const given = recogniseFormat(content);
  const facts = given === undefined ? undefined : await inspectImage(imageInMemory(content, given));
  if (facts === undefined || facts.width * facts.height > pixelsMax) throw notAnImage();
  const format = delivery.format ?? facts.format;
  const { compression } = delivery;
  const isFinished = format === facts.format && (compression === undefined || format === "png");
  try {
    const finished = isFinished
      ? content
      : await transcode(content, { format, compression: compression ?? 100 });
    const opened = await openImage(finished);
    const { width, height } = isFinished ? facts : await opened.metadata();
    // An alpha channel that hides nothing is no transparency; seeing that takes a look at every pixel.
    const isTransparent = facts.hasAlpha && format !== "jpeg" && !(await opened.stats()).isOpaque;
    return {
      content: finished,
      format,
      size: `${width}x${height}`,
      background: isTransparent ? "transparent" : "opaque",
    };
  } catch (cause) {
    throw notAnImage(cause);
  }
}

function notAnImage(cause?: unknown): GatewayError {
  return new GatewayError(
    "upstream_invalid_answer",
    "The upstream's answer is not valid: it has an image that is none.",
    { cause },
  );
}

/** Puts a finished image into the envelope that was asked for. */
export async function wrapImage(
  image: FinishedImage,
  { envelope, revisedPrompt }: { envelope: Delivery["envelope"]; revisedPrompt: string | undefined },
  { store }: DeliveryTools,
): Promise<Schemas["Image"]> {
  const revised = revisedPrompt === undefined ? {} : { revised_prompt: revisedPrompt };
  if (envelope === "url") return { url: await store(image.content, image.format), ...revised };
  return { b64_json: image.content.toString("base64"), ...revised };
}

/** The bytes of an image, however the upstream handed it over. */
export async function contentOf(
  image: Schemas["Image"],
  tools: DeliveryTools,
  signal: AbortSignal,
): Promise<Buffer> {
  if (image.b64_json !== undefined) return Buffer.from(image.b64_json, "base64");
  if (image.url === undefined) {
    throw new GatewayError(
      "upstream_invalid_answer",
      "The upstream's answer is not valid: it has an image without content.",
    );
  }
  return tools.fetchLink(image.url, signal);
}

/** Writes an image in another format. sharp does it on its own threads. Only jpeg has no transparency: it goes on white. */
export async function transcode(
  content: Buffer,
  to: { format: ImageFormat; compression: number },
): Promise<Buffer> {
  // What a camera noted of its orientation is lost in another format, so it is carried out.
  const image = (await openImage(content, { limitInputPixels: pixelsMax })).autoOrient();
  // libvips knows no quality of 0.
  const quality = Math.max(1, to.compression);
  switch (to.format) {
    case "png":
      return image.png({ compressionLevel: 6 }).toBuffer();
    case "jpeg":
      return image.flatten({ background: "white" }).jpeg({ quality }).toBuffer();
    case "webp":
      return image.webp({ quality }).toBuffer();
  }
}
