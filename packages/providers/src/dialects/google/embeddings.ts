import type { ContentInput } from "@model-gateway/domain/content-input";
import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import type { ModelFacts } from "@model-gateway/domain/model-facts";
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

/** The most tokens of a model of which that is not known. */
export const defaultTokensMax = 2048;

/** The most tokens of one text. */
export function textTokensMax(facts: ModelFacts | undefined): number {
  return facts?.limits?.max_tokens ?? defaultTokensMax;
}

export function tooLong(tokensMax: number, inputIndex: number): GatewayError {
  return errorOf(
    "context_length_exceeded",
    { param: "input", maxTokens: tokensMax },
    { inputIndex, nothingBilled: true },
  );
}
