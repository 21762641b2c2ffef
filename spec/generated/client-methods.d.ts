// Written by `pnpm generate` from openapi.yaml. Do not edit.

import type { components, operations } from "./types.js";

/** The methods of the client by name: the operation, the arguments before the options, and the form of the result. */
export interface ClientMethods {
  /** Turns each input into a vector. `data` has one entry for each input, in the order of the inputs. */
  createEmbedding: { operation: "createEmbedding"; returns: "document"; takes: [body: components["schemas"]["CreateEmbeddingRequest"]] };
  /**
   * The path that OpenAI clients used before 2022. It works like `POST /v1/embeddings`: use that path in new code.
   * The path names the model, percent-encoded: a slash in the id becomes `%2F`. A `model` in the body must be the
   * same id.
   * @deprecated
   */
  createEmbeddingLegacy: { operation: "createEmbeddingLegacy"; returns: "document"; takes: [model: operations["createEmbeddingLegacy"]["parameters"]["path"]["model"], body: components["schemas"]["CreateEmbeddingLegacyRequest"]] };
  /** Creates `n` images from a prompt. */
  createImage: { operation: "createImage"; returns: "document"; takes: [body: components["schemas"]["CreateImageRequest"]] };
  /**
   * As `createImage`, but yields each event as it arrives. A failure after the first event is thrown as a
   * `GatewayRequestError`.
   */
  createImageStream: { operation: "createImage"; returns: "events"; takes: [body: components["schemas"]["CreateImageRequest"]] };
  /** As `createImage`, but resolves at once, with the job. `retrieveJob` has its result. */
  createImageJob: { operation: "createImage"; returns: "job"; takes: [body: components["schemas"]["CreateImageRequest"]] };
  /** Creates new images from a prompt and one or more input images. */
  createImageEdit: { operation: "createImageEdit"; returns: "document"; takes: [body: components["schemas"]["CreateImageEditForm"] | components["schemas"]["CreateImageEditRequest"]] };
  /**
   * As `createImageEdit`, but yields each event as it arrives. A failure after the first event is thrown as a
   * `GatewayRequestError`.
   */
  createImageEditStream: { operation: "createImageEdit"; returns: "events"; takes: [body: components["schemas"]["CreateImageEditForm"] | components["schemas"]["CreateImageEditRequest"]] };
  /** As `createImageEdit`, but resolves at once, with the job. `retrieveJob` has its result. */
  createImageEditJob: { operation: "createImageEdit"; returns: "job"; takes: [body: components["schemas"]["CreateImageEditForm"] | components["schemas"]["CreateImageEditRequest"]] };
  /**
   * The bytes of an image that a response carried as a link, with `response_format: url`. The link needs no key:
   * its signature cannot be guessed, and it expires. Use the link without changes.
   */
  retrieveImageFile: { operation: "retrieveImageFile"; returns: "bytes"; takes: [file: operations["retrieveImageFile"]["parameters"]["path"]["file"], query?: operations["retrieveImageFile"]["parameters"]["query"]] };
  /** Looks for provenance signals in an image: content credentials (C2PA) and the SynthID watermark. */
  createContentProvenanceCheck: { operation: "createContentProvenanceCheck"; returns: "document"; takes: [body: components["schemas"]["CreateContentProvenanceCheckForm"]] };
  /**
   * The files of the key and of all keys with the same owner: those that were uploaded, and the results of batches.
   * With the admin key, the files of all keys. The next page begins after the `last_id` of this one, even if that
   * file was deleted meanwhile.
   */
  listFiles: { operation: "listFiles"; returns: "document"; takes: [query?: operations["listFiles"]["parameters"]["query"]] };
  /**
   * As `listFiles`, but yields the entries of all pages. A page is fetched when the loop needs it. One that fails
   * is thrown as a `GatewayRequestError`.
   */
  iterateFiles: { operation: "listFiles"; returns: "pages"; takes: [query?: operations["listFiles"]["parameters"]["query"]] };
  /**
   * Stores a file that a batch can read: one JSON object a line, and a name that ends in `.jsonl`. The file may
   * have up to 512 MB, unless the operator has set another limit. It is stored as it arrives, and exists once it
   * has arrived completely.
   */
  uploadFile: { operation: "uploadFile"; returns: "document"; takes: [body: components["schemas"]["UploadFileForm"]] };
  /**
   * The size, the purpose and the expiry of a file. A file of another owner's key gets the same 404 as one that
   * does not exist. The admin key finds the files of all keys.
   */
  retrieveFile: { operation: "retrieveFile"; returns: "document"; takes: [file: operations["retrieveFile"]["parameters"]["path"]["file"]] };
  /**
   * Deletes a file and frees its bytes. A file of another owner's key gets the same 404 as one that does not exist.
   * The admin key may delete the files of all keys.
   */
  deleteFile: { operation: "deleteFile"; returns: "document"; takes: [file: operations["deleteFile"]["parameters"]["path"]["file"]] };
  /**
   * The bytes of a file, or a part of them. A file of another owner's key gets the same 404 as one that does not
   * exist. The admin key reads the files of all keys.
   */
  retrieveFileContent: { operation: "retrieveFileContent"; returns: "bytes"; takes: [file: operations["retrieveFileContent"]["parameters"]["path"]["file"]] };
  /**
   * The batches of the key whose secret is sent, and of all keys with the same owner, newest first. A batch is
   * listed for 30 days after it has ended.
   */
  listBatches: { operation: "listBatches"; returns: "document"; takes: [query?: operations["listBatches"]["parameters"]["query"]] };
  /**
   * As `listBatches`, but yields the entries of all pages. A page is fetched when the loop needs it. One that fails
   * is thrown as a `GatewayRequestError`.
   */
  iterateBatches: { operation: "listBatches"; returns: "pages"; takes: [query?: operations["listBatches"]["parameters"]["query"]] };
  /**
   * Runs each line of an uploaded file as a request of the key whose secret is sent, on whichever upstream serves
   * the model. The batch is created at once, with the status `validating`. Then its file is checked: if lines have
   * faults, the batch becomes `failed`, and `errors` lists them with their line numbers. Nothing has run by then.
   */
  createBatch: { operation: "createBatch"; returns: "document"; takes: [body: components["schemas"]["CreateBatchRequest"]] };
  /**
   * The state of a batch of the key whose secret is sent, or of another key with the same owner, and how many of
   * its lines have ended.
   */
  retrieveBatch: { operation: "retrieveBatch"; returns: "document"; takes: [batch: operations["retrieveBatch"]["parameters"]["path"]["batch"]] };
  /**
   * No more lines of the batch begin. Those that run are finished, which may take some minutes for images: until
   * then the batch is `cancelling`. Then it is `cancelled`, and what has run is in its output files.
   */
  cancelBatch: { operation: "cancelBatch"; returns: "document"; takes: [batch: operations["cancelBatch"]["parameters"]["path"]["batch"]] };
  /**
   * The jobs of the key whose secret is sent, and of all keys with the same owner, newest first. They have no
   * `response`: retrieve one job for it.
   */
  listJobs: { operation: "listJobs"; returns: "document"; takes: [query?: operations["listJobs"]["parameters"]["query"]] };
  /**
   * As `listJobs`, but yields the entries of all pages. A page is fetched when the loop needs it. One that fails is
   * thrown as a `GatewayRequestError`.
   */
  iterateJobs: { operation: "listJobs"; returns: "pages"; takes: [query?: operations["listJobs"]["parameters"]["query"]] };
  /**
   * One job of the key whose secret is sent, or of another key with the same owner. A job of any other key gets the
   * same 404 as one that does not exist.
   */
  retrieveJob: { operation: "retrieveJob"; returns: "document"; takes: [job: operations["retrieveJob"]["parameters"]["path"]["job"]] };
  /**
   * A queued job is cancelled at once. A running one is cancelled within a few seconds; its images may be paid for.
   * A job that has ended stays as it is.
   */
  cancelJob: { operation: "cancelJob"; returns: "document"; takes: [job: operations["cancelJob"]["parameters"]["path"]["job"]] };
  /** Every model that the key may call, with its capabilities. The list is complete and has one page. */
  listModels: { operation: "listModels"; returns: "document"; takes: [] };
  /**
   * One model and its capabilities: operations, vector lengths, sizes, formats and options. Percent-encode the id:
   * a slash becomes `%2F`.
   */
  retrieveModel: { operation: "retrieveModel"; returns: "document"; takes: [model: operations["retrieveModel"]["parameters"]["path"]["model"]] };
  /**
   * The key whose secret is sent: the models that it may call, its limits with what is left of them, its budget,
   * and its spending in this month. A session shows the key that it was created with.
   */
  retrieveOwnKey: { operation: "retrieveOwnKey"; returns: "document"; takes: [] };
  /**
   * One entry for each request of the key whose secret is sent, newest first: its model, status, usage and cost. No
   * other key's requests are in it. An entry appears some seconds after its request, and is deleted after the
   * configured retention, if any. A request must match all filters.
   */
  listOwnRequests: { operation: "listOwnRequests"; returns: "document"; takes: [query?: operations["listOwnRequests"]["parameters"]["query"]] };
  /**
   * As `listOwnRequests`, but yields the entries of all pages. A page is fetched when the loop needs it. One that
   * fails is thrown as a `GatewayRequestError`.
   */
  iterateOwnRequests: { operation: "listOwnRequests"; returns: "pages"; takes: [query?: operations["listOwnRequests"]["parameters"]["query"]] };
  /**
   * One request of the key whose secret is sent, by the `x-request-id` of its response. A request of another key
   * gets the same 404 as one that does not exist.
   */
  retrieveOwnRequest: { operation: "retrieveOwnRequest"; returns: "document"; takes: [requestId: operations["retrieveOwnRequest"]["parameters"]["path"]["request_id"]] };
  /**
   * The usage of the key whose secret is sent, in a time range, grouped by model, operation, and UTC day or hour,
   * with the totals of all groups. A report of more than 50,000 groups is refused.
   */
  retrieveOwnUsage: { operation: "retrieveOwnUsage"; returns: "document"; takes: [query?: operations["retrieveOwnUsage"]["parameters"]["query"]] };
  /** Returns 200 while the process runs. Restart the process if it does not respond. */
  checkHealth: { operation: "checkHealth"; returns: "document"; takes: [] };
  /**
   * Returns 200 if at least one model can serve requests. Returns 503 while the gateway starts or stops, or if no
   * model can serve requests: each is `unavailable`, or all its targets are `drifted` and excluded, or
   * `misconfigured` and paused. Targets that fail otherwise do not count: only a request can show that such a
   * target works again, so the gateway stays at 200 with the status `failing`. Send traffic to this gateway only
   * while it returns 200. All processes of a gateway return the same: a model that one of them can serve is ready.
   * Needs `adminKey`.
   */
  checkReadiness: { operation: "checkReadiness"; returns: "document"; takes: [query?: operations["checkReadiness"]["parameters"]["query"]] };
  /**
   * All keys: those that `createKey` created, and those in the configuration file. By default the newest come
   * first. Revoked keys stay in the list, so that usage reports can name them. A key of the configuration file has
   * the `source` `file` and can be changed only there. Needs `adminKey`.
   */
  listKeys: { operation: "listKeys"; returns: "document"; takes: [query?: operations["listKeys"]["parameters"]["query"]] };
  /**
   * As `listKeys`, but yields the entries of all pages. A page is fetched when the loop needs it. One that fails is
   * thrown as a `GatewayRequestError`. Needs `adminKey`.
   */
  iterateKeys: { operation: "listKeys"; returns: "pages"; takes: [query?: operations["listKeys"]["parameters"]["query"]] };
  /**
   * As `listKeys`, but resolves to CSV. The header `x-next-cursor` of `response` has the cursor of the next page.
   * Needs `adminKey`.
   */
  listKeysTable: { operation: "listKeys"; returns: "text"; takes: [query?: operations["listKeys"]["parameters"]["query"]] };
  /**
   * Creates an access key. Only this response contains the secret: the gateway stores a digest of it. All gateways
   * that share the database accept the key immediately. Needs `adminKey`.
   */
  createKey: { operation: "createKey"; returns: "document"; takes: [body: components["schemas"]["CreateKeyRequest"]] };
  /**
   * The restrictions of one key, and when it was last used. Keys in the configuration file can also be retrieved.
   * Needs `adminKey`.
   */
  retrieveKey: { operation: "retrieveKey"; returns: "document"; takes: [key: operations["retrieveKey"]["parameters"]["path"]["key"]] };
  /**
   * Changes the properties in the body and keeps the others. `null` removes a restriction. All gateways apply the
   * change within a second. Needs `adminKey`.
   */
  changeKey: { operation: "changeKey"; returns: "document"; takes: [key: operations["changeKey"]["parameters"]["path"]["key"], body: components["schemas"]["ChangeKeyRequest"]] };
  /**
   * Revokes a key permanently. All gateways apply the change within a second. Requests in flight continue. If the
   * key is already revoked, nothing changes. To stop a key for a while, set `disabled` instead. Needs `adminKey`.
   */
  revokeKey: { operation: "revokeKey"; returns: "document"; takes: [key: operations["revokeKey"]["parameters"]["path"]["key"]] };
  /**
   * Gives a key a new secret. Only this response contains it. All gateways that share the database accept it
   * immediately. The earlier secret works on for `overlap_seconds`, so that callers can change over without a
   * failed request, and then stops working. With `overlap_seconds: 0`, all gateways refuse it within a second.
   * Needs `adminKey`.
   */
  rotateKey: { operation: "rotateKey"; returns: "document"; takes: [key: operations["rotateKey"]["parameters"]["path"]["key"], body: components["schemas"]["RotateKeyRequest"]] };
  /**
   * The usage in a time range, grouped by key, model, operation, owner, upstream, and UTC month, day or hour, with
   * the totals of all groups. A report of more than 50,000 groups is refused: choose a shorter time range or fewer
   * groupings. Needs `adminKey`.
   */
  retrieveUsage: { operation: "retrieveUsage"; returns: "document"; takes: [query?: operations["retrieveUsage"]["parameters"]["query"]] };
  /** As `retrieveUsage`, but resolves to CSV. Needs `adminKey`. */
  retrieveUsageTable: { operation: "retrieveUsage"; returns: "text"; takes: [query?: operations["retrieveUsage"]["parameters"]["query"]] };
  /**
   * One entry for each request, newest first: its key, model, status, usage and cost. An entry appears some seconds
   * after its request, and is deleted after the configured retention, if any. Prompts, vectors and images are never
   * recorded. A request must match all filters. Needs `adminKey`.
   */
  listRequests: { operation: "listRequests"; returns: "document"; takes: [query?: operations["listRequests"]["parameters"]["query"]] };
  /**
   * As `listRequests`, but yields the entries of all pages. A page is fetched when the loop needs it. One that
   * fails is thrown as a `GatewayRequestError`. Needs `adminKey`.
   */
  iterateRequests: { operation: "listRequests"; returns: "pages"; takes: [query?: operations["listRequests"]["parameters"]["query"]] };
  /**
   * As `listRequests`, but resolves to CSV. The header `x-next-cursor` of `response` has the cursor of the next
   * page. Needs `adminKey`.
   */
  listRequestsTable: { operation: "listRequests"; returns: "text"; takes: [query?: operations["listRequests"]["parameters"]["query"]] };
  /**
   * One request, by the `x-request-id` of its response. It appears some seconds after the request, and is deleted
   * after the configured retention, if any. Needs `adminKey`.
   */
  retrieveRequest: { operation: "retrieveRequest"; returns: "document"; takes: [requestId: operations["retrieveRequest"]["parameters"]["path"]["request_id"]] };
  /** The batches of all keys, newest first. Needs `adminKey`. */
  listAllBatches: { operation: "listAllBatches"; returns: "document"; takes: [query?: operations["listAllBatches"]["parameters"]["query"]] };
  /**
   * As `listAllBatches`, but yields the entries of all pages. A page is fetched when the loop needs it. One that
   * fails is thrown as a `GatewayRequestError`. Needs `adminKey`.
   */
  iterateAllBatches: { operation: "listAllBatches"; returns: "pages"; takes: [query?: operations["listAllBatches"]["parameters"]["query"]] };
  /**
   * The state of a batch, and how many of its lines have ended. `retrieveFileContent` with the admin key returns
   * its files. Needs `adminKey`.
   */
  retrieveAnyBatch: { operation: "retrieveAnyBatch"; returns: "document"; takes: [batch: operations["retrieveAnyBatch"]["parameters"]["path"]["batch"]] };
  /**
   * No more lines of the batch begin. Those that run are finished, and what has run is in its output files. Needs
   * `adminKey`.
   */
  cancelAnyBatch: { operation: "cancelAnyBatch"; returns: "document"; takes: [batch: operations["cancelAnyBatch"]["parameters"]["path"]["batch"]] };
  /** Newest first. A job has neither its prompt nor its images here. Needs `adminKey`. */
  listAllJobs: { operation: "listAllJobs"; returns: "document"; takes: [query?: operations["listAllJobs"]["parameters"]["query"]] };
  /**
   * As `listAllJobs`, but yields the entries of all pages. A page is fetched when the loop needs it. One that fails
   * is thrown as a `GatewayRequestError`. Needs `adminKey`.
   */
  iterateAllJobs: { operation: "listAllJobs"; returns: "pages"; takes: [query?: operations["listAllJobs"]["parameters"]["query"]] };
  /** One job. It has neither its prompt nor its images here. Needs `adminKey`. */
  retrieveAnyJob: { operation: "retrieveAnyJob"; returns: "document"; takes: [job: operations["retrieveAnyJob"]["parameters"]["path"]["job"]] };
  /**
   * A queued job is cancelled at once. A running one is cancelled within a few seconds; its images may be paid for.
   * A job that has ended stays as it is. Needs `adminKey`.
   */
  cancelAnyJob: { operation: "cancelAnyJob"; returns: "document"; takes: [job: operations["cancelAnyJob"]["parameters"]["path"]["job"]] };
  /**
   * Every configured model: its targets, how the gateway chooses among them, its limits, and whether its price is
   * known. `GET /v1/models` lists the callers' view. Needs `adminKey`.
   */
  listAdminModels: { operation: "listAdminModels"; returns: "document"; takes: [] };
  /**
   * Every configured upstream without its secrets, and the state of its targets as seen by the gateway that
   * receives the request. Needs `adminKey`.
   */
  listUpstreams: { operation: "listUpstreams"; returns: "document"; takes: [] };
  /**
   * Opens an upstream for this one call, whether it is in the configuration or not, and reports whether it works.
   * Nothing is stored. With an embedding model, it embeds one word. With an image model, it creates one image,
   * which may cost money: `confirm_cost` must be `true`. Without `model`, the upstream lists its models. A provider
   * without a list embeds one word with the first of its example models; of one that only creates images, only the
   * settings are checked. Needs `adminKey`.
   */
  tryUpstream: { operation: "tryUpstream"; returns: "document"; takes: [body: components["schemas"]["TryUpstreamRequest"]] };
  /**
   * Every provider that an upstream can have: the JSON Schema of its settings, which of them are secrets, and
   * examples of its models. Needs `adminKey`.
   */
  listProviders: { operation: "listProviders"; returns: "document"; takes: [] };
  /**
   * Problems that an operator should look at now: targets that are not healthy, keys that have used most of their
   * budget, and a configuration file that was refused. If everything is fine, the lists are empty and the refusal
   * is `null`. Needs `adminKey`.
   */
  listAlerts: { operation: "listAlerts"; returns: "document"; takes: [] };
  /**
   * Exchanges a key for a session, so that a program such as the console need not keep the key. The request has no
   * body. Send the admin key for an operator's session, or an API key for a caller's session.
   */
  createSession: { operation: "createSession"; returns: "document"; takes: [] };
  /**
   * The session whose secret is sent: its kind, its expiry, and the models that it may call. A key is refused with
   * 401.
   */
  retrieveSession: { operation: "retrieveSession"; returns: "document"; takes: [] };
  /**
   * Ends the session whose secret is sent. The gateway that receives the request refuses it immediately, and all
   * others within a second. Requests in flight continue, and event streams end.
   */
  endSession: { operation: "endSession"; returns: "document"; takes: [] };
  /**
   * Creates a one-time code that signs a person in to the console, in the link `/console/#code=<value>`. It is for
   * a program on the gateway's own machine, such as the command `link`. The request has no body. It must come
   * directly from that machine, as a request that uses a code: over a loopback address, with a `Host` that is one,
   * and without headers of a proxy. Needs `adminKey`.
   */
  createSignInCode: { operation: "createSignInCode"; returns: "document"; takes: [] };
  /**
   * Calls one target of a model once, with a small request, and reports whether its reply is valid. The target is
   * called even while it is paused. If the call succeeds, it receives requests again immediately, unless it is
   * `drifted`. Needs `adminKey`.
   */
  probeTarget: { operation: "probeTarget"; returns: "document"; takes: [body: components["schemas"]["ProbeTargetRequest"]] };
  /**
   * Embeds a fixed set of short texts at every target of an embedding model, and compares the vectors. Targets that
   * take images also embed four small PNGs. Targets whose vectors differ must not serve one model: its indexes
   * would hold vectors of two spaces, and distances between those mean nothing. Equal names and widths do not prove
   * that targets agree, and neither do equal vectors of texts prove it for images. Needs `adminKey`.
   */
  compareTargets: { operation: "compareTargets"; returns: "document"; takes: [body: components["schemas"]["CompareTargetsRequest"]] };
  /**
   * Makes the vectors that a drifted target returned at its last check those of its vector space. The space gets a
   * new revision: its id changes, and with it `x-gateway-space` and the keys of the cache, for every model of the
   * space. Vectors with the old id and with the new one cannot be compared, so indexes must be rebuilt. Needs
   * `adminKey`.
   */
  acceptSpace: { operation: "acceptSpace"; returns: "document"; takes: [body: components["schemas"]["AcceptSpaceRequest"]] };
  /**
   * The active configuration without its secrets, and the reason if a newer file was refused. The worker that
   * receives the request responds. Needs `adminKey`.
   */
  retrieveConfiguration: { operation: "retrieveConfiguration"; returns: "document"; takes: [] };
  /**
   * Sets and removes upstreams and models in the configuration file. The result is checked like any configuration
   * file before it is written, and takes effect without a restart. Only the lines of the changed entries change:
   * comments and order stay. The previous text is kept beside the file, with `.previous` at the end of its name.
   * Needs `adminKey`.
   */
  changeConfiguration: { operation: "changeConfiguration"; returns: "document"; takes: [body: components["schemas"]["ChangeConfigurationRequest"]] };
  /**
   * The events of this gateway as server-sent events: `target.state_changed`, `configuration.reloaded`,
   * `configuration.changed` and `request.finished`, from all of its workers. The first event is `stream.started`.
   * Past events are not sent. Needs `adminKey`.
   */
  streamEvents: { operation: "streamEvents"; returns: "events"; takes: [query?: operations["streamEvents"]["parameters"]["query"]] };
  /**
   * The metrics of the gateway that receives the request, in the Prometheus text format. Configure the scraper with
   * the admin key as its bearer token. Needs `adminKey`.
   */
  readMetrics: { operation: "readMetrics"; returns: "text"; takes: [] };
}

/** A method of the client: one way to call an operation. Most operations have one. */
export interface ClientMethod {
  readonly operation: string;
  /** The method and the path of the request. */
  readonly request: string;
  /** The keys that the operation takes, by their names in the settings of the client. The first that is set is sent. */
  readonly keys: readonly ("apiKey" | "adminKey")[];
  /** The arguments before the options: the parameters of the path, then `body` and `query`. */
  readonly takes: readonly string[];
  readonly returns: "document" | "job" | "text" | "bytes" | "events" | "pages";
  /** The beginning of the content type of a text or of bytes. */
  readonly type?: string;
  /** The content type to ask for, if the operation has others. */
  readonly accept?: string;
  /** The constant `object` of the document. */
  readonly object?: string;
  /** The first required property of the document, in addition to `object`. */
  readonly has?: string;
  /** The types of a stream's events, with the first required property of each. */
  readonly events?: Readonly<Record<string, string>>;
  /** The event without which a stream is incomplete. */
  readonly until?: string;
  /** The parameter of the query that leads to the next page. */
  readonly cursor?: string;
  /** The files of a form, with the name of one that has none. An image gets its extension. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether a body without files is sent as JSON. */
  readonly json?: true;
  /** Whether the operation is a probe, which asks for the state of this moment. */
  readonly probe?: true;
}

export declare const clientMethods: { readonly [Name in keyof ClientMethods]: ClientMethod };
