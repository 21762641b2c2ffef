import { errorOf, type GatewayError } from "../../../errors.js";

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

/** The most tokens of one text. */
export function textTokensMax(model: string): number {
  return model.startsWith("gemini-embedding-2") ? 8192 : 2048;
}

export function tooLong(tokensMax: number, inputIndex: number): GatewayError {
  return errorOf(
    "context_length_exceeded",
    { param: "input", maxTokens: tokensMax },
    { inputIndex, nothingBilled: true },
  );
}
