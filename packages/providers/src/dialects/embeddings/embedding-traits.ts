import { imageModality, type ModelFacts, mediaModalities } from "@model-gateway/domain/model-facts";
import { withoutUndefined } from "@model-gateway/runtime/json";
import type { EmbeddingTraits, InputImageTraits, InputMediaTraits } from "../../traits.js";

/** The traits of an embedding model: what its dialect fixes, and over that the facts of the model. */
export function embeddingTraits(facts: ModelFacts = {}, dialect: EmbeddingTraits): EmbeddingTraits {
  const { limits = {}, input_types: inputTypes } = facts;
  return {
    ...dialect,
    ...withoutUndefined({
      maxInputs: limits.max_inputs,
      maxTokens: limits.max_tokens,
      maxTokensPerRequest: limits.max_tokens_per_call,
      maxCharactersPerRequest: limits.max_characters_per_call,
      outputDtypes: facts.output_dtypes,
      tokenizer: facts.tokenizer,
      inputTypes: inputTypes && new Map(Object.entries(inputTypes)),
      requiresInputType: facts.input_type_required,
      dimensions: dimensionsOf(facts),
      widths: facts.widths,
      tooLong: facts.truncation,
      unitVectors: facts.unit_vectors,
      inputImages: inputImagesOf(facts),
      inputMedia: inputMediaOf(facts),
    }),
  };
}

function dimensionsOf({ takes_dimensions: takes, widths }: ModelFacts): "pass" | "emulate" | undefined {
  if (takes === undefined) return widths === undefined ? undefined : "pass";
  return takes ? "pass" : "emulate";
}

function inputImagesOf(facts: ModelFacts): InputImageTraits | undefined {
  const image = imageModality(facts);
  if (image === undefined) return undefined;
  return withoutUndefined({
    maxInputs: image.max_inputs,
    maxImagesPerInput: image.max_per_input,
    maxImagesPerRequest: image.max_per_call,
    maxImageBytes: image.max_bytes,
    maxImageBytesPerRequest: image.max_bytes_per_call,
    imageTypes: image.formats,
    mixesParts: image.mixes,
  });
}

function inputMediaOf(facts: ModelFacts): InputMediaTraits | undefined {
  const media = mediaModalities(facts).map((one) => [
    one.type,
    withoutUndefined({
      formats: one.formats,
      maxPerInput: one.max_per_input,
      maxBytes: one.max_bytes,
      maxAmount: one.max_amount,
      maxAmountWithSound: one.max_amount_with_sound,
    }),
  ]);
  return media.length === 0 ? undefined : Object.fromEntries(media);
}
