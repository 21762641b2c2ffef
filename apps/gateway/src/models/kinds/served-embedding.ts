import type { InputImageLimits } from "@model-gateway/domain/content-input";
import { type InputMedia, type MediaKind, mediaKinds } from "@model-gateway/domain/media-input";
import { type EmbeddingModel, isPattern } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import { BatchSender } from "../../embeddings/coalescing/send-batch.js";
import { callCost } from "../../embeddings/cost.js";
import { outputDtypesOf } from "../../embeddings/output-dtype.js";
import type { ShadowFigures } from "../../embeddings/shadow.js";
import { spaceDigest } from "../../embeddings/space.js";
import { nothingUsed, type UsedAmounts } from "../../usage/cost.js";
import type { OperatorState, OperatorView, ProbeTools, ServedKind } from "./served-kind.js";

export const servedEmbedding: ServedKind<EmbeddingModel> = {
  describe: (model) => ({ embedding: describeCapabilities(model) }),
  describeForOperators,
  probe: probeEmbedding,
};

function describeCapabilities(model: EmbeddingModel): Schemas["EmbeddingCapabilities"] {
  return {
    dimensions: model.dimensions ?? null,
    matryoshka: model.matryoshka,
    max_inputs: model.maxInputs,
    max_tokens: model.maxTokens ?? null,
    encoding_formats: ["float", "base64"],
    output_dtypes: outputDtypesOf(model),
    input_types: takesTokens(model) ? ["text", "tokens"] : ["text"],
    input_modalities: modalitiesOf(model),
    input_images: model.inputImages === undefined ? null : describeInputImages(model.inputImages),
    input_media: model.inputMedia === undefined ? null : describeInputMedia(model.inputMedia),
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

function modalitiesOf({ inputImages, inputMedia }: EmbeddingModel) {
  const media = mediaKinds.filter((kind) => inputMedia?.[kind] !== undefined);
  return ["text" as const, ...(inputImages === undefined ? [] : (["image"] as const)), ...media];
}

function describeInputMedia(media: InputMedia): Schemas["InputMedia"] {
  return {
    file: describeKind("file", media),
    audio: describeKind("audio", media),
    video: describeKind("video", media),
  };
}

function describeKind(kind: MediaKind, media: InputMedia): Schemas["InputMediaLimits"] | null {
  const limits = media[kind];
  if (limits === undefined) return null;
  const { formats, maxPerInput, maxBytes, maxAmount } = limits;
  return {
    formats: [...formats],
    max_per_input: maxPerInput,
    max_bytes: maxBytes,
    max_pages: kind === "file" ? maxAmount : null,
    max_seconds: kind === "file" ? null : maxAmount,
  };
}

function takesTokens({ tokenizer, clientTokenizer }: EmbeddingModel): boolean {
  return tokenizer !== undefined || clientTokenizer !== undefined;
}

function describeForOperators(
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

const probeText = "The quick brown fox jumps over the lazy dog.";
const probeTokens = 16;

async function probeEmbedding(
  model: EmbeddingModel,
  { dispatcher, context }: ProbeTools,
): Promise<UsedAmounts> {
  const { promptTokens, reportedNanos, target } = await new BatchSender(dispatcher).send(
    { inputs: [probeText], tokens: probeTokens, needsNumbers: false, context },
    { model, options: { encoding_format: "float", inputType: model.inputType } },
  );
  const costNanos = callCost(target, promptTokens, { reportedNanos });
  return { ...nothingUsed, inputTokens: promptTokens, costNanos };
}
