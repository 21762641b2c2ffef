import type { ImageEditEvent, ImageEvent } from "./images/image-stream.js";
import type { ImageEdit, Operation, Operations, QueryOf, Streamed } from "./operations.js";
import type { CallOptions, StreamOptions } from "./request-options.js";
import type { NotReady, Readiness } from "./responses/read-response.js";
import type { Result, Success } from "./responses/result.js";
import type { components } from "./spec.js";

/** Every operation of the gateway by its operationId. The members are listed so that editors show their comments. */
export interface GatewayClient extends Operations {
  /** Turns each input into a vector. `data.data` has one entry for each input, in the same order. */
  readonly createEmbedding: Operation<"createEmbedding">;

  /**
   * The same with the model in the path.
   * @deprecated Use `createEmbedding`.
   */
  readonly createEmbeddingLegacy: Operation<"createEmbeddingLegacy">;

  /** Creates images from a prompt and resolves when all are finished. */
  readonly createImage: Operation<"createImage">;

  /** Creates images from a prompt and yields each one as it is created. */
  readonly createImageStream: (
    body: Streamed<components["schemas"]["CreateImageRequest"]>,
    options?: StreamOptions,
  ) => Promise<Result<AsyncIterable<ImageEvent>>>;

  /** Creates images from other images and a prompt, and resolves when all are finished. */
  readonly createImageEdit: Operation<"createImageEdit">;

  /** Creates images from other images and a prompt, and yields each one as it is created. */
  readonly createImageEditStream: (
    edit: Streamed<ImageEdit>,
    options?: StreamOptions,
  ) => Promise<Result<AsyncIterable<ImageEditEvent>>>;

  /**
   * The image behind a link: the `url` of an image response, or its parts. Neither the key nor the headers of the
   * client are sent with it.
   */
  readonly retrieveImageFile: Operation<"retrieveImageFile">;

  /** Every model that the gateway serves. */
  readonly listModels: Operation<"listModels">;

  /** One model and what it can do. */
  readonly retrieveModel: Operation<"retrieveModel">;

  /** The keys created with `createKey`, newest first. Like all operations below except the probes, it needs `adminKey`. */
  readonly listKeys: Operation<"listKeys">;

  /** Creates a key. `data.value` is its secret, which cannot be retrieved again. */
  readonly createKey: Operation<"createKey">;

  /** One key and its permissions. */
  readonly retrieveKey: Operation<"retrieveKey">;

  /** Changes the fields in the body and leaves the rest. Null removes a restriction. */
  readonly changeKey: Operation<"changeKey">;

  /** Revokes a key for good, within a second on every gateway. */
  readonly revokeKey: Operation<"revokeKey">;

  /** Usage, grouped as the query says. */
  readonly retrieveUsage: Operation<"retrieveUsage">;

  /** Usage as CSV. */
  readonly retrieveUsageTable: (
    query?: QueryOf<"retrieveUsage">,
    options?: CallOptions,
  ) => Promise<Result<string>>;

  /** Requests, newest first. */
  readonly listRequests: Operation<"listRequests">;

  /** Requests as CSV. The cursor of the next page is in the header `x-next-cursor` of `response`. */
  readonly listRequestsTable: (
    query?: QueryOf<"listRequests">,
    options?: CallOptions,
  ) => Promise<Result<string>>;

  /** Every model with the targets that serve it. */
  readonly listAdminModels: Operation<"listAdminModels">;

  /** Every upstream and its current state. */
  readonly listUpstreams: Operation<"listUpstreams">;

  /** Metrics in the text format of Prometheus. */
  readonly readMetrics: Operation<"readMetrics">;

  /** Whether the process is alive. Needs no key. */
  readonly checkHealth: Operation<"checkHealth">;

  /** Whether the gateway can serve requests, and if not, why. Needs no key. */
  readonly checkReadiness: (options?: CallOptions) => Promise<Success<Readiness> | NotReady>;
}
