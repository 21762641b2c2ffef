/** What the package offers. Everything else is free to change. */
export { type ClientSettings, createClient } from "./create-client.js";
export { decodeEmbedding } from "./decode-embedding.js";
export type { EditForm } from "./edit-form.js";
export type { GatewayClient } from "./gateway-client.js";
export type { GatewayFault } from "./gateway-fault.js";
export { GatewayRequestError } from "./gateway-request-error.js";
export type { ImageEditEvent, ImageEvent } from "./image-events.js";
export type { ImageLink } from "./image-link.js";
export type {
  CallOptions,
  EmbeddingOptions,
  ImageEdit,
  ImageOptions,
  OperationId,
  QueryOf,
  StreamOptions,
} from "./operations.js";
export type { PictureFile } from "./picture-file.js";
export type { NotReady, Readiness } from "./readiness.js";
export type { Failure, Result, Success } from "./result.js";
export type { components, operations, paths } from "./spec.js";
export { unwrap } from "./unwrap.js";
