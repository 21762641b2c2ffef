import { builtInCatalogue } from "@model-gateway/catalogue/catalogue";
import { modelAt } from "@model-gateway/config/models/model-at";
import { knownModels } from "@model-gateway/config/models/offered-models";
import { type ModelType, modelTypes } from "@model-gateway/domain/operations";
import type { ModelAt, Provider, ProviderTraits } from "@model-gateway/providers/provider";
import { providerOf } from "@model-gateway/providers/registry";
import type { JsonObject } from "@model-gateway/runtime/json";
import { withoutUndefined } from "@model-gateway/runtime/json";
import type { TargetDraft } from "./write-gateway-file.js";

const catalogue = builtInCatalogue();

/** Facts about models of one type that other products' files leave out. */
interface ImportKind {
  /** The key under which a provider declares such models. */
  readonly trait: keyof ProviderTraits;
  /** The names of such models. */
  readonly names: RegExp;
  /**
   * Settings of a model.
   *
   * @param identity The model's own name, whatever an upstream calls it.
   */
  readonly facts: (identity: string) => JsonObject;
  /** The same settings in the form that the provider accepts, with those that it requires. */
  readonly fit: (facts: JsonObject, provider: Provider, model: string) => JsonObject;
  /** Whether its results can be cached, and its targets share a vector space. */
  readonly hasVectors: boolean;
  /** The key that names another model for requests that this one cannot serve. */
  readonly fallbackKey?: string;
}

export const sourceKinds: Readonly<Record<ModelType, ImportKind>> = {
  embedding: {
    trait: "embeddings",
    names:
      /embed|\b(bge|e5|gte|minilm|voyage|nomic|ada-002|mxbai|arctic-embed|jina-(clip|colbert))\b|\/(bge|e5|gte)-/i,
    facts: widthsOf,
    fit: ({ tokenizer, dimensions, ...facts }, provider, model) => {
      const traits = provider.embeddings?.(knownModel(provider, model));
      const takesIds = traits?.takesTokenIds === true;
      const widest = Math.max(...(traits?.widths ?? [Number.POSITIVE_INFINITY]));
      return withoutUndefined({
        dimensions: Number(dimensions) > widest ? undefined : dimensions,
        ...facts,
        tokenizer: takesIds ? tokenizer : undefined,
        clientTokenizer: takesIds ? undefined : tokenizer,
        // The default of the products that this is imported from.
        inputType: traits?.requiresInputType === true ? "document" : undefined,
      });
    },
    hasVectors: true,
  },
  image: {
    trait: "images",
    names:
      /dall-e|gpt-image|flux|imagen|stable-(diffusion|image)|\bsd3|sdxl|seedream|qwen-image|recraft|ideogram|-image\b|nova-canvas|titan-image|\bcanvas\b|grok-imagine/i,
    facts: (identity) => (identity.startsWith("dall-e") ? { profile: "dall-e" } : {}),
    fit: (facts) => facts,
    hasVectors: false,
    fallbackKey: "fallback",
  },
};

/** A model with the facts of the built-in catalogue. */
export function knownModel(provider: Provider, name: string, settings: JsonObject = {}): ModelAt {
  return modelAt(provider, { name, type: undefined, settings }, catalogue);
}

/** A model's type by its name. Undefined if it is neither, which a chat model is. */
export function typeOfName(name: string): ModelType | undefined {
  return modelTypes.find((type) => sourceKinds[type].names.test(name) && !/rerank/i.test(name));
}

/** The names of a provider's current models. */
export function namesKnownTo(provider: string, type: ModelType): readonly string[] {
  return knownModels(providerOf(provider), type, catalogue);
}

/** Upstreams that call the same model by different names share its vector space. */
export function withSpace(
  targets: readonly TargetDraft[],
  { type, space }: { readonly type: ModelType; readonly space: string },
): readonly TargetDraft[] {
  const hasNames = targets.some((target) => target.model !== targets[0]?.model);
  return sourceKinds[type].hasVectors && hasNames ? targets.map((one) => ({ ...one, space })) : targets;
}

/** Facts hold for a model by its name at its vendor. An inference profile has a region before that. */
function widthsOf(identity: string): JsonObject {
  const name = identity.replace(/^(us|eu|apac|global)\./, "");
  const rows = catalogue.rows.filter(({ model }) => model === name);
  const known = rows.map((row) => ({ ...catalogue.traitsOf(row)?.facts, provider: row.provider }));
  const found = known.find(({ dimensions }) => dimensions !== undefined);
  return withoutUndefined({
    dimensions: found?.dimensions,
    matryoshka: found?.matryoshka,
    tokenizer: found?.provider === "openai" ? "cl100k_base" : undefined,
  });
}
