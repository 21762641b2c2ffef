import createFetchClient, { type Client } from "openapi-fetch";
import { createAdminOperations } from "./admin-operations.js";
import { createAdminBatchOperations, createBatchOperations } from "./batch-operations.js";
import { createFileOperations } from "./file-operations.js";
import type { GatewayClient } from "./gateway-client.js";
import { prepareEdit, serializeEdit } from "./images/image-edit.js";
import { imageUrl, nameFile, serializeFile } from "./images/image-files.js";
import { imageEditEventTypes, imageEventTypes, readStream } from "./images/image-stream.js";
import { createAnyJobOperations, createJobOperations } from "./job-operations.js";
import { createOwnKeyOperations } from "./own-key-operations.js";
import { type PlainClient, typeFailures } from "./plain-client.js";
import { asStream, asText, transport } from "./request-options.js";
import { readDocument, readImage, readReadiness } from "./responses/read-response.js";
import { type Fetch, type RetryOptions, retrying } from "./retry.js";
import { createSessionOperations } from "./session-operations.js";
import type { paths } from "./spec.js";

export interface ClientSettings {
  /** The root of the gateway, without `/v1`: `https://gateway.example`. In a browser it may be relative or empty. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`. Only the probes and image links work without it. */
  readonly apiKey?: string | undefined;
  /**
   * Sent instead of `apiKey` with admin operations. Without `apiKey`, files are read with it. An operator's session may be
   * both.
   */
  readonly adminKey?: string | undefined;
  /** Replaces the global `fetch`. It receives a `Request`. */
  readonly fetch?: Fetch | undefined;
  /** Sent with every request except those for image links. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Retries calls where that is safe, as the server asks. Default: the client never retries. */
  readonly retry?: RetryOptions | undefined;
}

/** Creates a client for one gateway. It keeps no state. */
export function createClient(settings: ClientSettings): GatewayClient {
  const root = rootOf(settings.baseUrl);
  const fetch = fetchOf(settings);
  const http = connect(root, { ...settings, fetch });
  const admin = connect(root, { ...settings, fetch, apiKey: settings.adminKey });
  const client: PlainClient = {
    ...createAdminOperations(admin),
    ...createAdminBatchOperations(admin),
    ...createAnyJobOperations(admin),
    ...createSessionOperations(
      connect(root, { ...settings, fetch, apiKey: settings.adminKey ?? settings.apiKey }),
    ),
    ...createFileOperations(
      connect(root, { ...settings, fetch, apiKey: settings.apiKey ?? settings.adminKey }),
    ),
    ...createImageOperations(http, { root, fetch }),
    ...createJobOperations(http),
    ...createOwnKeyOperations(http),
    ...createBatchOperations(http),

    createEmbedding: async (body, options) =>
      readDocument("createEmbedding", await http.POST("/v1/embeddings", { body, ...asText(options) })),

    createEmbeddingLegacy: async (model, body, options) => {
      const request = { params: { path: { model } }, body, ...asText(options) };
      return readDocument(
        "createEmbeddingLegacy",
        await http.POST("/v1/engines/{model}/embeddings", request),
      );
    },

    listModels: async (options) => readDocument("listModels", await http.GET("/v1/models", asText(options))),

    retrieveModel: async (model, options) => {
      const request = { params: { path: { model } }, ...asText(options) };
      return readDocument("retrieveModel", await http.GET("/v1/models/{model}", request));
    },

    checkHealth: async (options) => readDocument("checkHealth", await http.GET("/healthz", asText(options))),

    checkReadiness: async (options) => readReadiness(await http.GET("/readyz", asText(options))),
  };
  return typeFailures(client);
}

type ImageOperationId =
  | "createImage"
  | "createImageStream"
  | "createImageEdit"
  | "createImageEditStream"
  | "retrieveImageFile"
  | "createContentProvenanceCheck";

function createImageOperations(
  http: Client<paths>,
  { root, fetch }: { readonly root: string; readonly fetch: Fetch },
): Pick<PlainClient, ImageOperationId> {
  return {
    createImage: async (body, options) =>
      readDocument("createImage", await http.POST("/v1/images/generations", { body, ...asText(options) })),

    createImageStream: async (body, options) => {
      const request = { body: { ...body, stream: true }, ...asStream(options) };
      const exchange = await http.POST("/v1/images/generations", request);
      return readStream(exchange, { types: imageEventTypes, eventBytesMax: options?.eventBytesMax });
    },

    createImageEdit: async (edit, options) => {
      const request = { body: await prepareEdit(edit), bodySerializer: serializeEdit, ...asText(options) };
      return readDocument("createImageEdit", await http.POST("/v1/images/edits", request));
    },

    createImageEditStream: async (edit, options) => {
      const body = { ...(await prepareEdit(edit)), stream: true };
      const request = { body, bodySerializer: serializeEdit, ...asStream(options) };
      const exchange = await http.POST("/v1/images/edits", request);
      return readStream(exchange, { types: imageEditEventTypes, eventBytesMax: options?.eventBytesMax });
    },

    retrieveImageFile: async (link, options) => {
      // Without the headers of the client: a link needs no key, and may point to a host other than the gateway.
      const request = new Request(imageUrl(link, root), transport(options));
      return readImage(await fetch(request));
    },

    createContentProvenanceCheck: async ({ file }, options) => {
      const body = { file: await nameFile(file, "image") };
      const request = { body, bodySerializer: serializeFile, ...asText(options) };
      const exchange = await http.POST("/v1/content_provenance_checks", request);
      return readDocument("createContentProvenanceCheck", exchange);
    },
  };
}

/** The global `fetch` is looked up with each request, as a test or a polyfill may replace it later. */
function fetchOf({ fetch = (request) => globalThis.fetch(request), retry }: ClientSettings): Fetch {
  return retry === undefined ? fetch : retrying(fetch, retry);
}

function rootOf(baseUrl: string): string {
  const root = baseUrl.replace(/\/+$/, "");
  // OpenAI's clients want `/v1` here. Left in, every path would have it twice and every response would be a 404.
  if (root.endsWith("/v1")) throw new TypeError("baseUrl is the root of the gateway: leave out '/v1'.");
  return root;
}

function connect(
  baseUrl: string,
  { apiKey, fetch, headers }: ClientSettings & { readonly fetch: Fetch },
): Client<paths> {
  return createFetchClient<paths>({
    baseUrl,
    headers: { ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }), ...headers },
    fetch,
  });
}
