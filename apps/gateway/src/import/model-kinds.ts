import { withoutUndefined } from "../domain/json.js";
import { type ModelType, modelTypes } from "../operations.js";
import type { Provider, ProviderTraits } from "../providers/provider.js";
import { providerOf } from "../providers/registry.js";
import type { TargetDraft } from "./write-gateway-file.js";

type Settings = Readonly<Record<string, unknown>>;

/** Facts about models of one type that other products' files leave out. */
export interface SourceKind {
  /** The key under which a provider declares such models. */
  readonly trait: keyof ProviderTraits;
  /** The names of such models. */
  readonly names: RegExp;
  /**
   * Settings of a model.
   *
   * @param identity The model's own name, whatever an upstream calls it.
   */
  readonly facts: (identity: string) => Settings;
  /** The same settings in the form that the provider accepts, with those that it requires. */
  readonly fit: (facts: Settings, provider: Provider, model: string) => Settings;
  /** Whether its results can be cached, and its targets share a vector space. */
  readonly hasVectors: boolean;
  /** The key that names another model for requests that this one cannot serve. */
  readonly fallbackKey?: string;
}

export const sourceKinds: Readonly<Record<ModelType, SourceKind>> = {
  embedding: {
    trait: "embeddings",
    names:
      /embed|\b(bge|e5|gte|minilm|voyage|nomic|ada-002|mxbai|arctic-embed|jina-(clip|colbert))\b|\/(bge|e5|gte)-/i,
    facts: (identity) => widths.find(([names]) => names.test(identity))?.[1] ?? {},
    fit: ({ tokenizer, dimensions, ...facts }, provider, model) => {
      const traits = provider.embeddings?.(model);
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

/** A model's type by its name. Undefined if it is neither, which a chat model is. */
export function typeOfName(name: string): ModelType | undefined {
  return modelTypes.find((type) => sourceKinds[type].names.test(name) && !/rerank/i.test(name));
}

/** The model names that the docs show for a provider. Descriptions of names, such as "any model", are left out. */
export function namesKnownTo(provider: string, type: ModelType): readonly string[] {
  const names = providerOf(provider).examples[sourceKinds[type].trait] ?? [];
  return names.filter((name) => !name.includes(" "));
}

/** Upstreams that call the same model by different names share its vector space. */
export function withSpace(
  targets: readonly TargetDraft[],
  { type, space }: { readonly type: ModelType; readonly space: string },
): readonly TargetDraft[] {
  const hasNames = targets.some((target) => target.model !== targets[0]?.model);
  return sourceKinds[type].hasVectors && hasNames ? targets.map((one) => ({ ...one, space })) : targets;
}

const openAi = { tokenizer: "cl100k_base" };

/** Vector widths of providers' own models. Self-hosted ones are left out: a server may serve another version. */
const widths: readonly (readonly [RegExp, Settings])[] = [
  [/^text-embedding-3-small$/, { dimensions: 1536, matryoshka: true, ...openAi }],
  [/^text-embedding-3-large$/, { dimensions: 3072, matryoshka: true, ...openAi }],
  [/^text-embedding-ada-002$/, { dimensions: 1536, ...openAi }],
  [/^(\w+\.)?(cohere\.)?embed-v4(\.0|:0)$/, { dimensions: 1536, matryoshka: true }],
  [/^(cohere\.)?embed-(english|multilingual)-v3(\.0)?$/, { dimensions: 1024 }],
  [/^embed-(english|multilingual)-light-v3\.0$/, { dimensions: 384 }],
  [/^amazon\.titan-embed-text-v2/, { dimensions: 1024, matryoshka: true }],
  [/^amazon\.titan-embed-(text-v1|g1-text)/, { dimensions: 1536 }],
  [/^gemini-embedding-(001|2)$/, { dimensions: 3072, matryoshka: true }],
  [/^text-(multilingual-)?embedding-00[245]$/, { dimensions: 768, matryoshka: true }],
  [/^voyage-(4|4-large|4-lite|3\.5|3\.5-lite|3-large|code-3)$/, { dimensions: 1024, matryoshka: true }],
  [/^voyage-(3|law-2|finance-2|multilingual-2)$/, { dimensions: 1024 }],
  [/^jina-embeddings-(v3|v5-text-small)$/, { dimensions: 1024, matryoshka: true }],
  [/^jina-embeddings-v4$/, { dimensions: 2048, matryoshka: true }],
  [/^mistral-embed$/, { dimensions: 1024 }],
  [/^codestral-embed$/, { dimensions: 1536, matryoshka: true }],
];
