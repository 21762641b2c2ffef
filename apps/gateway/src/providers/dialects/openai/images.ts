import {
  EventTooLargeError,
  type RawServerSentEvent,
  readRawServerSentEvents,
} from "@model-gateway/client/server-sent-events";
import { z } from "zod";
import type { ImageBytes } from "../../../domain/image-bytes.js";
import { withoutUndefined } from "../../../domain/json.js";
import type { UpstreamImage, UpstreamImageEvent, UpstreamImages } from "../../../domain/requests.js";
import { GatewayError } from "../../../errors.js";
import type { Schemas } from "../../../operations.js";
import type { BufferPool } from "../../../runtime/buffer-pool.js";
import { ReplyBuffers } from "../../../runtime/reply-buffers.js";
import { describeRefusal } from "../../http/errors/upstream-errors.js";
import {
  imageTextBytesMax,
  readImageString,
  readImageText,
  readJsonText,
} from "../../http/replies/image-text.js";
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
/** Smaller events are parsed at once. */
const smallEventBytes = 64 * 1024;
const imageKeys = [jsonKey("b64_json"), jsonKey("url")];
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
export interface ImageReplyDialect {
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
    const separator = separateImages(count);
    await read((chunk) => separator.push(buffers.add(chunk)));
    return readImages(separator.end(), buffers, this.#dialect);
  }
}

/** The cost of a call in US dollars; undefined where the reply has none. */

/** The text of an image, in the chunks it arrived in. An image is base64 or a link, or both of which one is empty. */
function separateImages(count: number): ValueSeparator<readonly Buffer[]> {
  return new ValueSeparator({
    keys: imageKeys,
    takesArrays: false,
    read: (_kind, chunks) => chunks,
    valuesMax: 2 * count,
    valueBytesMax: imageTextBytesMax,
    skeletonBytesMax: skeletonBytes + count * skeletonBytesPerImage,
    name: "images",
  });
}

function readImages(
  { skeleton, valueAt }: SeparatedReply<readonly Buffer[]>,
  buffers: ReplyBuffers,
  { refuse, usdIn = costIn }: ImageReplyDialect,
): UpstreamImages {
  const reply = parseReply(skeleton);
  refuse?.(reply);
  refuseError(reply);
  const read = images.safeParse(reply);
  if (!read.success) throw withoutImages();
  const { created, data, background, quality, safety_identifier, svg_usage, usage } = read.data;
  return {
    created: created ?? Math.floor(Date.now() / 1000),
    data: data.map(({ b64_json, url, revised_prompt }) => ({
      ...readImage({ text: valueAt(b64_json), link: valueAt(url) }, buffers),
      ...(revised_prompt === undefined ? {} : { revised_prompt }),
    })),
    ...(background === undefined ? {} : { background }),
    ...(quality === undefined ? {} : { quality }),
    ...(safety_identifier === undefined ? {} : { safety_identifier }),
    ...(svg_usage === undefined ? {} : { svg_usage }),
    // Zod keeps an absent key absent, but its types do not say so.
    ...(usage === undefined ? {} : { usage: usage as Schemas["ImageUsage"] }),
    ...withoutUndefined({ reportedUsd: usdIn(reply) }),
  };
}

function costIn(reply: unknown): number | undefined {
  return reportedCost.safeParse(reply).data?.usage.cost;
}

/** Some upstreams send a data URL in `b64_json` or in `url`. */
function readImage(
  { text = [], link = [] }: { text?: readonly Buffer[] | undefined; link?: readonly Buffer[] | undefined },
  buffers: ReplyBuffers,
): UpstreamImage {
  if (lengthOf(text) > 0) return { content: readImageText(text, buffers) };
  const url = readJsonText(link);
  if (url === "") throw withoutImages();
  return /^data:/i.test(url) ? { content: readImageString(url) } : { url };
}

/** Reads image events until the upstream ends the stream. Throws the error of an error event. */
export async function* readImageEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<UpstreamImageEvent> {
  for await (const { data } of readEvents(chunks)) {
    const event = parseEvent(data);
    if (event === "done") return;
    refuseError(event.document);
    // Unknown events of newer upstreams are skipped.
    const read = imageEvent.safeParse(event.document);
    const content = read.success ? event.imageAt(read.data.b64_json) : undefined;
    if (!read.success || content === undefined) continue;
    const { b64_json: _text, ...fields } = read.data;
    // Zod keeps an absent key absent, but its types do not say so.
    yield {
      ...fields,
      ...withoutUndefined({ reportedUsd: costIn(event.document) }),
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

interface ParsedEvent {
  readonly document: unknown;
  /** The image behind a value in the document, if any. */
  readonly imageAt: (value: unknown) => ImageBytes | undefined;
}

function parseEvent(data: readonly Uint8Array[]): ParsedEvent | "done" {
  if (lengthOf(data) <= smallEventBytes) {
    const text = Buffer.concat(data).toString("utf8");
    if (text === "[DONE]") return "done";
    return {
      document: parseReply(text, "an event is not JSON"),
      imageAt: (value) => (typeof value === "string" ? readImageString(value) : undefined),
    };
  }
  const separator = separateImages(1);
  for (const { buffer, byteOffset, byteLength } of data)
    separator.push(Buffer.from(buffer, byteOffset, byteLength));
  const { skeleton, valueAt } = separator.end();
  return {
    document: parseReply(skeleton, "an event is not JSON"),
    imageAt: (value) => {
      const text = valueAt(value);
      return text === undefined ? undefined : readImageText(text);
    },
  };
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
