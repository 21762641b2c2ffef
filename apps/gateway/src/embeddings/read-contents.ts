import { createHash } from "node:crypto";
import type {
  ContentImage,
  ContentInput,
  ContentPart,
  InputImageLimits,
} from "@model-gateway/domain/content-input";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { DataUrls } from "@model-gateway/domain/image-input";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import type { Input } from "@model-gateway/domain/requests";
import { decodePieces } from "@model-gateway/runtime/base64-text";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import type { ReadContentImages } from "../images/fetch/read-content-images.js";
import type { NamedLink } from "../images/fetch/read-links.js";
import { checkLength, type GivenContent, type GivenInput, isGivenContent } from "./inputs.js";

interface ReadOptions extends Pick<Parameters<ReadContentImages>[1], "signal" | "takeMemory"> {
  readonly readImages: ReadContentImages;
  readonly dataUrls?: DataUrls | undefined;
}

/**
 * Reads the images of contents. Everything that needs no image is checked first: a model that cannot take an input makes
 * the gateway fetch nothing. A content that is a single text is that text.
 */
export async function readContents(
  given: readonly GivenInput[],
  model: EmbeddingModel,
  { readImages, dataUrls, ...options }: ReadOptions,
): Promise<readonly Input[]> {
  const links: NamedLink[] = [];
  for (const [index, input] of given.entries()) {
    if (!isGivenContent(input)) continue;
    checkContent(input, model, `input[${index}]`);
    for (const link of linksOf(input, `input[${index}]`))
      links.push({ ...link, base64: dataUrls?.get(link.url) });
  }
  const images = (await readImages(links, { ...options, imageBytesMax: imageBytesMax(model) })).values();
  for (const input of given) if (isGivenContent(input)) dropUrls(input);
  const slice = new TimeSlice();
  const inputs: Input[] = [];
  for (const input of given) {
    inputs.push(isGivenContent(input) ? await readContent(input, images, slice) : input);
    if (slice.isOver) await slice.yield();
  }
  return inputs;
}

function imageBytesMax({ inputImages }: EmbeddingModel): number {
  return inputImages === undefined
    ? 0
    : Math.min(inputImages.maxImageBytes, inputImages.maxImageBytesPerRequest);
}

function checkContent({ content }: GivenContent, { id, inputImages }: EmbeddingModel, param: string): void {
  let images = 0;
  for (const [index, part] of content.entries()) {
    const name = `${param}.content[${index}]`;
    if (part.type === "image_url") {
      if (inputImages === undefined) throw unsupported(name, `the model '${id}' takes text alone`);
      images += 1;
      continue;
    }
    if (part.text === "") throw errorOf("empty_string", { param: `${name}.text` });
    checkLength(part.text, `${name}.text`);
  }
  if (content.length > 1) checkMix(inputImages, { id, images, param: `${param}.content` });
}

function checkMix(
  inputImages: InputImageLimits | undefined,
  { id, images, param }: { readonly id: string; readonly images: number; readonly param: string },
): void {
  if (inputImages === undefined)
    throw unsupported(`${param}[1]`, `the model '${id}' takes one text an input`);
  const { mixesParts, maxImagesPerInput, maxImagesPerRequest } = inputImages;
  if (!mixesParts) throw unsupported(`${param}[1]`, `the model '${id}' takes one text or one image an input`);
  const maximum = Math.min(maxImagesPerInput, maxImagesPerRequest);
  if (images <= maximum) return;
  throw new GatewayError(
    "array_above_max_length",
    (name) =>
      `Invalid '${name}': this model takes at most ${maximum} images in one input, but ${images} were sent.`,
    { param },
  );
}

function unsupported(param: string, reason: string): GatewayError {
  return errorOf("unsupported_modality", { param, reason });
}

function linksOf({ content }: GivenContent, param: string): NamedLink[] {
  return content.flatMap((part, index) =>
    part.type === "image_url"
      ? [{ url: part.image_url.url, param: `${param}.content[${index}].image_url.url` }]
      : [],
  );
}

/** The base64 of images takes more memory than they do, and the body lives as long as its request. */
function dropUrls({ content }: GivenContent): void {
  for (const part of content) if (part.type === "image_url") part.image_url.url = "";
}

/** @param images The images of all contents that were not read yet, in their order. */
async function readContent(
  { content }: GivenContent,
  images: Iterator<ContentImage>,
  slice: TimeSlice,
): Promise<Input> {
  const parts = content.map((part): ContentPart => {
    if (part.type === "text") return { type: "text", text: part.text };
    const { value } = images.next();
    if (value === undefined) throw new Error("An image was not read.");
    return { type: "image", image: value };
  });
  const [first, ...others] = parts;
  if (first === undefined) throw new Error("A content without parts is refused by the spec.");
  if (first.type === "text" && others.length === 0) return first.text;
  return describe([first, ...others], slice);
}

/** On processors without instructions for SHA-256, BLAKE2b takes half of its time: 91 ms for 64 MB. */
const algorithm = "blake2b512";
/** 256 bits in base64url. */
const digestLetters = 43;

async function describe(parts: ContentInput["parts"], slice: TimeSlice): Promise<ContentInput> {
  const hash = createHash(algorithm);
  let imageCount = 0;
  let imageBytes = 0;
  for (const part of parts) {
    // As JSON, which distinguishes texts with broken surrogates: they have the same UTF-8.
    const head = part.type === "text" ? JSON.stringify(part.text) : `image ${part.image.bytes}`;
    // The length keeps the parts apart.
    hash.update(`${head.length} ${head}`);
    if (part.type === "text") continue;
    imageCount += 1;
    imageBytes += part.image.bytes;
    for await (const piece of piecesOf(part.image)) {
      hash.update(piece);
      if (slice.isOver) await slice.yield();
    }
  }
  return { parts, digest: hash.digest("base64url").slice(0, digestLetters), imageCount, imageBytes };
}

function piecesOf({ base64, stream }: ContentImage): Iterable<Buffer> | AsyncIterable<Buffer> {
  return base64 === undefined ? (stream() as AsyncIterable<Buffer>) : decodePieces(base64);
}
