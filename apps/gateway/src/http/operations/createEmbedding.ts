import type { CacheDirectives } from "../../embeddings/cache/input-cache.js";
import type { EmbeddingService } from "../../embeddings/create-embedding.js";
import { serializeEmbeddings } from "../../embeddings/serialize.js";
import { authorizeModel } from "../authorize-model.js";
import type { Catalog } from "../catalog.js";
import type { ChunkedResponse, Handler, ValidRequest } from "../handler.js";

export interface EmbeddingHandlerServices {
  readonly catalog: Catalog;
  readonly embeddings: EmbeddingService;
}

export function createEmbedding(services: EmbeddingHandlerServices): Handler<"createEmbedding"> {
  return (request) => embed(request.body.model, request, services);
}

type EmbeddingOperation = "createEmbedding" | "createEmbeddingLegacy";

/** Serves both paths once the model is known. */
export async function embed(
  modelId: string,
  { body, context, header }: Omit<ValidRequest<EmbeddingOperation>, "parameters">,
  { catalog, embeddings }: EmbeddingHandlerServices,
): Promise<ChunkedResponse> {
  const { input, dimensions, encoding_format, user } = body;
  // A parameter that is null counts as absent.
  const encoding = encoding_format ?? "float";
  const {
    model,
    meter,
    memory,
    context: caller,
  } = authorizeModel(modelId, {
    type: "embedding",
    operation: "createEmbedding",
    catalog,
    context,
  });
  const { vectors, promptTokens, via, cache, release } = await embeddings.create(
    { input, dimensions: dimensions ?? undefined, encoding_format: encoding, user: user ?? undefined },
    { model, meter, memory, context: caller, cache: readCacheDirectives(header("cache-control")) },
  );
  context.cache = cache;
  if (via !== undefined) {
    context.upstream = via.upstream;
    context.attempts = via.attempts;
  }
  const { chunks, bytes } = serializeEmbeddings({ model: modelId, vectors, promptTokens, encoding });
  return {
    headers: cache === undefined ? {} : { "x-gateway-cache": cache },
    chunks,
    bytes,
    onSent: release,
  };
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
