import { isObject, listAt } from "../../domain/json.js";
import type { EmbeddingBatch } from "../../domain/requests.js";
import { GatewayError } from "../../errors.js";
import { cohereBody, cohereInputTypes, cohereOutputDtypes, cohereVectors } from "../dialects/cohere.js";
import type { EmbeddingTraits } from "../traits.js";
import { modelIdOf } from "./invoke.js";

/** Models with the same body and reply. */
export interface EmbeddingFamily {
  readonly traits: EmbeddingTraits;
  bodyOf(batch: EmbeddingBatch): object;
  /** The vectors in the order of the inputs, not yet verified. */
  vectorsOf(reply: Readonly<Record<string, unknown>>, batch: EmbeddingBatch): readonly unknown[];
}

const common = { encodings: ["float"], tooLong: "refused", takesUser: false } as const;

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
  },
  // Unlike Cohere's own API it has no base64.
  bodyOf: (batch) => cohereBody(batch, batch.outputDtype ?? "float"),
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
  },
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
  },
  bodyOf: ({ inputs: [value], inputType, dimensions }) => ({
    schemaVersion: "nova-multimodal-embed-v1",
    taskType: "SINGLE_EMBEDDING",
    singleEmbeddingParams: {
      embeddingPurpose: inputType,
      embeddingDimension: dimensions,
      text: { value, truncationMode: "NONE" },
    },
  }),
  vectorsOf: (reply) => listAt(reply, "embeddings").map(novaVector),
};

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
