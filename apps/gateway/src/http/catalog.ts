import type { EmbeddingModel, ImageModel, Model } from "../domain/model.js";
import { GatewayError } from "../errors.js";
import type { Schemas } from "../operations.js";

/** The models of this gateway, by id and as callers see them. */
export interface Catalog {
  find(id: string): Model | undefined;
  list(): Schemas["Model"][];
  describe(model: Model): Schemas["Model"];
}

/** @param unavailable Why a model cannot be served now, or undefined when it can. */
export function createCatalog(
  models: ReadonlyMap<string, Model>,
  unavailable: (model: Model) => string | undefined,
): Catalog {
  const created = Math.floor(Date.now() / 1000);
  const describe = (model: Model): Schemas["Model"] => {
    const reason = unavailable(model);
    return {
      id: model.id,
      object: "model",
      created,
      owned_by: model.targets[0].upstream,
      type: model.type,
      ...(model.description === undefined ? {} : { description: model.description }),
      operations: operations(model),
      status: reason === undefined ? "ready" : "unavailable",
      ...(reason === undefined ? {} : { status_reason: reason }),
      ...(model.type === "embedding" ? { embedding: embedding(model) } : { image: image(model) }),
    };
  };
  return {
    find: (id) => models.get(id),
    list: () => [...models.values()].map(describe),
    describe,
  };
}

export function modelNotFound(id: string, param?: "model"): GatewayError {
  return new GatewayError(
    "model_not_found",
    `The model \`${id}\` does not exist or you do not have access to it.`,
    param === undefined ? {} : { param },
  );
}

function operations(model: Model): Schemas["Model"]["operations"] {
  if (model.type === "embedding") return ["createEmbedding", "createEmbeddingLegacy"];
  return model.profile.edits ? ["createImage", "createImageEdit"] : ["createImage"];
}

function embedding(model: EmbeddingModel): Schemas["EmbeddingCapabilities"] {
  return {
    dimensions: model.dimensions ?? null,
    matryoshka: model.matryoshka,
    max_inputs: model.maxInputs,
    max_tokens: model.maxTokens ?? null,
    encoding_formats: ["float", "base64"],
    input_types: takesTokens(model) ? ["text", "tokens"] : ["text"],
  };
}

/** Parameters that the gateway emulates when the upstream does not support them. */
const emulatedParameters = [
  "n",
  "output_format",
  "output_compression",
  "response_format",
  "stream",
  "partial_images",
];

function takesTokens({ tokenizer, clientTokenizer }: EmbeddingModel): boolean {
  return tokenizer !== undefined || clientTokenizer !== undefined;
}

function image({ profile }: ImageModel): Schemas["ImageCapabilities"] {
  return {
    sizes: [...profile.sizes],
    qualities: [...profile.qualities],
    backgrounds: [...profile.backgrounds],
    // The gateway converts to the formats that the upstream lacks.
    output_formats: [
      ...new Set([...profile.outputFormats, "png" as const, "jpeg" as const, "webp" as const]),
    ],
    response_formats: profile.responseFormats[0] === "url" ? ["url", "b64_json"] : ["b64_json", "url"],
    max_n: 10,
    edits: profile.edits,
    mask: profile.edits && profile.mask,
    max_images: profile.edits ? profile.maxImages : 0,
    streaming: true,
    parameters: [...new Set([...profile.parameters, ...emulatedParameters])],
  };
}
