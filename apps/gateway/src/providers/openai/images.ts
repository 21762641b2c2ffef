import { z } from "zod";
import type { ImageEvent } from "../../domain/requests.js";
import { GatewayError } from "../../errors.js";
import type { Schemas } from "../../operations.js";
import { callerCode } from "../http/errors.js";
import { readEvents } from "../http/sse.js";

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
/** Only what is needed is demanded: an image that was paid for is not thrown away for a field beside it. */
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

export function readImages(answer: unknown): Schemas["ImagesResponse"] {
  // Some upstreams refuse with a 200.
  const refusal = errorEvent.safeParse(answer);
  if (refusal.success) throw refusedInside(refusal.data.error);
  const read = images.safeParse(answer);
  if (!read.success) throw invalid("it has no images in the form of OpenAI's image answer");
  const { created, data, quality, usage } = read.data;
  return {
    created: created ?? Math.floor(Date.now() / 1000),
    data: data.map(readImage),
    ...(quality === undefined ? {} : { quality }),
    // Zod leaves an absent key absent; only its types cannot say so.
    ...(usage === undefined ? {} : { usage: usage as Schemas["ImageUsage"] }),
  };
}

/** Some upstreams put a data URL where the bytes or a link belong. */
function readImage({ b64_json, url, revised_prompt }: z.infer<typeof image>): Schemas["Image"] {
  const bytes = [b64_json, url]
    .map((given) => given && /^data:[^,]{0,200};base64,(.*)$/s.exec(given)?.[1])
    .find(Boolean);
  const content = bytes ?? b64_json;
  return {
    ...(content === undefined ? {} : { b64_json: content }),
    ...(content === undefined && url !== undefined ? { url } : {}),
    ...(revised_prompt === undefined ? {} : { revised_prompt }),
  };
}

/** Reads image events until the upstream ends the stream; an error event is thrown as what it says. */
export async function* readImageEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<ImageEvent> {
  for await (const { data } of readEvents(chunks)) {
    if (data === "[DONE]") return;
    const event = parseEvent(data);
    const failure = errorEvent.safeParse(event);
    if (failure.success) throw refusedInside(failure.data.error);
    // What a newer upstream says beside its images is not for us.
    if (!imageEvent.safeParse(event).success) continue;
    // The type and the image are checked above; the rest of the event is the upstream's description of it.
    yield event as ImageEvent;
  }
}

function refusedInside(error: z.infer<typeof errorEvent>["error"]): GatewayError {
  const code = callerCode(error.code, error.type);
  // A caller's own mistake keeps the upstream's words; any other failure may quote what the log must not.
  if (code === "upstream_rejected")
    return new GatewayError("upstream_error", "The upstream failed on the way.");
  return new GatewayError(code, error.message, error.param ? { param: error.param } : {});
}

function parseEvent(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw invalid("it sent an event that is not JSON");
  }
}

function invalid(reason: string): GatewayError {
  return new GatewayError("upstream_invalid_answer", `The upstream's answer is not valid: ${reason}.`);
}
