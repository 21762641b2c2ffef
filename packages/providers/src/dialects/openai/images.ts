import {
  EventTooLargeError,
  type RawServerSentEvent,
  readRawServerSentEvents,
} from "@model-gateway/client/server-sent-events";
import { GatewayError } from "@model-gateway/domain/errors";
import type { Schemas } from "@model-gateway/domain/operations";
import type { UpstreamImage, UpstreamImageEvent, UpstreamImages } from "@model-gateway/domain/requests";
import type { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { withoutUndefined } from "@model-gateway/runtime/json";
import { ReplyBuffers } from "@model-gateway/runtime/reply-buffers";
import { inSlices, type Steps, TimeSlice } from "@model-gateway/runtime/time-slice";
import { z } from "zod";
import { describeRefusal } from "../../http/errors/upstream-errors.js";
import { imageTextBytesMax, readImageText } from "../../http/replies/image-text.js";
import {
  invalidReply,
  jsonKey,
  parseReply,
  type SeparatedReply,
  ValueSeparator,
} from "../../http/replies/value-separator.js";
import type { IncomingReply } from "../../http/send.js";
import { callerCode } from "./errors.js";

/** For everything but the images: prompts may be revised, and new fields may come. */
const skeletonBytes = 256 * 1024;
const skeletonBytesPerImage = 64 * 1024;
const eventBytesMax = imageTextBytesMax + skeletonBytes;
/** A longer text under `url` is a data URL. */
const linkBytesMax = 64 * 1024;
const imageKey = jsonKey("b64_json");
const linkKey = jsonKey("url");
const tokenDetails = z.object({ text_tokens: z.number(), image_tokens: z.number() });
const inputDetails = tokenDetails.extend({
  cached_tokens: z.number().optional().catch(undefined),
  cached_tokens_details: tokenDetails.optional().catch(undefined),
});
const imageUsage = z.object({
  input_tokens: z.number(),
  input_tokens_details: inputDetails,
  output_tokens: z.number(),
  output_tokens_details: tokenDetails.optional(),
  total_tokens: z.number(),
});
const svgUsage = z.object({
  model: z.string(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  reasoning_tokens: z.number(),
  total_tokens: z.number(),
});
const safetyIdentifier = z.string().max(1024).nullable().optional().catch(undefined);
const text = z.string().min(1).optional().catch(undefined);
/** The text of an image was separated before. */
const unchecked = z.unknown().optional();
/** Other words, such as `auto`, say nothing of the image. */
const background = z.enum(["transparent", "opaque"]).optional().catch(undefined);
const image = z.object({ b64_json: unchecked, url: unchecked, revised_prompt: text });
/** Only necessary fields are required: an image that was paid for is not discarded because of another field. */
const images = z.object({
  created: z.number().optional().catch(undefined),
  data: z.array(image).min(1),
  background,
  quality: text,
  safety_identifier: safetyIdentifier,
  svg_usage: svgUsage.optional().catch(undefined),
  usage: imageUsage.optional().catch(undefined),
});
/** Not OpenAI's own field, but that of services that bill for others. */
const reportedCost = z.object({ usage: z.object({ cost: z.number().min(0) }) });
const imageEvent = z.object({
  type: z.enum([
    "image_generation.partial_image",
    "image_generation.completed",
    "image_edit.partial_image",
    "image_edit.completed",
  ]),
  b64_json: unchecked,
  created_at: z.number().optional().catch(undefined),
  background,
  quality: text,
  partial_image_index: z.int().min(0).optional().catch(undefined),
  safety_identifier: safetyIdentifier,
  usage: imageUsage.optional().catch(undefined),
});
const errorEvent = z.object({
  error: z.object({
    message: z.string(),
    code: z.unknown().optional(),
    type: z.unknown().optional(),
    param: z.string().nullish(),
  }),
});

/** Differences of an upstream's replies from OpenAI's. */
interface ImageReplyDialect {
  /** Throws for a reply with status 200 that is a refusal. */
  readonly refuse?: (reply: unknown) => void;
  /** The cost that a reply reports, in US dollars. Default: `usage.cost`. */
  readonly usdIn?: (reply: unknown) => number | undefined;
}

/** Reads the image replies of one upstream while they arrive. */
export class ImageReplies {
  readonly #pool: BufferPool;
  readonly #dialect: ImageReplyDialect;

  constructor(pool: BufferPool, dialect: ImageReplyDialect = {}) {
    this.#pool = pool;
    this.#dialect = dialect;
  }

  /**
   * Reads a reply that is one document.
   *
   * @param count How many images the reply may have.
   */
  async read({ read }: Pick<IncomingReply, "read">, count: number): Promise<UpstreamImages> {
    const buffers = new ReplyBuffers(this.#pool);
    const separator = separateImages([imageKey, linkKey], count);
    await read((chunk) => separator.push(buffers.add(chunk)));
    return inSlices(readImages(separator.end(), buffers, this.#dialect), new TimeSlice());
  }
}

/** The text of an image, in the chunks it arrived in. An image is base64 or a link, or both of which one is empty. */
function separateImages(keys: readonly Buffer[], count: number): ValueSeparator<readonly Buffer[]> {
  return new ValueSeparator({
    keys,
    arrays: "skeleton",
    read: (_kind, chunks) => chunks,
    valuesMax: 2 * count,
    valueBytesMax: imageTextBytesMax,
    skeletonBytesMax: skeletonBytes + count * skeletonBytesPerImage,
    name: "images",
  });
}

function* readImages(
  { skeleton, valueAt }: SeparatedReply<readonly Buffer[]>,
  buffers: ReplyBuffers,
  { refuse, usdIn = costIn }: ImageReplyDialect,
): Steps<UpstreamImages> {
  const reply = parseReply(skeleton);
  refuse?.(reply);
  refuseError(reply);
  const read = images.safeParse(reply);
  if (!read.success) throw withoutImages();
  const { created, background, quality, safety_identifier, svg_usage, usage } = read.data;
  const data: UpstreamImage[] = [];
  for (const { b64_json, url, revised_prompt } of read.data.data) {
    const image = yield* readImage({ text: valueAt(b64_json), link: valueAt(url) }, buffers);
    data.push({ ...image, ...(revised_prompt === undefined ? {} : { revised_prompt }) });
  }
  return {
    created: created ?? Math.floor(Date.now() / 1000),
    data,
    ...(background === undefined ? {} : { background }),
    ...(quality === undefined ? {} : { quality }),
    ...(safety_identifier === undefined ? {} : { safety_identifier }),
    ...(svg_usage === undefined ? {} : { svg_usage }),
    // Zod keeps an absent key absent, but its types do not say so.
    ...(usage === undefined ? {} : { usage: usage as Schemas["ImageUsage"] }),
    ...withoutUndefined({ reportedUsd: usdIn(reply) }),
  };
}

/** The cost of a call in US dollars; undefined where the reply has none. */
function costIn(reply: unknown): number | undefined {
  return reportedCost.safeParse(reply).data?.usage.cost;
}

/** Some upstreams send a data URL in `b64_json` or in `url`. */
function* readImage(
  { text = [], link = [] }: { text?: readonly Buffer[] | undefined; link?: readonly Buffer[] | undefined },
  buffers: ReplyBuffers,
): Steps<UpstreamImage> {
  if (lengthOf(text) > 0) return { content: yield* readImageText(text, buffers) };
  const url = readLink(link);
  return isDataUrl(url) ? { content: yield* readImageText(link) } : { url };
}

/** A link, or the start of a data URL. */
function readLink(chunks: readonly Buffer[]): string {
  const isLong = lengthOf(chunks) > linkBytesMax;
  const text = Buffer.concat(chunks, Math.min(lengthOf(chunks), linkBytesMax)).toString("utf8");
  const link = isLong || !text.includes("\\") ? text : String(parseReply(`"${text}"`));
  if (link === "" || (isLong && !isDataUrl(link))) throw withoutImages();
  return link;
}

function isDataUrl(link: string): boolean {
  return /^data:/i.test(link);
}

/** Reads image events until the upstream ends the stream. Throws the error of an error event. */
export async function* readImageEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<UpstreamImageEvent> {
  for await (const { data } of readEvents(chunks)) {
    const slice = new TimeSlice();
    const { skeleton, valueAt } = await inSlices(separateEvent(data), slice);
    if (skeleton === "[DONE]") return;
    const document = parseReply(skeleton, "an event is not JSON");
    refuseError(document);
    // Unknown events of newer upstreams are skipped.
    const read = imageEvent.safeParse(document);
    const text = read.success ? valueAt(read.data.b64_json) : undefined;
    if (!read.success || text === undefined) continue;
    const content = await inSlices(readImageText(text), slice);
    const { b64_json: _text, ...fields } = read.data;
    // Zod keeps an absent key absent, but its types do not say so.
    yield {
      ...fields,
      ...withoutUndefined({ reportedUsd: costIn(document) }),
      content,
    } as UpstreamImageEvent;
  }
}

async function* readEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawServerSentEvent> {
  try {
    yield* readRawServerSentEvents(chunks, { eventBytesMax });
  } catch (error) {
    if (!(error instanceof EventTooLargeError)) throw error;
    throw new GatewayError("upstream_invalid_reply", "The upstream sent an event that is too large.");
  }
}

function* separateEvent(data: readonly Uint8Array[]): Steps<SeparatedReply<readonly Buffer[]>> {
  const separator = separateImages([imageKey], 1);
  for (const { buffer, byteOffset, byteLength } of data) {
    separator.push(Buffer.from(buffer, byteOffset, byteLength));
    yield;
  }
  return separator.end();
}

/** Some upstreams send an error with status 200. */
function refuseError(reply: unknown): void {
  const refusal = errorEvent.safeParse(reply);
  if (refusal.success) throw errorFromEvent(refusal.data.error);
}

/** A caller's mistake keeps the upstream's message. Other messages may quote text that must not reach the log. */
function errorFromEvent(error: z.infer<typeof errorEvent>["error"]): GatewayError {
  const code = callerCode(error.code, error.type);
  if (code === "upstream_rejected")
    return new GatewayError("upstream_error", "The upstream reported an error instead of an image.");
  const recorded = describeRefusal(undefined, error.code);
  return new GatewayError(code, error.message, { param: error.param, recorded });
}

function withoutImages(): GatewayError {
  return invalidReply("it has no images in OpenAI's format");
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
