import { listAt, objectAt } from "../../domain/json.js";
import type { CalibratedDtype } from "../../domain/output-dtype.js";
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

/** The name of a form in `embedding_types`, and of its vectors in the reply. */
export type CohereForm = "float" | "base64" | CalibratedDtype;

/** Both are made for models from version 3 on. */
export const cohereOutputDtypes: readonly CalibratedDtype[] = ["int8", "uint8"];

/** Without `truncate: NONE` a text that is too long is cut without a word. */
export function cohereBody({ inputs, inputType, dimensions }: EmbeddingBatch, form: CohereForm): object {
  return {
    texts: inputs,
    input_type: inputType,
    embedding_types: [form],
    output_dimension: dimensions,
    truncate: "NONE",
  };
}

/** The vectors in the order of the inputs, not yet verified. */
export function cohereVectors(reply: unknown, form: CohereForm): readonly unknown[] {
  return listAt(objectAt(reply, "embeddings"), form);
}
