import { hash } from "node:crypto";
import { type MediaFormat, mediaMimeTypes } from "@model-gateway/domain/media-input";
import { floatsOfBytes } from "@model-gateway/domain/vector";
import sharp from "sharp";
import { z } from "zod";
import { recogniseMedia } from "../../../src/embeddings/media/measure-media.js";

/** A text, or the bytes of an image, as a fake provider has decoded it. */
export type FakePart = string | Buffer;

/** Stands for an input in the making of its vector. A single text stands for itself, so that both forms agree. */
export function keyOf(parts: readonly FakePart[]): string {
  const [first] = parts;
  if (parts.length === 1 && typeof first === "string") return first;
  return parts
    .map((part) => (typeof part === "string" ? `text ${part}` : `image ${hash("sha256", part)}`))
    .join("\n");
}

export function imagesIn(parts: readonly FakePart[]): Buffer[] {
  return parts.filter((part) => typeof part !== "string");
}

export function textsIn(parts: readonly FakePart[]): string[] {
  return parts.filter((part) => typeof part === "string");
}

export type ImageType = "png" | "jpeg" | "webp";

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** An image of one of these types in base64. Anything else is refused: a link, a data URL, or another type. */
export function base64Image(types: readonly ImageType[]) {
  return z
    .string()
    .regex(base64)
    .transform((text) => Buffer.from(text, "base64"))
    .refine((content) => types.some((type) => isOf(content, type)), "is not an image that the model takes");
}

/** A file of one of these formats in base64. */
export function base64File(formats: readonly MediaFormat[]) {
  return z
    .string()
    .regex(base64)
    .transform((text) => Buffer.from(text, "base64"))
    .refine(
      (content) => formats.some((format) => format === recogniseMedia(content)),
      "is of another format",
    );
}

/** A part of Google's form: its type is that of its bytes. */
export function inlineFile(format: MediaFormat) {
  return z.strictObject({
    inlineData: z.strictObject({ mimeType: z.literal(mediaMimeTypes[format]), data: base64File([format]) }),
  });
}

/** The same as a data URL whose type is that of the image. */
export function dataUrlImage(types: readonly ImageType[]) {
  return z
    .string()
    .transform((text) => /^data:image\/(\w+);base64,(.+)$/.exec(text) ?? [])
    .refine(
      ([, type, content]) => types.some((one) => one === type) && base64.test(content ?? ""),
      "is no data URL",
    )
    .transform(([, type, content = ""]) => ({
      type: type as ImageType,
      content: Buffer.from(content, "base64"),
    }))
    .refine(({ type, content }) => isOf(content, type), "is not of its type")
    .transform(({ content }) => content);
}

function isOf(content: Buffer, type: ImageType): boolean {
  if (type === "png") return content.subarray(1, 4).toString("latin1") === "PNG";
  if (type === "jpeg") return content.subarray(0, 2).toString("hex") === "ffd8";
  return content.subarray(8, 12).toString("latin1") === "WEBP";
}

/** An image that differs from that of every other number. */
export function imageNumber(number: number, type: ImageType = "png"): Promise<Buffer> {
  const background = { r: number % 256, g: (number * 7) % 256, b: 90 };
  return sharp({ create: { width: 16, height: 16, channels: 3, background } })
    .toFormat(type)
    .toBuffer();
}

/** The same as a part of an input. */
export function imagePart(content: Buffer, type: ImageType = "png"): object {
  const url = `data:image/${type};base64,${content.toString("base64")}`;
  return { type: "image_url", image_url: { url } };
}

/** An input of these parts, as a caller sends it. */
export function inputOf(parts: readonly FakePart[]): unknown {
  const [first] = parts;
  if (parts.length === 1 && typeof first === "string") return first;
  return {
    content: parts.map((part) => (typeof part === "string" ? { type: "text", text: part } : imagePart(part))),
  };
}

/** Whether the base64 of a response is this vector. Normalised ones differ in the last digits. */
export function embeds(embedding: unknown, vector: readonly number[]): boolean {
  const floats = floatsOfBytes(Buffer.from(String(embedding), "base64"));
  return (
    floats.length === vector.length &&
    floats.every((number, index) => Math.abs(number - (vector[index] ?? Number.NaN)) < 1e-5)
  );
}
