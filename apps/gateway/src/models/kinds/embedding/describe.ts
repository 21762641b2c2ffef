import type { InputImageLimits } from "../../../domain/content-input.js";
import { type EmbeddingModel, isPattern } from "../../../domain/model.js";
import { outputDtypesOf } from "../../../embeddings/output-dtype.js";
import type { ShadowFigures } from "../../../embeddings/shadow.js";
import { spaceDigest } from "../../../embeddings/space.js";
import type { Schemas } from "../../../operations.js";
import type { OperatorState, OperatorView } from "../kind.js";

export function describeCapabilities(model: EmbeddingModel): Schemas["EmbeddingCapabilities"] {
  return {
    dimensions: model.dimensions ?? null,
    matryoshka: model.matryoshka,
    max_inputs: model.maxInputs,
    max_tokens: model.maxTokens ?? null,
    encoding_formats: ["float", "base64"],
    output_dtypes: outputDtypesOf(model),
    input_types: takesTokens(model) ? ["text", "tokens"] : ["text"],
    input_modalities: model.inputImages === undefined ? ["text"] : ["text", "image"],
    input_images: model.inputImages === undefined ? null : describeInputImages(model.inputImages),
    // With `any`, the list of passed-through parameters has `input_type`.
    input_type_values: model.inputTypes === "any" ? [] : [...(model.inputTypes ?? [])],
    default_input_type: model.inputType ?? null,
    // Models behind one pattern have different spaces.
    space: isPattern(model.id) ? null : spaceDigest(model),
    revision: model.revision ?? null,
  };
}

function describeInputImages(limits: InputImageLimits): Schemas["InputImageLimits"] {
  const { maxImagesPerInput, maxImageBytes, maxImageBytesPerRequest, mixesParts } = limits;
  return {
    max_per_input: mixesParts ? maxImagesPerInput : 1,
    max_bytes: Math.min(maxImageBytes, maxImageBytesPerRequest),
    mixes_parts: mixesParts,
  };
}

function takesTokens({ tokenizer, clientTokenizer }: EmbeddingModel): boolean {
  return tokenizer !== undefined || clientTokenizer !== undefined;
}

export function describeForOperators(
  model: EmbeddingModel,
  { shadows }: OperatorState,
): Pick<OperatorView, "space" | "shadow"> {
  return {
    space: isPattern(model.id) ? null : describeSpace(model),
    shadow: model.shadow === undefined ? null : describeShadow(model.id, model.shadow, shadows),
  };
}

/** The vector space of a model as the spec describes it. */
export function describeSpace(model: EmbeddingModel): Schemas["VectorSpace"] {
  const { space: name, revision = null, unitVectors } = model;
  return { id: spaceDigest(model), name, revision, unit_vectors: unitVectors };
}

function describeShadow(
  id: string,
  { model: shadow, percent }: NonNullable<EmbeddingModel["shadow"]>,
  figures: readonly ShadowFigures[],
): OperatorView["shadow"] {
  const found = figures.find((one) => one.model === id && one.shadow === shadow);
  return {
    model: shadow,
    percent,
    embedded: found?.embedded ?? 0,
    cached: found?.cached ?? 0,
    dropped: found?.dropped ?? 0,
    failed: found?.failed ?? 0,
    compared: found?.compared ?? 0,
    neighbours_kept: found?.neighboursKept ?? 0,
  };
}
