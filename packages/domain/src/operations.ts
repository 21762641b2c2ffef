import type { components, operations } from "@model-gateway/spec";

/** The operations of the spec, by name. Anything defined once per operation is a table keyed by this. */
export type OperationId = keyof operations;

/** The types of models, as the configuration and the API name them. Each is a folder in `models/kinds`. */
export const modelTypes = ["embedding", "image"] as const;
export type ModelType = (typeof modelTypes)[number];

/** The operations that a model of each type may serve. */
export type ModelOperations = {
  readonly embedding: "createEmbedding";
  readonly image: "createImage" | "createImageEdit";
};
export type ModelOperation = ModelOperations[ModelType];
export type ImageOperation = ModelOperations["image"];

/** The path of each. */
export const modelPaths: Readonly<Record<ModelOperation, string>> = {
  createEmbedding: "/v1/embeddings",
  createImage: "/v1/images/generations",
  createImageEdit: "/v1/images/edits",
};

/** The schemas of the spec, by name. */
export type Schemas = components["schemas"];

/** The body of a valid request. */
export type RequestBody<K extends OperationId> = operations[K] extends {
  requestBody: { content: infer Content };
}
  ? Content[keyof Content]
  : undefined;

/** The JSON body of a successful response. */
export type ResponseBody<K extends OperationId> = operations[K] extends {
  responses: { 200: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** The JSON body of a response with the status 202. */
export type AcceptedBody<K extends OperationId> = operations[K] extends {
  responses: { 202: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** The query parameters of an operation. */
export type QueryParameters<K extends OperationId> = operations[K] extends {
  parameters: { query?: infer Query };
}
  ? [NonNullable<Query>] extends [never]
    ? Record<never, never>
    : NonNullable<Query>
  : Record<never, never>;

/** The path parameters of an operation. */
export type PathParameters<K extends OperationId> = operations[K] extends {
  parameters: { path: infer Path };
}
  ? Path
  : Record<never, never>;

interface OperationTraits {
  /** Default time limit of one attempt. */
  readonly timeoutMs: number;
  /** Its name in OpenTelemetry's conventions for generative AI. */
  readonly genAiName: string;
  /** The word of those conventions for its output, if they have one. */
  readonly genAiOutput?: string;
  /** Whether a call that may have been billed is made again. If not, a retry needs proof that nothing was created. */
  readonly isRepeatable: boolean;
}

const embedding: OperationTraits = { timeoutMs: 60_000, genAiName: "embeddings", isRepeatable: true };
const image: OperationTraits = {
  timeoutMs: 300_000,
  genAiName: "generate_content",
  genAiOutput: "image",
  isRepeatable: false,
};

/**
 * The operations that call a model. They are metered and billed: each request has a row in the ledger. All other
 * operations are served without a model.
 */
export const billedOperations = {
  createEmbedding: embedding,
  createEmbeddingLegacy: embedding,
  createImage: image,
  createImageEdit: image,
} as const satisfies Partial<Record<OperationId, OperationTraits>> & Record<ModelOperation, OperationTraits>;

/**
 * Operations at the paths of another API. Limits, the ledger, metrics, traces and the log record each as the operation
 * that it aliases, so that usage does not depend on the client.
 */
const aliases: Partial<Record<OperationId, OperationId>> = {
  createAzureDeploymentEmbedding: "createEmbedding",
  createAzureDeploymentImage: "createImage",
  createAzureDeploymentImageEdit: "createImageEdit",
  createAzureEmbedding: "createEmbedding",
  createAzureImage: "createImage",
  createAzureImageEdit: "createImageEdit",
  listAzureDeploymentModels: "listModels",
  listAzureModels: "listModels",
  createAsyncImage: "createImage",
  createAsyncImageEdit: "createImageEdit",
  retrieveAsyncImage: "retrieveJob",
  retrieveAsyncImageEdit: "retrieveJob",
  createCohereEmbedding: "createEmbedding",
  createVoyageEmbedding: "createEmbedding",
  createOllamaEmbedding: "createEmbedding",
  createOllamaEmbeddingLegacy: "createEmbedding",
  listOllamaModels: "listModels",
  listRunningOllamaModels: "listModels",
  retrieveOllamaModel: "retrieveModel",
};

/** The operation that a request is metered as. */
export function meteredOperation(operation: OperationId): OperationId {
  return aliases[operation] ?? operation;
}

/** The traits of an operation; undefined where it calls no model. */
export function traitsOf(operation: OperationId): OperationTraits | undefined {
  const traits: Partial<Record<OperationId, OperationTraits>> = billedOperations;
  return traits[operation];
}
