import type { ImageEditEvent, ImageEvent } from "./image-events.js";
import type {
  CallOptions,
  ImageEdit,
  Operation,
  Operations,
  QueryOf,
  Streamed,
  StreamOptions,
} from "./operations.js";
import type { NotReady, Readiness } from "./readiness.js";
import type { Result, Success } from "./result.js";
import type { components } from "./spec.js";

/** Every operation of the gateway by its operationId. The members are repeated for what an editor shows on them. */
export interface GatewayClient extends Operations {
  /** Turns each input into a vector. `data.data` has one entry for each input, in their order. */
  readonly createEmbedding: Operation<"createEmbedding">;

  /**
   * The same with the model in the path.
   * @deprecated Use `createEmbedding`.
   */
  readonly createEmbeddingLegacy: Operation<"createEmbeddingLegacy">;

  /** Draws pictures from a prompt and answers when all are finished. */
  readonly createImage: Operation<"createImage">;

  /** Draws pictures from a prompt and hands over each as it is made. */
  readonly createImageStream: (
    body: Streamed<components["schemas"]["CreateImageRequest"]>,
    options?: StreamOptions,
  ) => Promise<Result<AsyncIterable<ImageEvent>>>;

  /** Draws new pictures from pictures and a prompt and answers when all are finished. */
  readonly createImageEdit: Operation<"createImageEdit">;

  /** Draws new pictures from pictures and a prompt and hands over each as it is made. */
  readonly createImageEditStream: (
    edit: Streamed<ImageEdit>,
    options?: StreamOptions,
  ) => Promise<Result<AsyncIterable<ImageEditEvent>>>;

  /**
   * The picture behind a link: the `url` of an image answer as it is, or its parts. Neither the key nor the headers of
   * the client are sent with it.
   */
  readonly retrieveImageFile: Operation<"retrieveImageFile">;

  /** Every model that the gateway serves. */
  readonly listModels: Operation<"listModels">;

  /** One model and what it can do. */
  readonly retrieveModel: Operation<"retrieveModel">;

  /** The keys that were made with `createKey`, the newest first. As all below, but the probes, it needs `adminKey`. */
  readonly listKeys: Operation<"listKeys">;

  /** Makes a key. `data.value` is its secret, which is not to be had again. */
  readonly createKey: Operation<"createKey">;

  /** One key, and what it may do. */
  readonly retrieveKey: Operation<"retrieveKey">;

  /** Changes what the body names and leaves the rest; null takes a restriction away. */
  readonly changeKey: Operation<"changeKey">;

  /** Stops a key for good, within a second on every gateway. */
  readonly revokeKey: Operation<"revokeKey">;

  /** What was used, grouped as the query says. */
  readonly retrieveUsage: Operation<"retrieveUsage">;

  /** The same as a table for a spreadsheet. */
  readonly retrieveUsageTable: (
    query?: QueryOf<"retrieveUsage">,
    options?: CallOptions,
  ) => Promise<Result<string>>;

  /** Requests, the newest first. */
  readonly listRequests: Operation<"listRequests">;

  /** The same as a table; the cursor of the next part is in the header `x-next-cursor` of `response`. */
  readonly listRequestsTable: (
    query?: QueryOf<"listRequests">,
    options?: CallOptions,
  ) => Promise<Result<string>>;

  /** Every model with the targets that serve it. */
  readonly listAdminModels: Operation<"listAdminModels">;

  /** Every upstream, and how it does now. */
  readonly listUpstreams: Operation<"listUpstreams">;

  /** Metrics in the text format of Prometheus. */
  readonly readMetrics: Operation<"readMetrics">;

  /** Whether the process lives. Needs no key. */
  readonly checkHealth: Operation<"checkHealth">;

  /** Whether requests can be served, and if not, why. Needs no key. */
  readonly checkReadiness: (options?: CallOptions) => Promise<Success<Readiness> | NotReady>;
}
