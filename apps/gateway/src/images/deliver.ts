import type { ImageFormat } from "../domain/image-profile.js";
import { pictureInMemory } from "../domain/picture.js";
import { GatewayError } from "../errors.js";
import type { Schemas } from "../operations.js";
import { inspectPicture, pixelsMax } from "./inspect-picture.js";
import type { Delivery } from "./plan-images.js";
import { recogniseFormat } from "./recognise.js";
import { transcode } from "./transcode.js";

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
export async function finishPicture(
  content: Buffer,
  { format: wanted, compression }: Delivery,
): Promise<FinishedPicture> {
  const format = recogniseFormat(content);
  const facts = format === undefined ? undefined : await inspectPicture(pictureInMemory(content, format));
  if (facts === undefined || facts.width * facts.height > pixelsMax) {
    throw new GatewayError(
      "upstream_invalid_answer",
      "The upstream's answer is not valid: it has a picture that is none.",
    );
  }
  const isRight = wanted === undefined || wanted === facts.format;
  const finished = isRight ? content : await transcode(content, { format: wanted, compression });
  return {
    content: finished,
    format: isRight ? facts.format : wanted,
    size: `${facts.width}x${facts.height}`,
    background: facts.hasAlpha && (isRight || wanted !== "jpeg") ? "transparent" : "opaque",
  };
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
