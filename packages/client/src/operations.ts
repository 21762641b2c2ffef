import type { GatewayEvent } from "./gateway-events.js";
import type { EditForm, ImageLink } from "./images/image-files.js";
import type { CallOptions, EmbeddingOptions, ImageOptions } from "./request-options.js";
import type { FailureOf } from "./responses/failure-of.js";
import type { Result } from "./responses/result.js";
import type { components, operations } from "./spec.js";

/** One method for each operation of the spec. An object that lacks one does not compile. */
export type Operations = { readonly [K in OperationId]: Operation<K> };

/** The operations of this client: all but those in the form of another API, whose own clients call them. */
export type OperationId = Exclude<keyof operations, `${string}Azure${string}` | `${string}Ollama${string}`>;

/**
 * The method of an operation. Its arguments: the model, key, request or link of the path, the body or the query if there is
 * one, then the options.
 */
export type Operation<K extends OperationId> = (
  ...given: [...PathArgument<K>, ...BodyArgument<K>, ...QueryArgument<K>, options?: OptionsOf<K>]
) => Promise<Result<ResponseData<K>, FailureOf<K>>>;

/** What the 200 of an operation holds: a document, a text, events, or the bytes of an image. */
export type ResponseData<K extends OperationId> = operations[K] extends {
  responses: { 200: { content: { "application/json": infer Document } } };
}
  ? Document
  : operations[K] extends { responses: { 200: { content: { "text/plain": string } } } }
    ? string
    : K extends "streamEvents"
      ? AsyncIterable<GatewayEvent>
      : Blob;

/** The operations that respond with a document. */
export type DocumentId = {
  [K in OperationId]: ResponseData<K> extends Blob | string | AsyncIterable<unknown> ? never : K;
}[OperationId];

/** The query of an operation of the admin API. */
export type QueryOf<K extends OperationId> = operations[K] extends { parameters: { query?: infer Query } }
  ? Readonly<NonNullable<Query>>
  : never;

/** An edit: a form with files, or JSON with the images as data URLs or `https` URLs. */
export type ImageEdit = EditForm | components["schemas"]["CreateImageEditRequest"];

/** A body of an image operation whose response is one document. */
export type Whole<Body> = Body extends unknown
  ? Omit<Body, "stream" | "partial_images"> & { readonly stream?: false | null }
  : never;

/** A body of an image operation whose response is a stream. The client adds `stream`. */
export type Streamed<Body> = Body extends unknown ? Omit<Body, "stream"> & { readonly stream?: true } : never;

type ImageOperationId = "createImage" | "createImageEdit";

type OptionsOf<K extends OperationId> = K extends ImageOperationId
  ? ImageOptions
  : K extends "createEmbedding" | "createEmbeddingLegacy"
    ? EmbeddingOptions
    : CallOptions;

type PathArgument<K extends OperationId> = K extends "retrieveImageFile"
  ? [link: ImageLink]
  : operations[K] extends { parameters: { path: { model: infer Model } } }
    ? [model: Model]
    : operations[K] extends { parameters: { path: { key: infer Key } } }
      ? [key: Key]
      : operations[K] extends { parameters: { path: { request_id: infer RequestId } } }
        ? [requestId: RequestId]
        : [];

/** Probes take no query, and the query of an image link is part of the link. */
type QueryArgument<K extends OperationId> = K extends
  | "listKeys"
  | "retrieveUsage"
  | "listRequests"
  | "streamEvents"
  ? [query?: QueryOf<K>]
  : [];

type BodyArgument<K extends OperationId> = K extends "createImageEdit"
  ? [edit: Whole<ImageEdit>]
  : operations[K] extends { requestBody: { content: { "application/json": infer Body } } }
    ? [body: K extends ImageOperationId ? Whole<Body> : Body]
    : [];
