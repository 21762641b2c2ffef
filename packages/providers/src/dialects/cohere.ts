import { imagesOf } from "@model-gateway/domain/content-input";
import type { CalibratedDtype } from "@model-gateway/domain/output-dtype";
import type { ContentBatch, EmbeddingBatch } from "@model-gateway/domain/requests";
import { listAt, objectAt } from "@model-gateway/runtime/json";
import { writeContents } from "./embeddings/content-parts.js";
import type { PlaceImage } from "./images/image-body.js";

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

export function cohereBody(batch: EmbeddingBatch, form: CohereForm): object {
  return { texts: batch.inputs, ...optionsOf(batch, form) };
}

interface CohereContents {
  readonly form: CohereForm;
  /** Whether an input may have a text and images. If not, the call has one image. */
  readonly mixesParts: boolean;
  readonly dataUrl: PlaceImage;
}

/** Models that take a single image have an input type for it. For others it is that of texts. */
export function cohereContentBody(
  batch: ContentBatch,
  { form, mixesParts, dataUrl }: CohereContents,
): object {
  const options = optionsOf(batch, form);
  if (mixesParts) return { inputs: writeContents(batch.inputs, dataUrl), ...options };
  return { images: batch.inputs.flatMap(imagesOf).map(dataUrl), ...options, input_type: "image" };
}

/** Without `truncate: NONE` a text that is too long is cut without a word. */
function optionsOf(
  { inputType, dimensions }: Pick<EmbeddingBatch, "inputType" | "dimensions">,
  form: CohereForm,
): object {
  return {
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
