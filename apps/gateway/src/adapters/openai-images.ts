import { z } from "zod";
import type { ImageEvent } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import type { Schemas } from "../operations.js";
import { readEvents } from "./sse.js";
import { callerCode } from "./upstream-error.js";

const tokenDetails = z.object({ text_tokens: z.number(), image_tokens: z.number() });
const imageUsage = z.object({
  input_tokens: z.number(),
  input_tokens_details: tokenDetails,
  output_tokens: z.number(),
  output_tokens_details: tokenDetails.optional(),
  total_tokens: z.number(),
});
const image = z
  .object({
    b64_json: z.string().optional(),
    url: z.string().optional(),
    revised_prompt: z.string().optional(),
  })
  .refine((value) => value.b64_json !== undefined || value.url !== undefined);
const images = z.object({
  created: z.number(),
  data: z.array(image).min(1),
  background: z.enum(["transparent", "opaque"]).optional(),
  output_format: z.enum(["png", "jpeg", "webp"]).optional(),
  quality: z.string().optional(),
  size: z.string().optional(),
  usage: imageUsage.optional(),
});
const pictureEvent = z.object({
  type: z.enum([
    "image_generation.partial_image",
    "image_generation.completed",
    "image_edit.partial_image",
    "image_edit.completed",
  ]),
  b64_json: z.string(),
});
const errorEvent = z.object({
  error: z.object({ message: z.string(), code: z.unknown(), param: z.string().nullish() }),
});

export function readImages(answer: unknown): Schemas["ImagesResponse"] {
  // Some upstreams refuse with a 200.
  const refusal = errorEvent.safeParse(answer);
  if (refusal.success) throw refusedInside(refusal.data.error);
  const read = images.safeParse(answer);
  if (!read.success) throw invalid("it has no pictures in the form of OpenAI's image answer");
  // Zod leaves an absent key absent; only its types can not say so.
  return read.data as Schemas["ImagesResponse"];
}

/** Reads image events until the upstream ends the stream; an error event is thrown as what it says. */
export async function* readImageEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<ImageEvent> {
  for await (const { data } of readEvents(chunks)) {
    if (data === "[DONE]") return;
    const event = parseEvent(data);
    const failure = errorEvent.safeParse(event);
    if (failure.success) throw refusedInside(failure.data.error);
    if (!pictureEvent.safeParse(event).success)
      throw invalid("it sent an event that is not one of OpenAI's image events");
    // The type and the picture are checked above; the rest of the event is the upstream's description of it.
    yield event as ImageEvent;
  }
}

function refusedInside(error: {
  message: string;
  code?: unknown;
  param?: string | null | undefined;
}): GatewayError {
  const code = callerCode(error.code);
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
