import type { ImageInput } from "./image-input.js";
import type { RasterFormat } from "./image-profile.js";
import { estimateMediaTokens, type MediaInput } from "./media-input.js";

/** An input of texts, images and media. It has one vector. Its files are read and checked. */
export interface ContentInput {
  readonly parts: readonly [ContentPart, ...ContentPart[]];
  /** A digest of the texts and of the bytes of the files, in their order. Equal inputs have equal digests. */
  readonly digest: string;
  readonly imageCount: number;
  /** All images and media together. */
  readonly contentBytes: number;
}

export type ContentPart = TextPart | ImagePart | MediaPart;

interface TextPart {
  readonly type: "text";
  readonly text: string;
}

interface ImagePart {
  readonly type: "image";
  readonly image: ContentImage;
}

interface MediaPart {
  readonly type: "media";
  readonly media: MediaInput;
}

/** An image whose header was read. */
export interface ContentImage extends ImageInput {
  readonly width: number;
  readonly height: number;
}

/** The images that a target takes in its inputs. */
export interface InputImageLimits {
  /** The most inputs with content in one call. */
  readonly maxInputs: number;
  readonly maxImagesPerInput: number;
  /** The most images in one call, all inputs together. */
  readonly maxImagesPerRequest: number;
  /** The size of one image. */
  readonly maxImageBytes: number;
  /** All images of one call together. */
  readonly maxImageBytesPerRequest: number;
  /** The formats that it takes. The gateway converts every other. */
  readonly imageTypes: readonly RasterFormat[];
  /** Whether one input may have several parts. If not, it is one text or one image. */
  readonly mixesParts: boolean;
  /** The form of the request, for servers that differ in it. */
  readonly form: ContentForm;
}

/** No image of an input is larger. */
export const contentImageBytesMax = 20 * 1024 * 1024;

/** The limits of a target that takes images, where neither its provider nor the operator sets others. */
export const defaultInputImageLimits: InputImageLimits = {
  maxInputs: Number.POSITIVE_INFINITY,
  maxImagesPerInput: 16,
  maxImagesPerRequest: Number.POSITIVE_INFINITY,
  maxImageBytes: contentImageBytesMax,
  maxImageBytesPerRequest: 20 * 1024 * 1024,
  imageTypes: ["png", "jpeg", "webp"],
  mixesParts: true,
  form: "content",
};

/** `content`: objects in `input`, as callers send them. `messages`: one chat message, as vLLM takes it. */
export const contentForms = ["content", "messages"] as const;
export type ContentForm = (typeof contentForms)[number];

/** About as many tokens as models of several vendors count for an image. */
const pixelsPerToken = 560;
const imageTokensMax = 16_384;

/** An estimate: only the model knows the exact number of tokens. */
export function estimateImageTokens({ width, height }: Pick<ContentImage, "width" | "height">): number {
  return Math.min(Math.ceil((width * height) / pixelsPerToken), imageTokensMax);
}

/** Characters of all texts together. */
export function textLength({ parts }: ContentInput): number {
  return textsOf({ parts }).reduce((sum, text) => sum + text.length, 0);
}

export function textsOf({ parts }: Pick<ContentInput, "parts">): string[] {
  return parts.flatMap((part) => (part.type === "text" ? part.text : []));
}

export function imagesOf({ parts }: Pick<ContentInput, "parts">): ContentImage[] {
  return parts.flatMap((part) => ("image" in part ? part.image : []));
}

export function mediaOf({ parts }: Pick<ContentInput, "parts">): MediaInput[] {
  return parts.flatMap((part) => ("media" in part ? part.media : []));
}

/** The images and media of an input, in their order. */
export function filesOf({ parts }: Pick<ContentInput, "parts">): (ContentImage | MediaInput)[] {
  return parts.flatMap((part) => (part.type === "text" ? [] : "image" in part ? part.image : part.media));
}

/** An estimate of the tokens of an image or of media. */
export function estimateFileTokens(part: ImagePart | MediaPart): number {
  return "image" in part ? estimateImageTokens(part.image) : estimateMediaTokens(part.media);
}
