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
  // Whatever stands between two vectors is one piece.
  let between = '{"object":"list","data":[';
  const quote = encoding === "base64" ? '"' : "";
  for (let index = 0; index < vectors.length; index += 1) {
    const vector = vectors[index];
    if (vector === undefined) continue;
    yield `${between}{"object":"embedding","index":${index},"embedding":${quote}`;
    yield encoding === "base64" ? vector.toBase64() : vector.toJson();
    between = `${quote}},`;
  }
  const tokens = JSON.stringify(promptTokens);
  const end = vectors.length === 0 ? `${between}]` : `${quote}}]`;
  yield `${end},"model":${JSON.stringify(model)},"usage":{"prompt_tokens":${tokens},"total_tokens":${tokens}}}`;
}
