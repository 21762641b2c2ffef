import type { ContentPart } from "@model-gateway/domain/content-input";
import type { ModelFacts } from "@model-gateway/domain/model-facts";
import type { ContentBatch, EmbeddingBatch } from "@model-gateway/domain/requests";
import type { ModelTarget } from "../call.js";
import { checkPixels } from "../dialects/embeddings/content-parts.js";
import { dataUrls, type PlaceImage } from "../dialects/images/image-body.js";
import type { EmbeddingTraits } from "../traits.js";

/* Models for texts and images. Their path is another one, for texts as well. */

export const multimodalPath = "/multimodalembeddings";

export const multimodalVariant = "multimodal";

export function isMultimodal(facts: ModelFacts | undefined): boolean {
  return facts?.variant === multimodalVariant;
}

/** https://www.mongodb.com/docs/voyageai/models/multimodal-embeddings/ */
export const multimodalTraits = {
  maxInputs: 1000,
  maxTokensPerRequest: 320_000,
  // Neither a width nor another form is a documented field of this path.
  encodings: ["float"],
  dimensions: "emulate",
} satisfies Partial<EmbeddingTraits>;

const pixelsMax = 16_000_000;

export function textBody({ inputs, inputType }: EmbeddingBatch, model: string): object {
  return documentOf(
    model,
    inputs.map((text) => [{ type: "text", text }]),
    inputType,
  );
}

export function contentBody(
  { inputs, inputType }: ContentBatch,
  { model }: ModelTarget,
  base64: PlaceImage,
): object {
  checkPixels(inputs, { pixelsMax });
  const dataUrl = dataUrls(base64);
  const contents = inputs.map(({ parts }) => parts.map((part) => writePart(part, dataUrl)));
  return documentOf(model, contents, inputType);
}

/** Unlike elsewhere, an image is a text, and so is a video. */
function writePart(part: ContentPart, dataUrl: PlaceImage): object {
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.type === "image") return { type: "image_base64", image_base64: dataUrl(part.image) };
  return { type: "video_base64", video_base64: dataUrl(part.media) };
}

/** Without `truncation: false` an input that is too long is cut without a word, and an image in it is dropped. */
function documentOf(
  model: string,
  contents: readonly (readonly object[])[],
  input_type: EmbeddingBatch["inputType"],
): object {
  return { model, inputs: contents.map((content) => ({ content })), input_type, truncation: false };
}
