import { filesOf, imagesOf, textsOf } from "@model-gateway/domain/content-input";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { MediaInput } from "@model-gateway/domain/media-input";
import { imageModality, type ModelFacts } from "@model-gateway/domain/model-facts";
import type { ContentBatch, EmbeddingBatch } from "@model-gateway/domain/requests";
import { isObject, listAt } from "@model-gateway/runtime/json";
import { cohereBody, cohereContentBody, cohereInputTypes, cohereVectors } from "../dialects/cohere.js";
import { checkPixels } from "../dialects/embeddings/content-parts.js";
import { embeddingTraits } from "../dialects/embeddings/embedding-traits.js";
import { dataUrls, type PlaceImage } from "../dialects/images/image-body.js";
import type { EmbeddingTraits } from "../traits.js";

/** Models with the same body and reply. */
export interface EmbeddingFamily {
  /** The traits that its form of request fixes. */
  readonly traits?: Pick<EmbeddingTraits, "inputTypes" | "requiresInputType">;
  readonly bodyOf: (batch: EmbeddingBatch) => object;
  /** The body for inputs with images. Absent: it takes text alone. */
  readonly contentBodyOf?: (batch: ContentBatch, base64: PlaceImage, facts: ModelFacts | undefined) => object;
  /** The vectors in the order of the inputs, not yet verified. */
  readonly vectorsOf: (reply: Readonly<Record<string, unknown>>, form: BatchForm) => readonly unknown[];
}

export type BatchForm = Pick<EmbeddingBatch, "outputDtype">;

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html */
const titan: EmbeddingFamily = {
  bodyOf: ({ inputs: [inputText], dimensions }) => ({ inputText, dimensions, normalize: true }),
  vectorsOf: ({ embedding }) => [embedding],
};

/** Without a width, and without a length of 1. */
const titanPlain: EmbeddingFamily = {
  bodyOf: ({ inputs: [inputText] }) => ({ inputText }),
  vectorsOf: ({ embedding }) => [embedding],
};

/**
 * A text, an image, or one of each, whose vector is the mean of both.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-mm.html
 */
const titanImage: EmbeddingFamily = {
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

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html */
const cohere: EmbeddingFamily = {
  traits: { inputTypes: cohereInputTypes, requiresInputType: true },
  // Unlike Cohere's own API it has no base64.
  bodyOf: (batch) => cohereBody(batch, batch.outputDtype ?? "float"),
  contentBodyOf: (batch, base64, facts) =>
    cohereContentBody(batch, {
      form: batch.outputDtype ?? "float",
      mixesParts: imageModality(facts)?.mixes !== false,
      dataUrl: dataUrls(base64),
    }),
  vectorsOf: (reply, { outputDtype }) => cohereVectors(reply, outputDtype ?? "float"),
};

/** https://docs.aws.amazon.com/nova/latest/userguide/embeddings-schema.html */
const nova: EmbeddingFamily = {
  traits: {
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

const families = { titan, "titan-plain": titanPlain, "titan-image": titanImage, cohere, nova } as const;
export const embeddingVariants = Object.keys(families) as (keyof typeof families)[];

/** Undefined for a model of which the catalogue does not say how it is called. */
export function embeddingFamilyOf(facts: ModelFacts | undefined): EmbeddingFamily | undefined {
  const variant = embeddingVariants.find((one) => one === facts?.variant);
  return variant && families[variant];
}

/** No call is sent for a model without a family. */
export function embeddingTraitsOf(facts: ModelFacts | undefined): EmbeddingTraits {
  return embeddingTraits(facts, {
    encodings: ["float"],
    tooLong: "refused",
    takesUser: false,
    dimensions: "emulate",
    unitVectors: "unknown",
    ...embeddingFamilyOf(facts)?.traits,
  });
}
