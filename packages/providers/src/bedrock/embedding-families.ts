import { filesOf, imagesOf, textsOf } from "@model-gateway/domain/content-input";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { MediaInput } from "@model-gateway/domain/media-input";
import type { ContentBatch, EmbeddingBatch } from "@model-gateway/domain/requests";
import { isObject, listAt } from "@model-gateway/runtime/json";
import {
  cohereBody,
  cohereContentBody,
  cohereInputTypes,
  cohereOutputDtypes,
  cohereV3Images,
  cohereV4Images,
  cohereVectors,
} from "../dialects/cohere.js";
import { checkPixels } from "../dialects/embeddings/content-parts.js";
import { dataUrls, type PlaceImage } from "../dialects/images/image-body.js";
import type { EmbeddingTraits } from "../traits.js";
import { modelIdOf } from "./invoke.js";

/** Models with the same body and reply. */
export interface EmbeddingFamily {
  readonly traits: EmbeddingTraits;
  readonly bodyOf: (batch: EmbeddingBatch) => object;
  /** The body for inputs with images. Absent: it takes text alone. */
  readonly contentBodyOf?: (batch: ContentBatch, base64: PlaceImage) => object;
  /** The vectors in the order of the inputs, not yet verified. */
  readonly vectorsOf: (reply: Readonly<Record<string, unknown>>, form: BatchForm) => readonly unknown[];
}

export type BatchForm = Pick<EmbeddingBatch, "outputDtype">;

const common = { encodings: ["float"], tooLong: "refused", takesUser: false } as const;

/** The service takes 25 MB in one request, and base64 has four letters for three bytes. */
const imageBytesMax = 18_000_000;
const oneImage = {
  maxInputs: 1,
  maxImagesPerInput: 1,
  maxImagesPerRequest: 1,
  maxImageBytes: imageBytesMax,
  maxImageBytesPerRequest: imageBytesMax,
} as const;

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html */
const titanV2: EmbeddingFamily = {
  traits: {
    ...common,
    maxInputs: 1,
    maxTokens: 8192,
    dimensions: "pass",
    widths: [256, 512, 1024],
    unitVectors: "always",
  },
  bodyOf: ({ inputs: [inputText], dimensions }) => ({ inputText, dimensions, normalize: true }),
  vectorsOf: ({ embedding }) => [embedding],
};

const titanV1: EmbeddingFamily = {
  traits: { ...common, maxInputs: 1, maxTokens: 8192, dimensions: "emulate", unitVectors: "not-always" },
  bodyOf: ({ inputs: [inputText] }) => ({ inputText }),
  vectorsOf: ({ embedding }) => [embedding],
};

/**
 * A text, an image, or one of each, whose vector is the mean of both.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-mm.html
 */
const titanImage: EmbeddingFamily = {
  traits: {
    ...common,
    maxInputs: 1,
    maxTokens: 256,
    dimensions: "pass",
    widths: [256, 384, 1024],
    unitVectors: "not-always",
    inputImages: { ...oneImage, imageTypes: ["png", "jpeg"] },
  },
  bodyOf: ({ inputs: [inputText], dimensions }) => ({ inputText, ...titanWidth(dimensions) }),
  contentBodyOf: ({ inputs, dimensions }, base64) => {
    checkPixels(inputs, { sideMax: 2048 });
    const [inputText, ...otherTexts] = inputs.flatMap(textsOf);
    if (otherTexts.length > 0) {
      const reason = "this model takes one text and one image an input";
      throw errorOf(
        "unsupported_modality",
        { param: "input", reason },
        { inputIndex: 0, nothingBilled: true },
      );
    }
    const [inputImage] = inputs.flatMap(imagesOf).map(base64);
    return { inputText, inputImage, ...titanWidth(dimensions) };
  },
  vectorsOf: ({ embedding, message }) => {
    // A failure of the model is in the body of a reply with status 200.
    if (typeof message === "string" && message !== "")
      throw new GatewayError("upstream_error", "The upstream reported a failure instead of a vector.");
    return [embedding];
  },
};

function titanWidth(outputEmbeddingLength: number | undefined): object {
  return outputEmbeddingLength === undefined ? {} : { embeddingConfig: { outputEmbeddingLength } };
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed-v3.html */
const cohereV3: EmbeddingFamily = {
  traits: {
    ...common,
    maxInputs: 96,
    maxTokens: 512,
    outputDtypes: cohereOutputDtypes,
    inputTypes: cohereInputTypes,
    requiresInputType: true,
    dimensions: "emulate",
    unitVectors: "unknown",
    inputImages: { ...cohereV3Images, imageTypes: ["png", "jpeg"] },
  },
  // Unlike Cohere's own API it has no base64.
  bodyOf: (batch) => cohereBody(batch, batch.outputDtype ?? "float"),
  contentBodyOf: (batch, base64) =>
    cohereContentBody(batch, { form: batch.outputDtype ?? "float", version: 3, dataUrl: dataUrls(base64) }),
  vectorsOf: (reply, { outputDtype }) => cohereVectors(reply, outputDtype ?? "float"),
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed-v4.html */
const cohereV4: EmbeddingFamily = {
  ...cohereV3,
  traits: {
    ...cohereV3.traits,
    maxTokens: 128_000,
    dimensions: "pass",
    widths: [256, 512, 1024, 1536],
    inputImages: {
      ...cohereV4Images,
      maxImagesPerRequest: 96,
      maxImageBytes: imageBytesMax,
      maxImageBytesPerRequest: imageBytesMax,
    },
  },
  contentBodyOf: (batch, base64) =>
    cohereContentBody(batch, { form: batch.outputDtype ?? "float", version: 4, dataUrl: dataUrls(base64) }),
};

/** https://docs.aws.amazon.com/nova/latest/userguide/embeddings-schema.html */
const nova: EmbeddingFamily = {
  traits: {
    ...common,
    maxInputs: 1,
    maxTokens: 8192,
    // One must be sent, and an index and a query have different ones.
    inputTypes: new Map([
      ["query", "TEXT_RETRIEVAL"],
      ["document", "GENERIC_INDEX"],
      ["classification", "CLASSIFICATION"],
      ["clustering", "CLUSTERING"],
      ...[
        "GENERIC_INDEX",
        "GENERIC_RETRIEVAL",
        "TEXT_RETRIEVAL",
        "IMAGE_RETRIEVAL",
        "VIDEO_RETRIEVAL",
        "DOCUMENT_RETRIEVAL",
        "AUDIO_RETRIEVAL",
        "CLASSIFICATION",
        "CLUSTERING",
      ].map((word): [string, string] => [word, word]),
    ]),
    requiresInputType: true,
    dimensions: "pass",
    widths: [256, 384, 1024, 3072],
    unitVectors: "not-always",
    inputImages: { ...oneImage, mixesParts: false },
    // Longer ones are cut into segments, by calls that write to a bucket.
    inputMedia: {
      audio: { formats: ["mp3", "wav", "ogg"], maxBytes: imageBytesMax, maxAmount: 30 },
      video: { maxBytes: imageBytesMax, maxAmount: 30 },
    },
  },
  bodyOf: (batch) => {
    const [value] = batch.inputs;
    return novaBody(batch, { text: { value, truncationMode: "NONE" } });
  },
  contentBodyOf: (batch, base64) => {
    const [image] = batch.inputs.flatMap(filesOf);
    if (image === undefined) throw new Error("A content without a file is a text.");
    if ("kind" in image) return novaBody(batch, novaMedia(image, base64));
    const { format } = image;
    // The price of an image depends on its detail, so that the default is named.
    return novaBody(batch, {
      image: { detailLevel: "STANDARD_IMAGE", format, source: { bytes: base64(image) } },
    });
  },
  vectorsOf: (reply) => listAt(reply, "embeddings").map(novaVector),
};

function novaBody(
  { inputType, dimensions }: Pick<EmbeddingBatch, "inputType" | "dimensions">,
  input: object,
): object {
  return {
    schemaVersion: "nova-multimodal-embed-v1",
    taskType: "SINGLE_EMBEDDING",
    singleEmbeddingParams: { embeddingPurpose: inputType, embeddingDimension: dimensions, ...input },
  };
}

/** Sound and pictures of a video have one vector together. */
function novaMedia(media: MediaInput, base64: PlaceImage): object {
  const { kind, format } = media;
  const source = { bytes: base64(media) };
  return kind === "audio"
    ? { audio: { format, source } }
    : { video: { format, embeddingMode: "AUDIO_VIDEO_COMBINED", source } };
}

function novaVector(item: unknown): unknown {
  if (!isObject(item)) return undefined;
  // It is not asked to truncate. A truncated text's vector must not pass for that of the whole.
  if (typeof item.truncatedCharLength === "number")
    throw new GatewayError(
      "context_length_exceeded",
      (param) => `Invalid '${param}': it is too long for this model.`,
      {
        param: "input",
        inputIndex: 0,
      },
    );
  return item.embedding;
}

const families: readonly (readonly [prefix: string, family: EmbeddingFamily])[] = [
  ["amazon.titan-embed-text-v2", titanV2],
  ["amazon.titan-embed-text-v1", titanV1],
  ["amazon.titan-embed-g1-text", titanV1],
  ["amazon.titan-embed-image-v1", titanImage],
  ["amazon.nova-2-multimodal-embeddings", nova],
  ["cohere.embed-english-v3", cohereV3],
  ["cohere.embed-multilingual-v3", cohereV3],
  ["cohere.embed-v4", cohereV4],
];

/** Undefined for a model that is of none. */
export function embeddingFamilyOf(model: string): EmbeddingFamily | undefined {
  const id = modelIdOf(model);
  return families.find(([prefix]) => id.startsWith(prefix))?.[1];
}

/** The traits of a name without a family. No call is sent for it. */
export const unknownEmbeddingTraits: EmbeddingTraits = {
  ...common,
  dimensions: "emulate",
  tooLong: "unknown",
  unitVectors: "unknown",
};
