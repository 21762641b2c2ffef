import { pictureInMemory } from "../../domain/image-input.js";
import type { ImageFormat } from "../../domain/image-profile.js";
import { GatewayError } from "../../errors.js";
import type { Schemas } from "../../operations.js";
import type { Delivery } from "../options/plan.js";
import { inspectPicture, openPicture, pixelsMax, recogniseFormat } from "./inspect-image.js";

/** What the gateway needs to hand over pictures in any form. */
export interface DeliveryTools {
  /** Fetches what an upstream answers as a link. */
  readonly fetchLink: (url: string, signal: AbortSignal) => Promise<Buffer>;
  /** Keeps a picture and gives back a link to it. */
  readonly store: (content: Buffer, format: ImageFormat) => Promise<string>;
}

/** A picture that is on its way out: checked, in the format that was asked for, with what it is. */
export interface FinishedPicture {
  readonly content: Buffer;
  readonly format: ImageFormat;
  readonly size: string;
  readonly background: "transparent" | "opaque";
}

/** Makes of what an upstream returned a picture that was looked at, in the format that was asked for. */
export async function finishPicture(content: Buffer, delivery: Delivery): Promise<FinishedPicture> {
  const given = recogniseFormat(content);
  const facts = given === undefined ? undefined : await inspectPicture(pictureInMemory(content, given));
  if (facts === undefined || facts.width * facts.height > pixelsMax) throw notAPicture();
  const format = delivery.format ?? facts.format;
  const { compression } = delivery;
  const isFinished = format === facts.format && (compression === undefined || format === "png");
  try {
    const finished = isFinished
      ? content
      : await transcode(content, { format, compression: compression ?? 100 });
    const opened = await openPicture(finished);
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
    throw notAPicture(cause);
  }
}

function notAPicture(cause?: unknown): GatewayError {
  return new GatewayError(
    "upstream_invalid_answer",
    "The upstream's answer is not valid: it has a picture that is none.",
    { cause },
  );
}

/** Puts a finished picture into the envelope that was asked for. */
export async function wrapPicture(
  picture: FinishedPicture,
  { envelope, revisedPrompt }: { envelope: Delivery["envelope"]; revisedPrompt: string | undefined },
  { store }: DeliveryTools,
): Promise<Schemas["Image"]> {
  const revised = revisedPrompt === undefined ? {} : { revised_prompt: revisedPrompt };
  if (envelope === "url") return { url: await store(picture.content, picture.format), ...revised };
  return { b64_json: picture.content.toString("base64"), ...revised };
}

/** The bytes of a picture, however the upstream handed it over. */
export async function contentOf(
  image: Schemas["Image"],
  tools: DeliveryTools,
  signal: AbortSignal,
): Promise<Buffer> {
  if (image.b64_json !== undefined) return Buffer.from(image.b64_json, "base64");
  if (image.url === undefined) {
    throw new GatewayError(
      "upstream_invalid_answer",
      "The upstream's answer is not valid: it has a picture without content.",
    );
  }
  return tools.fetchLink(image.url, signal);
}

/** Writes a picture in another format. sharp does it on its own threads. Only jpeg has no transparency: it goes on white. */
export async function transcode(
  content: Buffer,
  to: { format: ImageFormat; compression: number },
): Promise<Buffer> {
  // What a camera noted of its orientation is lost in another format, so it is carried out.
  const picture = (await openPicture(content, { limitInputPixels: pixelsMax })).autoOrient();
  // libvips knows no quality of 0.
  const quality = Math.max(1, to.compression);
  switch (to.format) {
    case "png":
      return picture.png({ compressionLevel: 6 }).toBuffer();
    case "jpeg":
      return picture.flatten({ background: "white" }).jpeg({ quality }).toBuffer();
    case "webp":
      return picture.webp({ quality }).toBuffer();
  }
}
