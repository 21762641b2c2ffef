import { EventTooLargeError, readServerSentEvents, type ServerSentEvent } from "@model-gateway/sse";
import { z } from "zod";
import type { ImageEvent } from "../../domain/requests.js";
import { GatewayError } from "../../errors.js";
import type { Schemas } from "../../operations.js";
import { callerCode } from "../http/errors.js";

// A 4K image as base64 PNG stays well below this; an upstream that sends more in one event is broken.
const eventBytesMax = 128 * 1024 * 1024;
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

/** Reads a reply that is one document. */
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
  try {
    return JSON.parse(data);
  } catch {
    throw invalid("an event is not JSON");
  }
}

function invalid(reason: string): GatewayError {
  return new GatewayError("upstream_invalid_answer", `The upstream's reply is not valid: ${reason}.`);
}
