import { imageOperationsOf, offeredFormats } from "../domain/image-profile.js";
import { type EmbeddingModel, type ImageModel, isPattern, type Model, namesOf } from "../domain/model.js";
import { spaceDigest } from "../embeddings/space.js";
import type { ModelOperation, Schemas } from "../operations.js";

/** The models of this gateway, by id and as callers see them. */
export interface Catalog {
  /** The model with this id or alias, or the one that a pattern stands for. */
  find(id: string): Model | undefined;
  /** Every model of the configuration, patterns included. */
  all(): readonly Model[];
  list(): Schemas["Model"][];
  describe(model: Model): Schemas["Model"];
  /** The id of the model for requests that name none. */
  defaultFor(operation: ModelOperation): string | undefined;
}

export interface CatalogOptions {
  /** By their own ids. */
  readonly models: ReadonlyMap<string, Model>;
  /** `PatternModels` (models/pattern-models.ts) finds the models behind patterns. */
  readonly patterns: { find(id: string): Model | undefined };
  readonly defaults: { readonly [K in ModelOperation]?: string };
  /** Why a model cannot be served now, or undefined when it can. */
  readonly unavailable: (model: Model) => string | undefined;
}

export function createCatalog({ models, patterns, defaults, unavailable }: CatalogOptions): Catalog {
  const all = [...models.values()];
  // One lookup for an id and for an alias. The configuration was checked for names that occur twice.
  const exact = all.filter(({ id }) => !isPattern(id));
  const byName = new Map(exact.flatMap((model) => namesOf(model).map((name) => [name, model] as const)));
  const created = Math.floor(Date.now() / 1000);
  const describe = (model: Model): Schemas["Model"] => {
    const reason = unavailable(model);
    return {
      id: model.id,
      object: "model",
      created,
      owned_by: model.targets[0].upstream,
      shutdown_date: model.shutdownDate ?? null,
      type: model.type,
      ...(model.description === undefined ? {} : { description: model.description }),
      ...(isPattern(model.id) ? { is_pattern: true } : {}),
      ...(model.discovered === true ? { discovered: true } : {}),
      ...(model.aliases === undefined ? {} : { aliases: [...model.aliases] }),
      operations: operationsOf(model),
      ...(model.passThrough === undefined ? {} : { pass_through: [...model.passThrough] }),
      status: reason === undefined ? "ready" : "unavailable",
      ...(reason === undefined ? {} : { status_reason: reason }),
      ...(model.type === "embedding" ? { embedding: embedding(model) } : { image: image(model) }),
    };
  };
  return {
    find: (id) => byName.get(id) ?? patterns.find(id),
    all: () => all,
    list: () => all.map(describe),
    describe,
    defaultFor: (operation) => defaults[operation],
  };
}

export function operationsOf(model: Model): Schemas["Model"]["operations"] {
  if (model.type === "embedding") return ["createEmbedding", "createEmbeddingLegacy"];
  return imageOperationsOf(model.profile);
}

function embedding(model: EmbeddingModel): Schemas["EmbeddingCapabilities"] {
  return {
    dimensions: model.dimensions ?? null,
    matryoshka: model.matryoshka,
    max_inputs: model.maxInputs,
    max_tokens: model.maxTokens ?? null,
    encoding_formats: ["float", "base64"],
    input_types: takesTokens(model) ? ["text", "tokens"] : ["text"],
    // With `any`, the list of what is passed through has `input_type`.
    input_type_values: model.inputTypes === "any" ? [] : [...(model.inputTypes ?? [])],
    default_input_type: model.inputType ?? null,
    // Each model behind a pattern has a space of its own.
    space: isPattern(model.id) ? null : spaceDigest(model),
    revision: model.revision ?? null,
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
    output_formats: [...offeredFormats(profile)],
    response_formats: profile.responseFormats[0] === "url" ? ["url", "b64_json"] : ["b64_json", "url"],
    max_n: 10,
    edits: profile.edits,
    mask: profile.edits && profile.mask,
    markup: profile.edits && profile.markup,
    max_images: profile.edits ? profile.maxImages : 0,
    streaming: true,
    parameters: [...new Set([...profile.parameters, ...emulatedParameters])],
  };
}
