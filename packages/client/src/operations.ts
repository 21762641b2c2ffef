import type { EditForm } from "./edit-form.js";
import type { ImageLink } from "./image-link.js";
import type { Result } from "./result.js";
import type { components, operations } from "./spec.js";

/** One method for each operation of the spec. An object that lacks one does not compile. */
export type Operations = { readonly [K in OperationId]: Operation<K> };

export type OperationId = keyof operations;

/**
 * The method of an operation: the model, key or link that is in the path, the body or the query if there is one, then
 * the options.
 */
export type Operation<K extends OperationId> = (
  ...given: [...PathArgument<K>, ...BodyArgument<K>, ...QueryArgument<K>, options?: OptionsOf<K>]
) => Promise<Result<Answer<K>>>;

/** What any call takes beside its body. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Sent beside the headers of the client, and in their place where the names are the same. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What a call for vectors takes beside its body. */
export interface EmbeddingOptions extends CallOptions {
  /** `no-cache` asks for vectors that are made now; `no-store` asks that they are not kept either. */
  readonly cache?: "no-cache" | "no-store" | undefined;
}

/** What a call for pictures takes beside its body. */
export interface ImageOptions extends CallOptions {
  /** A name of your own for the request. Sent again with the same name and body, it is not made or paid twice. */
  readonly idempotencyKey?: string | undefined;
  /** Accepts fewer pictures than `n` when some can not be made. Without it a call fails as a whole. */
  readonly allowPartial?: boolean | undefined;
}

/** What a call that answers with a stream takes beside its body. */
export interface StreamOptions extends ImageOptions {
  /** The largest event that is read before the stream is given up. 64 MiB when it is left out. */
  readonly eventBytesMax?: number | undefined;
}

/** What an operation answers with a 200: a document, a text, or the bytes of a picture. */
export type Answer<K extends OperationId> = operations[K] extends {
  responses: { 200: { content: { "application/json": infer Document } } };
}
  ? Document
  : operations[K] extends { responses: { 200: { content: { "text/plain": string } } } }
    ? string
    : Blob;

/** The operations that answer with a document. */
export type DocumentId = { [K in OperationId]: Answer<K> extends Blob | string ? never : K }[OperationId];

/** What can be asked for with an operation of the admin API. */
export type QueryOf<K extends OperationId> = operations[K] extends { parameters: { query?: infer Query } }
  ? Readonly<NonNullable<Query>>
  : never;

/** An edit: a form with files, or JSON with the pictures as data URLs or `https` URLs. */
export type ImageEdit = EditForm | components["schemas"]["CreateImageEditRequest"];

/** A body of an image operation whose answer is one document. */
export type Whole<Body> = Body extends unknown
  ? Omit<Body, "stream" | "partial_images"> & { readonly stream?: false | null }
  : never;

/** A body of an image operation whose answer is a stream. `stream` is added by the client. */
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
      : [];

/** The probes have no questions, and the parts of a link are in the link. */
type QueryArgument<K extends OperationId> = K extends "listKeys" | "retrieveUsage" | "listRequests"
  ? [query?: QueryOf<K>]
  : [];

type BodyArgument<K extends OperationId> = K extends "createImageEdit"
  ? [edit: Whole<ImageEdit>]
  : operations[K] extends { requestBody: { content: { "application/json": infer Body } } }
    ? [body: K extends ImageOperationId ? Whole<Body> : Body]
    : [];
