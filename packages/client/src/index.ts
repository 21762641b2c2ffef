/** The public API. Everything else may change. */
export { type ClientSettings, createClient } from "./create-client.js";
export { decodeBinaryEmbedding, decodeEmbedding } from "./decode-embedding.js";
export type { EditForm, FileContent, FileUpload, ImageEdit } from "./form.js";
export type { GatewayClient } from "./gateway-client.js";
export { imagePart } from "./images/embedding-image.js";
export type { ImageLink } from "./images/image-link.js";
export type {
  ErrorStatus,
  FailureOf,
  FaultOf,
  GatewayEvent,
  ImageEditEvent,
  ImageEvent,
  OperationId,
  QueryOf,
} from "./operations.js";
export type {
  CallOptions,
  EmbeddingOptions,
  ImageOptions,
  JobOptions,
  StreamOptions,
} from "./request-options.js";
export type { FaultCode, GatewayFault } from "./responses/gateway-fault.js";
export type { NotReady, Readiness } from "./responses/readiness.js";
export { type Failure, GatewayRequestError, type Result, type Success, unwrap } from "./responses/result.js";
export type { RetryOptions } from "./retry.js";
export type { components, errorCodes, operations, paths } from "./spec.js";
