import { createHash } from "node:crypto";
import type { ContentInput, ContentPart, InputImageLimits } from "@model-gateway/domain/content-input";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { DataUrls } from "@model-gateway/domain/image-input";
import { type MediaKind, type MediaLimits, mediaKinds } from "@model-gateway/domain/media-input";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import type { Input } from "@model-gateway/domain/requests";
import { decodePieces } from "@model-gateway/runtime/base64-text";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import type { ContentFile, ReadContentImages } from "../images/fetch/read-content-images.js";
import type { NamedLink } from "../images/fetch/read-links.js";
import { checkLength, type GivenContent, type GivenInput, isGivenContent } from "./inputs.js";
import { mediaReader } from "./media/check-media.js";

interface ReadOptions extends Pick<Parameters<ReadContentImages>[1], "signal" | "takeMemory"> {
  readonly readImages: ReadContentImages;
  readonly dataUrls?: DataUrls | undefined;
}

/**
 * Reads the files of contents. Everything that needs no file is checked first: a model that cannot take an input makes
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
    for (const link of linksOf(input, `input[${index}]`, model))
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

function checkContent({ content }: GivenContent, model: EmbeddingModel, param: string): void {
  const { id, inputImages } = model;
  let images = 0;
  for (const [index, part] of content.entries()) {
    const name = `${param}.content[${index}]`;
    if (part.type !== "text") {
      checkKind(part, model, name);
      if (part.type === "image_url") images += 1;
      continue;
    }
    if (part.text === "") throw errorOf("empty_string", { param: `${name}.text` });
    checkLength(part.text, `${name}.text`);
  }
  if (content.length > 1) checkMix(inputImages, { id, images, param: `${param}.content` });
  for (const kind of mediaKinds) checkCount(content, kind, model.inputMedia?.[kind], `${param}.content`);
}

type GivenFile = Exclude<GivenContent["content"][number], { readonly type: "text" }>;

const kindsOfParts = { input_file: "file", input_audio: "audio", input_video: "video" } as const;

function kindOf({ type }: { readonly type: GivenFile["type"] | "text" }): MediaKind | undefined {
  return type === "text" || type === "image_url" ? undefined : kindsOfParts[type];
}

function checkKind(part: GivenFile, { id, inputImages, inputMedia }: EmbeddingModel, name: string): void {
  const kind = kindOf(part);
  if (inputImages === undefined) throw unsupported(name, `the model '${id}' takes text alone`);
  if (kind === undefined || inputMedia?.[kind] !== undefined) return;
  const taken = ["text", "image", ...mediaKinds.filter((one) => inputMedia?.[one] !== undefined)];
  throw unsupported(name, `the model '${id}' does not take ${kind}; it takes ${taken.join(", ")}`);
}

function checkCount(
  content: GivenContent["content"],
  kind: MediaKind,
  limits: MediaLimits | undefined,
  param: string,
): void {
  const count = content.filter((part) => kindOf(part) === kind).length;
  const maximum = limits?.maxPerInput ?? 0;
  if (count <= maximum) return;
  throw new GatewayError(
    "array_above_max_length",
    (name) =>
      `Invalid '${name}': this model takes at most ${maximum} parts of the kind ${kind} in one input, but ${count} were sent.`,
    { param },
  );
}

function checkMix(
  inputImages: InputImageLimits | undefined,
  { id, images, param }: { readonly id: string; readonly images: number; readonly param: string },
): void {
  if (inputImages === undefined)
    throw unsupported(`${param}[1]`, `the model '${id}' takes one text an input`);
  const { mixesParts, maxImagesPerInput, maxImagesPerRequest } = inputImages;
  if (!mixesParts) throw unsupported(`${param}[1]`, `the model '${id}' takes one text or one file an input`);
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

function linksOf({ content }: GivenContent, param: string, { inputMedia }: EmbeddingModel): NamedLink[] {
  return content.flatMap((part, index): NamedLink[] => {
    const name = `${param}.content[${index}].${part.type}`;
    if (part.type === "text") return [];
    if (part.type === "image_url") return [{ url: part.image_url.url, param: `${name}.url` }];
    const { data, format } = mediaIn(part);
    const kind = kindsOfParts[part.type];
    const limits = inputMedia?.[kind];
    if (limits === undefined) throw new Error("A part that the model does not take was not refused.");
    const readMedia = mediaReader({ kind, format: format ?? undefined }, limits);
    return [{ url: data, param: `${name}.data`, readMedia }];
  });
}

type GivenMedia = Exclude<GivenFile, { readonly type: "image_url" }>;

function mediaIn(part: GivenMedia): { data: string; readonly format?: string | null } {
  if (part.type === "input_file") return part.input_file;
  return part.type === "input_audio" ? part.input_audio : part.input_video;
}

/** The base64 of files takes more memory than they do, and the body lives as long as its request. */
function dropUrls({ content }: GivenContent): void {
  for (const part of content)
    if (part.type === "image_url") part.image_url.url = "";
    else if (part.type !== "text") mediaIn(part).data = "";
}

/** @param images The files of all contents that were not read yet, in their order. */
async function readContent(
  { content }: GivenContent,
  images: Iterator<ContentFile>,
  slice: TimeSlice,
): Promise<Input> {
  const parts = content.map((part): ContentPart => {
    if (part.type === "text") return { type: "text", text: part.text };
    const { value } = images.next();
    if (value === undefined) throw new Error("A file was not read.");
    return "kind" in value ? { type: "media", media: value } : { type: "image", image: value };
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
  let contentBytes = 0;
  for (const part of parts) {
    // As JSON, which distinguishes texts with broken surrogates: they have the same UTF-8.
    const file = part.type === "text" ? undefined : part.type === "image" ? part.image : part.media;
    const head = part.type === "text" ? JSON.stringify(part.text) : `${kindName(part)} ${file?.bytes}`;
    // The length keeps the parts apart.
    hash.update(`${head.length} ${head}`);
    if (file === undefined) continue;
    if (part.type === "image") imageCount += 1;
    contentBytes += file.bytes;
    for await (const piece of piecesOf(file)) {
      hash.update(piece);
      if (slice.isOver) await slice.yield();
    }
  }
  return { parts, digest: hash.digest("base64url").slice(0, digestLetters), imageCount, contentBytes };
}

/** A sound and a video may be the same bytes, and have other vectors. */
function kindName(part: Exclude<ContentPart, { readonly type: "text" }>): string {
  return part.type === "image" ? "image" : part.media.kind;
}

function piecesOf({ base64, stream }: ContentFile): Iterable<Buffer> | AsyncIterable<Buffer> {
  return base64 === undefined ? (stream() as AsyncIterable<Buffer>) : decodePieces(base64);
}
