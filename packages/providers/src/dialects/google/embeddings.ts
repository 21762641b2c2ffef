import type { ContentInput } from "@model-gateway/domain/content-input";
import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import type { InputImageTraits, InputMediaTraits } from "../../traits.js";
import { mimeTypeOf, type PlaceImage, type RequestFile } from "../images/image-body.js";

/** The words for `input_type`, Google's own among them. */
export const googleInputTypes: ReadonlyMap<string, string> = new Map([
  ["query", "RETRIEVAL_QUERY"],
  ["document", "RETRIEVAL_DOCUMENT"],
  ["similarity", "SEMANTIC_SIMILARITY"],
  ["classification", "CLASSIFICATION"],
  ["clustering", "CLUSTERING"],
  ...[
    "RETRIEVAL_QUERY",
    "RETRIEVAL_DOCUMENT",
    "SEMANTIC_SIMILARITY",
    "CLASSIFICATION",
    "CLUSTERING",
    "QUESTION_ANSWERING",
    "FACT_VERIFICATION",
    "CODE_RETRIEVAL_QUERY",
  ].map((word) => [word, word] as const),
]);

/** Whether a model takes more than texts. */
export function hasImages(model: string): boolean {
  return model.startsWith("gemini-embedding-2");
}

/** Google takes 20 MB in one request, and base64 has four letters for three bytes. */
const imageBytesMax = 14_000_000;

/**
 * Google states six images for a prompt, and their types. It states no size of an image.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/models/gemini/embedding-2
 */
export const googleInputImages = {
  maxImagesPerInput: 6,
  maxImagesPerRequest: 6,
  maxImageBytes: imageBytesMax,
  maxImageBytesPerRequest: imageBytesMax,
  imageTypes: ["png", "jpeg"],
} satisfies InputImageTraits;

/** Documents, audio and video of the same page. A file may be as large as all images of a call. */
export const googleInputMedia = {
  file: { maxBytes: imageBytesMax, maxAmount: 6 },
  audio: { formats: ["mp3", "wav"], maxBytes: imageBytesMax, maxAmount: 80 },
  video: { formats: ["mp4", "mov"], maxBytes: imageBytesMax, maxAmount: 120, maxAmountWithSound: 80 },
} satisfies InputMediaTraits;

/** Several parts of one content have one vector. */
export function contentParts({ parts }: ContentInput, base64: PlaceImage): object[] {
  return parts.map((part) =>
    part.type === "text"
      ? { text: part.text }
      : inlineData(part.type === "image" ? part.image : part.media, base64),
  );
}

function inlineData(file: RequestFile, base64: PlaceImage): object {
  return { inlineData: { mimeType: mimeTypeOf(file), data: base64(file) } };
}

/** The most tokens of one text. */
export function textTokensMax(model: string): number {
  return hasImages(model) ? 8192 : 2048;
}

export function tooLong(tokensMax: number, inputIndex: number): GatewayError {
  return errorOf(
    "context_length_exceeded",
    { param: "input", maxTokens: tokensMax },
    { inputIndex, nothingBilled: true },
  );
}
