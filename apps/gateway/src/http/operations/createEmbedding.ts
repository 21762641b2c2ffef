import { calibratedDtype, type QuantizedDtype } from "../../domain/output-dtype.js";
import type { EmbeddingRequest } from "../../domain/requests.js";
import type { CacheDirectives } from "../../embeddings/cache/input-cache.js";
import type { EmbeddingResult, EmbeddingService } from "../../embeddings/create-embedding.js";
import { checkDivisible, checkOutputDtype, readOutputDtype } from "../../embeddings/output-dtype.js";
import {
  type ChunkedDocument,
  type SerializedResponse,
  serializeEmbeddings,
  type VectorForm,
} from "../../embeddings/serialize.js";
import type { Shadow } from "../../embeddings/shadow.js";
import { encodeText } from "../../embeddings/space.js";
import type { Schemas } from "../../operations.js";
import { authorizeModel } from "../authorize-model.js";
import type { Catalog } from "../catalog.js";
import type { ChunkedResponse, Handler, ValidRequest } from "../handler.js";
import { acceptExtras } from "../request/extras.js";
import type { RequestContext } from "../request/request-context.js";

export interface EmbeddingHandlerServices {
  readonly catalog: Catalog;
  readonly embeddings: EmbeddingService;
  readonly shadow: Pick<Shadow, "offer">;
}

export function createEmbedding(services: EmbeddingHandlerServices): Handler<"createEmbedding"> {
  return (request) => embed(request.body.model, request, services);
}

type EmbeddingOperation = "createEmbedding" | "createEmbeddingLegacy";
type ValidEmbeddingRequest = Pick<
  ValidRequest<EmbeddingOperation>,
  "body" | "extras" | "context" | "header" | "dataUrls"
>;

interface EmbedServices extends EmbeddingHandlerServices {
  /** Writes the response of a path whose form is not OpenAI's. */
  readonly serialize?: (response: SerializedResponse, context: RequestContext) => ChunkedDocument;
}

/** Serves every path once the model is known. */
export async function embed(
  asked: string | undefined,
  { body, extras, context, header, dataUrls }: ValidEmbeddingRequest,
  { catalog, embeddings, shadow, serialize = serializeEmbeddings }: EmbedServices,
): Promise<ChunkedResponse> {
  const { input, dimensions, input_type, user } = body;
  const quantized = readOutputDtype(body);
  const {
    modelId,
    model,
    meter,
    memory,
    context: caller,
  } = authorizeModel(asked, {
    operation: "createEmbedding",
    catalog,
    context,
    header,
  });
  // A parameter that is null counts as absent.
  const width = dimensions ?? undefined;
  if (quantized !== undefined) checkOutputDtype(quantized, model, width);
  const form = formOf(body.encoding_format, quantized?.dtype);
  const request = {
    input,
    dimensions: width,
    // Signs are made from floats, of which base64 is the shorter form.
    encoding_format: form === "float" ? form : ("base64" as const),
    output_dtype: quantized?.dtype,
    input_type: input_type ?? undefined,
    user: user ?? undefined,
    extras: acceptExtras(extras, model),
  };
  const directives = readCacheDirectives(header("cache-control"));
  const result = await embeddings.create(request, {
    model,
    meter,
    memory,
    context: caller,
    key: context.key,
    cache: directives,
    expectedSpace: header("x-gateway-space"),
    dataUrls,
  });
  const { vectors, promptTokens, imageTokens, tokensEstimated, via, failedAttempts, cache, release } = result;
  if (quantized !== undefined && form !== "float") {
    // Without a declared width it is known only now.
    const { width = 8 } = vectors[0] ?? {};
    if (width % 8 !== 0) release?.();
    checkDivisible(width, quantized);
  }
  // Requests that must not be stored, or whose parameters or integers are of one upstream, are not shadowed.
  if (model.shadow !== undefined && directives.write && isPlain(request))
    shadow.offer({ model, request, vectors, key: context.key });
  const { summary } = context;
  summary.cache = cache;
  if (tokensEstimated) summary.tokensEstimated = true;
  if (via !== undefined) {
    summary.upstream = via.upstream;
    summary.attempts = via.attempts;
    summary.failedAttempts = failedAttempts;
  }
  const { chunks, bytes } = serialize({ model: modelId, vectors, promptTokens, imageTokens, form }, context);
  return { headers: headersOf(result), chunks, bytes, onSent: release };
}

/** Integers of a provider are written like floats, and signs in their own form. */
function formOf(
  format: Schemas["EmbeddingEncoding"] | undefined,
  dtype: QuantizedDtype | undefined,
): VectorForm {
  if (dtype === "binary" || dtype === "ubinary") return dtype;
  return dtype === undefined && format === "base64" ? "base64" : "float";
}

/** Whether a shadow can embed the same: it has neither the parameters nor the integers of another upstream. */
function isPlain({ extras, output_dtype }: EmbeddingRequest): boolean {
  return extras === undefined && calibratedDtype(output_dtype) === undefined;
}

function headersOf({
  space,
  inputType,
  cache,
  convertedImages,
}: Pick<EmbeddingResult, "space" | "inputType" | "cache" | "convertedImages">): Record<string, string> {
  const headers: Record<string, string> = { "x-gateway-space": space };
  if (inputType !== undefined) headers["x-gateway-input-type"] = encodeText(inputType);
  if (cache !== undefined) headers["x-gateway-cache"] = cache;
  if (convertedImages > 0) headers["x-gateway-converted-images"] = String(convertedImages);
  return headers;
}

/** `no-cache`: do not read the cache. `no-store`: neither read nor write it. https://www.rfc-editor.org/rfc/rfc9111 */
export function readCacheDirectives(cacheControl: string | undefined): CacheDirectives {
  if (cacheControl === undefined) return defaultDirectives;
  const directives = cacheControl
    .toLowerCase()
    .split(",")
    .map((directive) => directive.trim());
  const isPrivate = directives.includes("no-store");
  return { read: !isPrivate && !directives.includes("no-cache"), write: !isPrivate };
}

const defaultDirectives: CacheDirectives = Object.freeze({ read: true, write: true });
