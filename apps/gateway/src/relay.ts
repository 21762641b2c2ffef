import type { EmbeddingModel, Model } from "./domain/model.js";
import type { EmbeddingRequest, ImageEditRequest, ImageRequest } from "./domain/requests.js";
import type { RequestTrace } from "./domain/trace.js";
import type { CacheDirectives } from "./embeddings/cache/input-cache.js";
import type { Embed, EmbeddingResult } from "./embeddings/create-embedding.js";
import { GatewayError } from "./errors.js";
import type { ImageJob } from "./images/call-upstream.js";
import type { CreatedImages, Draw } from "./images/create-image.js";
import { type Catalog, modelNotFound } from "./models/catalog.js";
import type { ModelOperation } from "./operations.js";
import { estimateInputTokens, estimateTokens, type UsageMeter } from "./usage/usage-meter.js";

/** What the relay needs to know of the caller: when it leaves, and whom to tell what was chosen. */
export interface Errand {
  readonly modelId: string;
  readonly caller: string;
  readonly signal: AbortSignal;
  readonly trace: RequestTrace;
  /** What the request may use and has used. */
  readonly tab: UsageMeter;
  readonly onModel: (id: string) => void;
  readonly onUpstream: (name: string, attempts: number) => void;
}

/** The sentence of the whole app: find the model, check the request against it, have it done, and verify the answer. */
export interface Relay {
  createEmbedding(
    request: EmbeddingRequest,
    errand: Errand,
    cache: CacheDirectives,
  ): Promise<EmbeddingResult>;
  createImage(request: ImageRequest, errand: Errand & ImageRequestHeaders): Promise<CreatedImages>;
  createImageEdit(request: ImageEditRequest, errand: Errand & ImageRequestHeaders): Promise<CreatedImages>;
}

/** What a caller says of a paid request, in its headers. */
export type ImageRequestHeaders = Pick<
  ImageJob<"createImage">,
  "caller" | "idempotencyKey" | "allowPartial" | "origin" | "onBackgroundWork"
>;

export interface RelayNeeds {
  readonly catalog: Catalog;
  readonly embed: Embed;
  readonly draw: Draw;
}

export function createRelay({ catalog, embed, draw }: RelayNeeds): Relay {
  function find<T extends Model["type"]>(
    errand: Errand,
    type: T,
    operation: ModelOperation,
  ): Extract<Model, { type: T }> {
    const model = catalog.find(errand.modelId);
    if (model === undefined) throw modelNotFound(errand.modelId);
    errand.onModel(model.id);
    if (!isOfType(model, type) || (operation === "createImageEdit" && !canEdit(model))) {
      const { operations } = catalog.describe(model);
      throw new GatewayError(
        "unsupported_operation",
        `The model '${model.id}' does not support ${operation}; it supports: ${operations.join(", ")}.`,
        { param: "model" },
      );
    }
    return model;
  }

  async function paint<K extends "createImage" | "createImageEdit">(
    operation: K,
    request: ImageJob<K>["request"],
    errand: Errand & ImageRequestHeaders,
  ): Promise<CreatedImages> {
    const model = find(errand, "image", operation);
    const { prompt, n, size, quality } = request;
    await errand.tab.admit({
      model,
      tokens: estimateTokens(prompt),
      images: { count: n ?? 1, ...(size && { size }), ...(quality && { quality }) },
    });
    return draw({
      ...errand,
      operation,
      request,
      model,
      reserve: () => errand.tab.reserve(),
      onCreated: (work) => errand.tab.addImages(work),
      onLost: () => errand.tab.markCostUnknown(),
    });
  }

  return {
    async createEmbedding(request, errand, cache) {
      const model: EmbeddingModel = find(errand, "embedding", "createEmbedding");
      const { caller, trace, signal, tab } = errand;
      const opening = tab.open({ model, tokens: estimateInputTokens(request.input) });
      if (opening !== undefined) await opening;
      const embedded = await embed(request, { model, caller, cache, trace, signal });
      tab.addEmbeddings(embedded.promptTokens, embedded.work);
      if (embedded.via !== undefined) errand.onUpstream(embedded.via.upstream, embedded.via.attempts);
      return embedded;
    },
    createImage: async (request, errand) => paint("createImage", request, errand),
    createImageEdit: async (request, errand) => paint("createImageEdit", request, errand),
  };
}

function isOfType<T extends Model["type"]>(model: Model, type: T): model is Extract<Model, { type: T }> {
  return model.type === type;
}

function canEdit(model: Model): boolean {
  return model.type === "image" && model.profile.edits;
}
