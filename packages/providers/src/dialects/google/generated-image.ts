import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import type { Schemas } from "@model-gateway/domain/operations";
import type { ImageReply } from "@model-gateway/domain/requests";
import { isObject, listAt, objectAt } from "@model-gateway/runtime/json";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import type { Call } from "../../call.js";
import { imageTextBytesMax, readImageText } from "../../http/replies/image-text.js";
import { invalidReply, jsonKey, parseReply, ValueSeparator } from "../../http/replies/value-separator.js";
import { readTokenCount } from "../../http/replies/vectors.js";
import type { IncomingReply } from "../../http/send.js";
import { blockedImage } from "../images/image-refusals.js";
import { imageReply } from "../images/image-reply.js";

/** Signatures of thoughts can be as long as images. They are not used. */
const keys = [jsonKey("data"), jsonKey("thoughtSignature")];
/** A model that thinks sends drafts before the image. */
const valuesMax = 32;
const skeletonBytesMax = 1024 * 1024;
const notObject = "it is not a JSON object";

/** Why no image came, where its content is the reason. */
const moderationReasons = new Set([
  "SAFETY",
  "RECITATION",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
]);

/** Reads the image of a reply to `generateContent`, while it arrives. Refusals are replies with status 200. */
export async function readGeneratedImage(
  { read }: Pick<IncomingReply, "read">,
  call: Pick<Call, "committed">,
): Promise<ImageReply> {
  const separator = new ValueSeparator<readonly Buffer[]>({
    keys,
    arrays: "skeleton",
    read: (_kind, chunks) => chunks,
    valuesMax,
    valueBytesMax: imageTextBytesMax,
    skeletonBytesMax,
    name: "images",
  });
  await read((chunk) => separator.push(chunk));
  const { skeleton, valueAt } = separator.end();
  const document = parseReply(skeleton, notObject);
  if (!isObject(document)) throw invalidReply(notObject);
  if (objectAt(document, "promptFeedback").blockReason !== undefined)
    throw errorOf("moderation_blocked", { subject: "prompt" });
  const [candidate] = listAt(document, "candidates");
  // A model that thinks also sends drafts.
  const parts = listAt(objectAt(candidate, "content"), "parts").filter(
    (part) => isObject(part) && part.thought !== true,
  );
  const [text] = parts.flatMap((part) => {
    const data = valueAt(objectAt(part, "inlineData").data);
    return data === undefined ? [] : [data];
  });
  if (text === undefined) throw withoutImage(isObject(candidate) ? candidate.finishReason : undefined, call);
  const usage = readUsage(objectAt(document, "usageMetadata"));
  const content = await inSlices(readImageText(text), new TimeSlice());
  return imageReply([{ content }], usage === undefined ? {} : { usage });
}

function withoutImage(reason: unknown, call: Pick<Call, "committed">): GatewayError {
  if (typeof reason !== "string" || !moderationReasons.has(reason)) return invalidReply("it has no image");
  // The model has worked before its image was blocked, so it may be billed.
  return blockedImage(call);
}

/** Thoughts are billed as text of the output. */
function readUsage(usage: Record<string, unknown>): Schemas["ImageUsage"] | undefined {
  const input = readTokenCount(usage.promptTokenCount);
  const output = readTokenCount(usage.candidatesTokenCount);
  if (input === undefined || output === undefined) return undefined;
  const outputTokens = output + (readTokenCount(usage.thoughtsTokenCount) ?? 0);
  const inputImages = Math.min(imageTokens(usage.promptTokensDetails) ?? 0, input);
  // Without a count by kind, all but the thoughts is the image.
  const outputImages = Math.min(imageTokens(usage.candidatesTokensDetails) ?? output, output);
  return {
    input_tokens: input,
    input_tokens_details: { text_tokens: input - inputImages, image_tokens: inputImages },
    output_tokens: outputTokens,
    output_tokens_details: { text_tokens: outputTokens - outputImages, image_tokens: outputImages },
    total_tokens: input + outputTokens,
  };
}

/** Undefined if the tokens are not counted by kind. */
function imageTokens(details: unknown): number | undefined {
  if (!Array.isArray(details) || details.length === 0) return undefined;
  return details
    .filter(isObject)
    .filter(({ modality }) => modality === "IMAGE")
    .reduce((sum, { tokenCount }) => sum + (readTokenCount(tokenCount) ?? 0), 0);
}
