import type { components, operations } from "@model-gateway/spec";

/** The operations of the spec, by name. Everything that is done once an operation is a table keyed by this. */
export type OperationId = keyof operations;

/** The operations that a model answers. */
export type ModelOperation = "createEmbedding" | "createImage" | "createImageEdit";

/** The schemas of the spec, by name. */
export type Schemas = components["schemas"];

/** What a valid request of an operation carries. */
export type RequestBody<K extends OperationId> = operations[K] extends {
  requestBody: { content: infer Content };
}
  ? Content[keyof Content]
  : undefined;

/** What an operation answers with as JSON when it succeeds. */
export type ResponseBody<K extends OperationId> = operations[K] extends {
  responses: { 200: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** The parameters in the query of an operation, as the spec types them. */
export type QueryParameters<K extends OperationId> = operations[K] extends {
  parameters: { query?: infer Query };
}
  ? NonNullable<Query>
  : Record<never, never>;

/** The parameters in the path of an operation. */
export type PathParameters<K extends OperationId> = operations[K] extends {
  parameters: { path: infer Path };
}
  ? Path
  : Record<never, never>;
