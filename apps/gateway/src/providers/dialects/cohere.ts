import { listAt, objectAt } from "../../domain/json.js";
import type { EmbeddingBatch } from "../../domain/requests.js";

/* Requests to Cohere's embedding models, at its own API and at other hosts. */

/** The words for input types. None is for similarity: the nearest one, clustering, creates other vectors. */
export const cohereInputTypes = new Map([
  ["query", "search_query"],
  ["document", "search_document"],
  ["classification", "classification"],
  ["clustering", "clustering"],
  ["search_query", "search_query"],
  ["search_document", "search_document"],
]);

type Encoding = "float" | "base64";

/** Without `truncate: NONE` a text that is too long is cut without a word. */
export function cohereBody({ inputs, inputType, dimensions }: EmbeddingBatch, encoding: Encoding): object {
  return {
    texts: inputs,
    input_type: inputType,
    embedding_types: [encoding],
    output_dimension: dimensions,
    truncate: "NONE",
  };
}

/** The vectors in the order of the inputs, not yet verified. */
export function cohereVectors(reply: unknown, encoding: Encoding): readonly unknown[] {
  return listAt(objectAt(reply, "embeddings"), encoding);
}
