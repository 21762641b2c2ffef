import { isRaster } from "@model-gateway/domain/image-profile";
import type { Schemas } from "@model-gateway/domain/operations";
import type { ImageEvent } from "@model-gateway/domain/requests";
import type { FinishedImage } from "./delivery/deliver.js";

type CreatedQuality = Schemas["CreatedImageQuality"];

const createdQualities: ReadonlySet<string> = new Set([
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
] satisfies CreatedQuality[]);

/** The quality as a response names it. Undefined for the words that only requests have, such as `hd`. */
export function createdQuality(quality: string | undefined): CreatedQuality | undefined {
  return isCreatedQuality(quality) ? quality : undefined;
}

/** The quality as an event names it, which must have one. */
function isCreatedQuality(quality: string | undefined): quality is CreatedQuality {
  return quality !== undefined && createdQualities.has(quality);
}

type StreamedProperties = Pick<ImageEvent, "size" | "background" | "quality" | "output_format">;

/** Image properties of an event. A request for a stream in another format was refused. */
export function streamedProperties(
  { format, size, background }: FinishedImage,
  quality: string | undefined,
): StreamedProperties {
  if (!isRaster(format) || size === undefined || background === undefined)
    throw new Error(`A ${format} image reached a stream.`);
  return { size, background, quality: createdQuality(quality) ?? "auto", output_format: format };
}

/** Every completed event has a usage. It is zero if the upstream did not count. */
export const uncountedUsage: Schemas["ImageUsage"] = {
  input_tokens: 0,
  input_tokens_details: { text_tokens: 0, image_tokens: 0 },
  output_tokens: 0,
  total_tokens: 0,
};

type Usage = Schemas["ImageUsage"];
type Details = Schemas["ImageTokensDetails"];
type InputDetails = Schemas["ImageInputTokensDetails"];

/** The usage of several calls, or undefined if one of them did not report it. */
export function sumUsage(usages: readonly (Usage | undefined)[]): Usage | undefined {
  return usages.reduce((sum, usage) =>
    sum === undefined || usage === undefined ? undefined : add(sum, usage),
  );
}

function add(left: Usage, right: Usage): Usage {
  const output = addDetails(left.output_tokens_details, right.output_tokens_details);
  return {
    input_tokens: left.input_tokens + right.input_tokens,
    input_tokens_details: addInput(left.input_tokens_details, right.input_tokens_details),
    output_tokens: left.output_tokens + right.output_tokens,
    ...(output === undefined ? {} : { output_tokens_details: output }),
    total_tokens: left.total_tokens + right.total_tokens,
  };
}

/** A call that does not report cached tokens had none. */
function addInput(left: InputDetails, right: InputDetails): InputDetails {
  const cached = [left.cached_tokens, right.cached_tokens].filter((one) => one !== undefined);
  const kinds = addDetails(left.cached_tokens_details, right.cached_tokens_details);
  return {
    text_tokens: left.text_tokens + right.text_tokens,
    image_tokens: left.image_tokens + right.image_tokens,
    ...(cached.length > 0 && { cached_tokens: cached.reduce((sum, one) => sum + one, 0) }),
    ...(kinds && { cached_tokens_details: kinds }),
  };
}

function addDetails(left: Details | undefined, right: Details | undefined): Details | undefined {
  if (left === undefined || right === undefined) return undefined;
  return {
    text_tokens: left.text_tokens + right.text_tokens,
    image_tokens: left.image_tokens + right.image_tokens,
  };
}
