import { errorOf } from "@model-gateway/domain/errors";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import { calibratedDtype } from "@model-gateway/domain/output-dtype";
import type { EmbeddingRequest } from "@model-gateway/domain/requests";
import type { CacheDirectives } from "../../embeddings/cache/input-cache.js";
import type { EmbeddingResult, EmbeddingService } from "../../embeddings/create-embedding.js";
import {
  checkDivisible,
  checkOutputDtype,
  type RequestedDtype,
  type RequestedOutput,
  readOutput,
} from "../../embeddings/output-dtype.js";
import {
  type ChunkedDocument,
  type SerializedResponse,
  serializeEmbeddings,
} from "../../embeddings/serialize.js";
import type { Shadow } from "../../embeddings/shadow.js";
import { encodeText } from "../../embeddings/space.js";
import type { ChunkedResponse, Handler, ValidRequest } from "../../execution/handler.js";
import type { RequestContext } from "../../execution/request-context.js";
import { acceptExtras } from "../../execution/validation/extras.js";
import { authorizeModel } from "../authorize-model.js";
import { namingParameters, renamingRoot } from "../caller-names.js";
import type { Catalog } from "../catalog.js";
import { type InputFields, readGivenInputs } from "../embedding-messages.js";

export interface EmbeddingHandlerServices {
  readonly catalog: Catalog;
  readonly embeddings: EmbeddingService;
  readonly shadow: Pick<Shadow, "offer">;
}

export function createEmbedding(services: EmbeddingHandlerServices): Handler<"createEmbedding"> {
  // The types require a model of clients. Without one it is the operator's, by `x-operator-default` of the spec.
  return (request) => embedNamed(request.body.model, request, services);
}

type EmbeddingOperation = "createEmbedding" | "createEmbeddingLegacy";
type ValidEmbeddingRequest = Pick<
  ValidRequest<EmbeddingOperation>,
  "extras" | "context" | "header" | "dataUrls"
> & {
  readonly body: Omit<
    ValidRequest<EmbeddingOperation>["body"],
    "model" | "output_dimension" | "truncation" | keyof InputFields
  > & { readonly input: Schemas["EmbeddingInput"] };
};

/**
 * Serves the paths in OpenAI's form, where `dimensions` has a second name and `input` may be a conversation. Errors have
 * the names that were sent.
 */
export async function embedNamed(
  asked: string | undefined,
  request: Pick<ValidRequest<EmbeddingOperation>, "body" | keyof Omit<ValidEmbeddingRequest, "body">>,
  services: EmbeddingHandlerServices,
): Promise<ChunkedResponse> {
  const { input, nameOf } = readGivenInputs(request.body, request.extras);
  const given = { ...request, body: { ...request.body, input } };
  const response = embedWide(asked, given, services);
  return nameOf === undefined ? response : response.catch(namingParameters(nameOf));
}

/** With the width under either name. */
async function embedWide(
  asked: string | undefined,
  request: Omit<ValidEmbeddingRequest, "body"> & {
    readonly body: ValidEmbeddingRequest["body"] &
      Pick<ValidRequest<EmbeddingOperation>["body"], "output_dimension">;
  },
  services: EmbeddingHandlerServices,
): Promise<ChunkedResponse> {
  const { dimensions, output_dimension: width } = request.body;
  if (width == null) return embed(asked, request, services);
  if (dimensions != null && dimensions !== width)
    throw errorOf("invalid_value", {
      param: "output_dimension",
      reason: `it is ${width}, but 'dimensions' is ${dimensions}`,
    });
  const renamed = { ...request, body: { ...request.body, dimensions: width } };
  return embed(asked, renamed, services).catch(namesOutputDimension);
}

const namesOutputDimension = namingParameters(renamingRoot({ dimensions: "output_dimension" }));

/** The differences of a path whose form is not OpenAI's. */
interface ForeignForm {
  /** The vectors that the caller asks for in other parameters. */
  readonly output?: RequestedOutput;
  /** The input type of the request in the gateway's words. */
  readonly inputTypeOf?: (model: EmbeddingModel) => string | undefined;
  /** Writes the response. */
  readonly serialize?: (response: SerializedResponse, context: RequestContext) => ChunkedDocument;
}

type EmbedServices = EmbeddingHandlerServices & ForeignForm;

/** Serves every path once the model is known. */
export async function embed(
  asked: string | undefined,
  { body, extras, context, header, dataUrls }: ValidEmbeddingRequest,
  { catalog, embeddings, shadow, output, inputTypeOf, serialize = serializeEmbeddings }: EmbedServices,
): Promise<ChunkedResponse> {
  const { input, dimensions, input_type, user } = body;
  const { dtype, quantized, form } = output ?? readOutput(body);
  const call = authorizeModel(asked, { operation: "createEmbedding", catalog, context, header });
  const { model } = call;
  // A parameter that is null counts as absent.
  const width = dimensions ?? undefined;
  if (quantized !== undefined) checkOutputDtype(quantized, model, width);
  const request = {
    input,
    dimensions: width,
    // Signs are made from floats, of which base64 is the shorter form.
    encoding_format: form === "float" ? form : ("base64" as const),
    output_dtype: dtype,
    input_type: inputTypeOf ? inputTypeOf(model) : (input_type ?? undefined),
    user: user ?? undefined,
    extras: acceptExtras(extras, model),
  };
  const directives = readCacheDirectives(header("cache-control"));
  const result = await embeddings.create(request, {
    model,
    meter: call.meter,
    memory: call.memory,
    context: call.context,
    key: context.key,
    cache: directives,
    expectedSpace: header("x-gateway-space"),
    dataUrls,
    onCostlyAttempt: context.noteAttempt,
  });
  const { vectors, promptTokens, imageTokens, mediaTokens, images } = result;
  if (quantized !== undefined) checkWidth(result, quantized);
  // Requests that must not be stored, or whose parameters or integers are of one upstream, are not shadowed.
  if (model.shadow !== undefined && directives.write && isPlain(request))
    shadow.offer({ model, request, vectors, key: context.key });
  note(result, context);
  const response = { model: call.modelId, vectors, promptTokens, imageTokens, mediaTokens, images, form };
  const { chunks, bytes } = serialize(response, context);
  return { headers: headersOf(result), chunks, bytes, onSent: result.release };
}

/** The width of a model that declares none is known from its vectors. */
function checkWidth({ vectors, release }: EmbeddingResult, quantized: RequestedDtype): void {
  if (calibratedDtype(quantized.dtype) !== undefined) return;
  const { width = 8 } = vectors[0] ?? {};
  if (width % 8 !== 0) release?.();
  checkDivisible(width, quantized);
}

/** For the log line and the ledger row. */
function note(
  { cache, tokensEstimated, via, failedAttempts }: EmbeddingResult,
  { summary }: RequestContext,
): void {
  summary.cache = cache;
  if (tokensEstimated) summary.tokensEstimated = true;
  if (via === undefined) return;
  summary.upstream = via.upstream;
  summary.attempts = via.attempts;
  summary.failedAttempts = failedAttempts;
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
function readCacheDirectives(cacheControl: string | undefined): CacheDirectives {
  if (cacheControl === undefined) return defaultDirectives;
  const directives = cacheControl
    .toLowerCase()
    .split(",")
    .map((directive) => directive.trim());
  const isPrivate = directives.includes("no-store");
  return { read: !isPrivate && !directives.includes("no-cache"), write: !isPrivate };
}

const defaultDirectives: CacheDirectives = Object.freeze({ read: true, write: true });
