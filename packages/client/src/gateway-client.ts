import type { ImageEditEvent, ImageEvent } from "./images/image-stream.js";
import type {
  FailureOf,
  ImageEdit,
  Operation,
  Operations,
  QueryOf,
  ResponseData,
  Streamed,
  Whole,
} from "./operations.js";
import type { CallOptions, ImageOptions, StreamOptions } from "./request-options.js";
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
  ) => Promise<Result<AsyncIterable<ImageEvent>, FailureOf<"createImage">>>;

  /** Creates images from other images and a prompt, and resolves when all are finished. */
  readonly createImageEdit: Operation<"createImageEdit">;

  /** Creates images from other images and a prompt, and yields each one as it is created. */
  readonly createImageEditStream: (
    edit: Streamed<ImageEdit>,
    options?: StreamOptions,
  ) => Promise<Result<AsyncIterable<ImageEditEvent>, FailureOf<"createImageEdit">>>;

  /**
   * The image behind a link: the `url` of an image response, or its parts. Neither the key nor the headers of the
   * client are sent with it.
   */
  readonly retrieveImageFile: Operation<"retrieveImageFile">;

  /** Looks for content credentials and watermarks in an image. */
  readonly createContentProvenanceCheck: Operation<"createContentProvenanceCheck">;

  /** Creates images by a job, and resolves at once. Retrieve the job with `waitSeconds` until it has ended. */
  readonly createImageJob: (
    body: Whole<components["schemas"]["CreateImageRequest"]>,
    options?: ImageOptions,
  ) => Promise<Result<components["schemas"]["Job"], FailureOf<"createImage">>>;

  /** The same for an edit. */
  readonly createImageEditJob: (
    edit: Whole<ImageEdit>,
    options?: ImageOptions,
  ) => Promise<Result<components["schemas"]["Job"], FailureOf<"createImageEdit">>>;

  /** The jobs of the key that the client was created with, newest first. They have no `response`. */
  readonly listJobs: Operation<"listJobs">;

  /** The jobs of all pages, as `iterateKeys`. */
  readonly iterateJobs: (
    query?: QueryOf<"listJobs">,
    options?: CallOptions,
  ) => AsyncIterableIterator<ResponseData<"listJobs">["data"][number]>;

  /** One job of that key. With `waitSeconds` the response comes when the job has ended, or after that time. */
  readonly retrieveJob: Operation<"retrieveJob">;

  /** Cancels a job of that key. One that has ended stays as it is. */
  readonly cancelJob: Operation<"cancelJob">;

  /** Stores a file, the input of a batch. It belongs to the key that the client was created with. */
  readonly uploadFile: Operation<"uploadFile">;

  /** The files of that key, newest first. With `adminKey` alone, those of all keys. */
  readonly listFiles: Operation<"listFiles">;

  /** The files of all pages, as `iterateKeys`. */
  readonly iterateFiles: (
    query?: QueryOf<"listFiles">,
    options?: CallOptions,
  ) => AsyncIterableIterator<ResponseData<"listFiles">["data"][number]>;

  /** One file: its size, its purpose and its expiry. */
  readonly retrieveFile: Operation<"retrieveFile">;

  /** The bytes of a file. */
  readonly retrieveFileContent: Operation<"retrieveFileContent">;

  /** Deletes a file and frees its bytes. */
  readonly deleteFile: Operation<"deleteFile">;

  /** Every model that the gateway serves. */
  readonly listModels: Operation<"listModels">;

  /** One model and its capabilities. */
  readonly retrieveModel: Operation<"retrieveModel">;

  /** Runs the lines of an uploaded file as requests of the key that the client was created with. */
  readonly createBatch: Operation<"createBatch">;

  /** The batches of that key, newest first. */
  readonly listBatches: Operation<"listBatches">;

  /** The batches of all pages, as `iterateKeys`. */
  readonly iterateBatches: (
    query?: QueryOf<"listBatches">,
    options?: CallOptions,
  ) => AsyncIterableIterator<ResponseData<"listBatches">["data"][number]>;

  /** One batch: its state, its counts and the ids of its files. */
  readonly retrieveBatch: Operation<"retrieveBatch">;

  /** Begins no more lines of a batch. */
  readonly cancelBatch: Operation<"cancelBatch">;

  /** The key that the client was created with: its limits, its budget and its spending. */
  readonly retrieveOwnKey: Operation<"retrieveOwnKey">;

  /** The requests of that key, newest first. */
  readonly listOwnRequests: Operation<"listOwnRequests">;

  /** The requests of all pages, as `iterateKeys`. */
  readonly iterateOwnRequests: (
    query?: QueryOf<"listOwnRequests">,
    options?: CallOptions,
  ) => AsyncIterableIterator<ResponseData<"listOwnRequests">["data"][number]>;

  /** One request of that key, by the `x-request-id` of its response. */
  readonly retrieveOwnRequest: Operation<"retrieveOwnRequest">;

  /** The usage of that key, grouped as the query says, and its totals. */
  readonly retrieveOwnUsage: Operation<"retrieveOwnUsage">;

  /** The keys, by default newest first. Like all operations below except the probes, it needs `adminKey`. */
  readonly listKeys: Operation<"listKeys">;

  /**
   * The keys of all pages, which are fetched as the loop needs them. Throws a `GatewayRequestError` if a page fails.
   * Leaving the loop fetches no more.
   */
  readonly iterateKeys: (
    query?: QueryOf<"listKeys">,
    options?: CallOptions,
  ) => AsyncIterableIterator<ResponseData<"listKeys">["data"][number]>;

  /** Keys as CSV. The next page's cursor is in `response`'s header `x-next-cursor`. */
  readonly listKeysTable: (
    query?: QueryOf<"listKeys">,
    options?: CallOptions,
  ) => Promise<Result<string, FailureOf<"listKeys">>>;

  /** Creates a key. `data.value` is its secret, which cannot be retrieved again. */
  readonly createKey: Operation<"createKey">;

  /** One key and its permissions. */
  readonly retrieveKey: Operation<"retrieveKey">;

  /** Changes the fields in the body and leaves the rest. Null removes a restriction. */
  readonly changeKey: Operation<"changeKey">;

  /** Revokes a key for good, within a second on every gateway. */
  readonly revokeKey: Operation<"revokeKey">;

  /** Gives a key a new secret, `data.value`. The earlier one works on for the overlap. */
  readonly rotateKey: Operation<"rotateKey">;

  /** The batches of all keys, newest first. */
  readonly listAllBatches: Operation<"listAllBatches">;

  /** One batch of any key. */
  readonly retrieveAnyBatch: Operation<"retrieveAnyBatch">;

  /** Begins no more lines of a batch of any key. */
  readonly cancelAnyBatch: Operation<"cancelAnyBatch">;

  /** Usage, grouped as the query says, and its totals. */
  readonly retrieveUsage: Operation<"retrieveUsage">;

  /** Usage as CSV. */
  readonly retrieveUsageTable: (
    query?: QueryOf<"retrieveUsage">,
    options?: CallOptions,
  ) => Promise<Result<string, FailureOf<"retrieveUsage">>>;

  /** Requests, newest first. */
  readonly listRequests: Operation<"listRequests">;

  /** The requests of all pages, as `iterateKeys`. */
  readonly iterateRequests: (
    query?: QueryOf<"listRequests">,
    options?: CallOptions,
  ) => AsyncIterableIterator<ResponseData<"listRequests">["data"][number]>;

  /** Requests as CSV. The next page's cursor is in `response`'s header `x-next-cursor`. */
  readonly listRequestsTable: (
    query?: QueryOf<"listRequests">,
    options?: CallOptions,
  ) => Promise<Result<string, FailureOf<"listRequests">>>;

  /** One request, by the `x-request-id` of its response. */
  readonly retrieveRequest: Operation<"retrieveRequest">;

  /** The jobs of all keys, newest first. */
  readonly listAllJobs: Operation<"listAllJobs">;

  /** The jobs of all pages, as `iterateKeys`. */
  readonly iterateAllJobs: (
    query?: QueryOf<"listAllJobs">,
    options?: CallOptions,
  ) => AsyncIterableIterator<ResponseData<"listAllJobs">["data"][number]>;

  /** One job of any key, without its response. */
  readonly retrieveAnyJob: Operation<"retrieveAnyJob">;

  /** Cancels a job of any key. */
  readonly cancelAnyJob: Operation<"cancelAnyJob">;

  /** Every model with its capabilities and the targets that serve it. */
  readonly listAdminModels: Operation<"listAdminModels">;

  /** Every upstream and its current state. */
  readonly listUpstreams: Operation<"listUpstreams">;

  /** Opens an upstream for one call, whether it is in the configuration or not. An image needs `confirm_cost: true`. */
  readonly tryUpstream: Operation<"tryUpstream">;

  /** Every provider that an upstream can have, with the JSON Schema of its settings. */
  readonly listProviders: Operation<"listProviders">;

  /** Calls a target once, even while it is paused. An image needs `confirm_cost: true`. */
  readonly probeTarget: Operation<"probeTarget">;

  /** Problems that an operator should look at now: unhealthy targets, nearly spent budgets, a refused configuration. */
  readonly listAlerts: Operation<"listAlerts">;

  /** Embeds the same texts at every target of a model, and says whether their vectors may be mixed. */
  readonly compareTargets: Operation<"compareTargets">;

  /** Accepts a drifted target's vectors as those of its space. The space id changes. */
  readonly acceptSpace: Operation<"acceptSpace">;

  /** The configuration in force, without its secrets. */
  readonly retrieveConfiguration: Operation<"retrieveConfiguration">;

  /** Sets and removes upstreams and models in the configuration file. `dry_run: true` only shows the diff. */
  readonly changeConfiguration: Operation<"changeConfiguration">;

  /** Streams events from now on. The loop throws a `GatewayRequestError` when the session ends. */
  readonly streamEvents: Operation<"streamEvents">;

  /**
   * Exchanges `adminKey`, or else `apiKey`, for a session. `data.value` is its secret: it takes the place of the key in
   * another client.
   */
  readonly createSession: Operation<"createSession">;

  /** Creates the code of a console link, on the gateway's own machine. Needs `adminKey`. */
  readonly createSignInCode: Operation<"createSignInCode">;

  /** The session that the client was created with. */
  readonly retrieveSession: Operation<"retrieveSession">;

  /** Ends the session that the client was created with. */
  readonly endSession: Operation<"endSession">;

  /** Metrics in Prometheus' text format. */
  readonly readMetrics: Operation<"readMetrics">;

  /** Whether the process is alive. Needs no key. */
  readonly checkHealth: Operation<"checkHealth">;

  /** Whether the gateway can serve requests, and if not, why. Needs no key. */
  readonly checkReadiness: (options?: CallOptions) => Promise<Success<Readiness> | NotReady>;
}
