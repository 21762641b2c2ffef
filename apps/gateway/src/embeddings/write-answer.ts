import type { Vector } from "../domain/vector.js";

export interface AnswerParts {
  readonly model: string;
  readonly vectors: readonly Vector[];
  readonly promptTokens: number;
  readonly encoding: "float" | "base64";
}

/**
 * Writes the spec's CreateEmbeddingResponse piece by piece. A vector that is in the right encoding already is copied
 * as it is, and the whole of a large answer is never one string.
 */
export function* writeAnswer({
  model,
  vectors,
  promptTokens,
  encoding,
}: AnswerParts): Generator<string | Buffer> {
  yield '{"object":"list","data":[';
  for (const [index, vector] of vectors.entries()) {
    yield `${index > 0 ? "," : ""}{"object":"embedding","index":${index},"embedding":`;
    if (encoding === "base64") yield `"${vector.toBase64()}"`;
    else yield vector.toJson();
    yield "}";
  }
  const tokens = JSON.stringify(promptTokens);
  yield `],"model":${JSON.stringify(model)},"usage":{"prompt_tokens":${tokens},"total_tokens":${tokens}}}`;
}
