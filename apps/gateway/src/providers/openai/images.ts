import { EventTooLargeError, readServerSentEvents, type ServerSentEvent } from "@model-gateway/sse";
import { z } from "zod";
import { isObject } from "../../domain/json.js";
import type { ImageEvent } from "../../domain/requests.js";
import { GatewayError } from "../../errors.js";
import type { Schemas } from "../../operations.js";
import { callerCode } from "../http/errors.js";
import type { IncomingReply } from "../http/send.js";
import { jsonKey, ValueSeparator } from "../http/value-separator.js";

/** An image of 64 MB, as base64. */
const imageTextBytesMax = 88 * 1024 * 1024;
/** For everything but the images: prompts may be revised, and new fields may come. */
const skeletonBytes = 256 * 1024;
const skeletonBytesPerImage = 64 * 1024;
const eventBytesMax = imageTextBytesMax + skeletonBytes;
/** Smaller events are parsed at once. */
const smallEventLength = 64 * 1024;
const imageKeys = [jsonKey("b64_json"), jsonKey("url")];
const tokenDetails = z.object({ text_tokens: z.number(), image_tokens: z.number() });
const imageUsage = z.object({
  input_tokens: z.number(),
  input_tokens_details: tokenDetails,
  output_tokens: z.number(),
  output_tokens_details: tokenDetails.optional(),
  total_tokens: z.number(),
});
const text = z.string().min(1).optional().catch(undefined);
const image = z
  .object({ b64_json: text, url: text, revised_prompt: text })
  .refine((value) => value.b64_json !== undefined || value.url !== undefined);
/** Only necessary fields are required: an image that was paid for is not discarded because of another field. */
const images = z.object({
  created: z.number().optional().catch(undefined),
  data: z.array(image).min(1),
  quality: text,
  usage: imageUsage.optional().catch(undefined),
});
const imageEvent = z.object({
  type: z.enum([
    "image_generation.partial_image",
    "image_generation.completed",
    "image_edit.partial_image",
    "image_edit.completed",
  ]),
  b64_json: z.string(),
});
const errorEvent = z.object({
  error: z.object({
    message: z.string(),
    code: z.unknown().optional(),
    type: z.unknown().optional(),
    param: z.string().nullish(),
  }),
});

/**
 * Reads a reply that is one document, while it arrives.
 *
 * @param count How many images the reply may have.
 */
export async function readImagesReply(
  { read }: Pick<IncomingReply, "read">,
  count: number,
): Promise<Schemas["ImagesResponse"]> {
  const separator = separateImages(count);
  await read((chunk) => separator.push(chunk));
  return readImages(withImages(separator));
}

/** An image is base64 or a link, or both of which one is empty. */
function separateImages(count: number): ValueSeparator<string> {
  return new ValueSeparator({
    keys: imageKeys,
    takesArrays: false,
    read: (_kind, chunks) => readText(chunks),
    valuesMax: 2 * count,
    valueBytesMax: imageTextBytesMax,
    skeletonBytesMax: skeletonBytes + count * skeletonBytesPerImage,
    name: "images",
  });
}

function readText(chunks: readonly Buffer[]): string {
  const text = Buffer.concat(chunks).toString("utf8");
  return text.includes("\\") ? String(parseReply(`"${text}"`)) : text;
}

/** The document that was separated, with its images where they were. */
function withImages(separator: ValueSeparator<string>): unknown {
  const { skeleton, valueAt } = separator.end();
  const document = parseReply(skeleton);
  if (!isObject(document)) return document;
  const restore = (item: unknown): unknown =>
    isObject(item)
      ? Object.fromEntries(Object.entries(item).map(([key, value]) => [key, valueAt(value) ?? value]))
      : item;
  const { data } = document;
  return restore(Array.isArray(data) ? { ...document, data: data.map(restore) } : document);
}

/** Reads a parsed document. */
export function readImages(reply: unknown): Schemas["ImagesResponse"] {
  // Some upstreams send an error with status 200.
  const refusal = errorEvent.safeParse(reply);
  if (refusal.success) throw errorFromEvent(refusal.data.error);
  const read = images.safeParse(reply);
  if (!read.success) throw invalid("it has no images in OpenAI's format");
  const { created, data, quality, usage } = read.data;
  return {
    created: created ?? Math.floor(Date.now() / 1000),
    data: data.map(readImage),
    ...(quality === undefined ? {} : { quality }),
    // Zod keeps an absent key absent, but its types do not say so.
    ...(usage === undefined ? {} : { usage: usage as Schemas["ImageUsage"] }),
  };
}

/** Some upstreams send a data URL in `b64_json` or in `url`. */
function readImage({ b64_json, url, revised_prompt }: z.infer<typeof image>): Schemas["Image"] {
  const bytes = [b64_json, url]
    .map((value) => value && /^data:[^,]{0,200};base64,(.*)$/s.exec(value)?.[1])
    .find(Boolean);
  const content = bytes ?? b64_json;
  return {
    ...(content === undefined ? {} : { b64_json: content }),
    ...(content === undefined && url !== undefined ? { url } : {}),
    ...(revised_prompt === undefined ? {} : { revised_prompt }),
  };
}

/** Reads image events until the upstream ends the stream. Throws the error of an error event. */
export async function* readImageEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<ImageEvent> {
  for await (const { data } of readEvents(chunks)) {
    if (data === "[DONE]") return;
    const event = parseEvent(data);
    const failure = errorEvent.safeParse(event);
    if (failure.success) throw errorFromEvent(failure.data.error);
    // Unknown events of newer upstreams are skipped.
    if (!imageEvent.safeParse(event).success) continue;
    // The type and the image are checked above; the rest describes the image.
    yield event as ImageEvent;
  }
}

async function* readEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<ServerSentEvent> {
  try {
    yield* readServerSentEvents(chunks, { eventBytesMax });
  } catch (error) {
    if (!(error instanceof EventTooLargeError)) throw error;
    throw new GatewayError("upstream_invalid_answer", "The upstream sent an event that is too large.");
  }
}

/** A caller's mistake keeps the upstream's message. That of any other error may quote what must not reach the log. */
function errorFromEvent(error: z.infer<typeof errorEvent>["error"]): GatewayError {
  const code = callerCode(error.code, error.type);
  if (code === "upstream_rejected")
    return new GatewayError("upstream_error", "The upstream reported an error instead of an image.");
  return new GatewayError(code, error.message, error.param ? { param: error.param } : {});
}

function parseEvent(data: string): unknown {
  if (data.length <= smallEventLength) return parseSmallEvent(data);
  const separator = separateImages(1);
  separator.push(Buffer.from(data));
  return withImages(separator);
}

function parseSmallEvent(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw invalid("an event is not JSON");
  }
}

function parseReply(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the reply, which must not reach the log.
    throw new GatewayError("upstream_invalid_answer", "The upstream's reply is not valid JSON.");
  }
}

function invalid(reason: string): GatewayError {
  return new GatewayError("upstream_invalid_answer", `The upstream's reply is not valid: ${reason}.`);
}
