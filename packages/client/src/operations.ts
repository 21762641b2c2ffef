import type { FileUpload } from "./file-upload.js";
import type { GatewayEvent } from "./gateway-events.js";
import type { EditForm, ImageLink, ProvenanceForm } from "./images/image-files.js";
import type { CallOptions, EmbeddingOptions, ImageOptions, JobOptions } from "./request-options.js";
import type { ClientCode, FaultCode, GatewayFault } from "./responses/gateway-fault.js";
import type { Failure, Result } from "./responses/result.js";
import type { components, errorCodes, operations } from "./spec.js";

/** One method for each operation of the spec. An object that lacks one does not compile. */
export type Operations = { readonly [K in OperationId]: Operation<K> };

/** The operations of this client: all but those in the form of another API, whose own clients call them. */
export type OperationId = Exclude<
  keyof operations,
  `${string}${"Azure" | "Ollama" | "Cohere" | "Voyage" | "Async"}${string}`
>;

/**
 * The method of an operation. Its arguments: the model, key, request, file or link of the path, the body or the query if
 * there is one, then the options.
 */
export type Operation<K extends OperationId> = (
  ...given: [...PathArgument<K>, ...BodyArgument<K>, ...QueryArgument<K>, options?: OptionsOf<K>]
) => Promise<Result<ResponseData<K>, FailureOf<K>>>;

/** The content of a 200: a document, a text, events, or the bytes of a file. */
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

/** The failures of an operation. `status` discriminates the members. */
export type FailureOf<K extends OperationId> =
  | FailureAt<FaultOf<K, ErrorStatus<K>>>
  | Failure<GatewayFault<Exclude<HttpStatus, ErrorStatus<K>>, ClientCode>>;

type FailureAt<Fault extends GatewayFault> = Fault extends unknown ? Failure<Fault> : never;

/** Why an operation fails with a status: its code is one that the spec lists for both, or this package's. */
export type FaultOf<K extends OperationId, Status extends ErrorStatus<K>> = Status extends unknown
  ? GatewayFault<Status, Extract<errorCodes[K][Status], FaultCode> | ClientCode>
  : never;

/** The statuses with which the gateway refuses or fails an operation. Others come from a proxy in between. */
export type ErrorStatus<K extends OperationId> = keyof errorCodes[K] & number;

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Every final HTTP status. `number` would leave nothing out when a status is compared. */
type HttpStatus = `${2 | 3 | 4 | 5}${Digit}${Digit}` extends infer Text
  ? Text extends `${infer Status extends number}`
    ? Status
    : never
  : never;

/** The query of an operation that lists or reports. */
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
    : K extends "retrieveJob"
      ? JobOptions
      : CallOptions;

type PathArgument<K extends OperationId> = K extends "retrieveImageFile"
  ? [link: ImageLink]
  : operations[K] extends { parameters: { path: { model: infer Model } } }
    ? [model: Model]
    : operations[K] extends { parameters: { path: { key: infer Key } } }
      ? [key: Key]
      : operations[K] extends { parameters: { path: { request_id: infer RequestId } } }
        ? [requestId: RequestId]
        : operations[K] extends { parameters: { path: { file: infer File } } }
          ? [file: File]
          : operations[K] extends { parameters: { path: { batch: infer Batch } } }
            ? [batch: Batch]
            : operations[K] extends { parameters: { path: { job: infer Job } } }
              ? [job: Job]
              : [];

/** Probes take no query, and the query of an image link is part of the link. */
type QueryArgument<K extends OperationId> = K extends
  | "listKeys"
  | "retrieveUsage"
  | "listRequests"
  | "listOwnRequests"
  | "retrieveOwnUsage"
  | "listFiles"
  | "listJobs"
  | "listAllJobs"
  | "streamEvents"
  | "listBatches"
  | "listAllBatches"
  ? [query?: QueryOf<K>]
  : [];

type BodyArgument<K extends OperationId> = K extends "createImageEdit"
  ? [edit: Whole<ImageEdit>]
  : K extends "createContentProvenanceCheck"
    ? [check: ProvenanceForm]
    : K extends "uploadFile"
      ? [upload: FileUpload]
      : operations[K] extends { requestBody: { content: { "application/json": infer Body } } }
        ? [body: K extends ImageOperationId ? Whole<Body> : Body]
        : [];
