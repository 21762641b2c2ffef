import type { Adapter } from "./adapters/adapter.js";
import { type Catalog, modelNotFound } from "./catalog.js";
import type { EmbeddingModel, ImageModel, Model } from "./domain/model.js";
import type { EmbeddingRequest, ImageAnswer, ImageEditRequest, ImageRequest } from "./domain/requests.js";
import type { CacheWishes, Embed, Embedded } from "./embeddings/embedder.js";
import { GatewayError } from "./errors.js";
import { checkPictures } from "./images/check-pictures.js";
import { fitToProfile } from "./images/fit-to-profile.js";
import type { ModelOperation } from "./operations.js";
import type { Dispatch } from "./scheduling/dispatch.js";

/** What the relay needs to know of the caller: when it leaves, and whom to tell what was chosen. */
export interface Errand {
  readonly modelId: string;
  readonly signal: AbortSignal;
  readonly onModel: (id: string) => void;
  readonly onUpstream: (name: string) => void;
}

/** The sentence of the whole app: find the model, check the request against it, have it done, and verify the answer. */
export interface Relay {
  createEmbedding(
    request: EmbeddingRequest,
    errand: Errand & { readonly cache: CacheWishes },
  ): Promise<Embedded>;
  createImage(request: ImageRequest, errand: Errand): Promise<ImageAnswer>;
  createImageEdit(request: ImageEditRequest, errand: Errand): Promise<ImageAnswer>;
}

export interface RelayNeeds {
  readonly catalog: Catalog;
  readonly embed: Embed;
  readonly dispatch: Dispatch;
}

export function createRelay({ catalog, embed, dispatch }: RelayNeeds): Relay {
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

  async function draw<K extends "createImage" | "createImageEdit">(
    operation: K,
    request: Parameters<Relay[K]>[0],
    errand: Errand,
  ): Promise<ImageAnswer> {
    const model: ImageModel = find(errand, "image", operation);
    if ("images" in request) checkPictures(request, model.profile);
    const fitted = fitToProfile(request, model.profile);
    const { result, upstream } = await dispatch<K, ImageModel, ImageAnswer>({
      operation,
      model,
      // What fits the profile is still a request of this operation.
      request: () => fitted as Parameters<NonNullable<Adapter[K]>>[0],
      accept: (answer) => answer,
      signal: errand.signal,
    });
    errand.onUpstream(upstream);
    return result;
  }

  return {
    async createEmbedding(request, errand) {
      const model: EmbeddingModel = find(errand, "embedding", "createEmbedding");
      const embedded = await embed(request, { model, cache: errand.cache, signal: errand.signal });
      if (embedded.upstream !== undefined) errand.onUpstream(embedded.upstream);
      return embedded;
    },
    createImage: (request, errand) => draw("createImage", request, errand),
    createImageEdit: (request, errand) => draw("createImageEdit", request, errand),
  };
}

function isOfType<T extends Model["type"]>(model: Model, type: T): model is Extract<Model, { type: T }> {
  return model.type === type;
}

function canEdit(model: Model): boolean {
  return model.type === "image" && model.profile.edits;
}
