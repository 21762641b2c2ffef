import type { ModelType } from "../write-gateway-file.js";

/** What LiteLLM looks up in its own list of models: whether a model makes vectors or images, and its width. */

const types: Readonly<Record<string, ModelType>> = {
  embedding: "embedding",
  image_generation: "image",
  image_edit: "image",
};

const embeddingNames = /embed|\b(bge|e5|gte|minilm|voyage|nomic|ada-002)\b|\/(bge|e5|gte)-/i;
const imageNames = /dall-e|gpt-image|flux|imagen|stable-diffusion|sdxl|seedream|qwen-image|recraft|ideogram/i;

/** The type of a model by the `mode` of its entry, or by its name. Undefined if the gateway does not serve it. */
export function typeOf(mode: unknown, name: string): ModelType | undefined {
  if (typeof mode === "string") return types[mode];
  if (embeddingNames.test(name)) return "embedding";
  return imageNames.test(name) ? "image" : undefined;
}

/** OpenAI's own embedding models. The clients of these send token ids, and may ask for fewer dimensions. */
const embeddingFacts: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "text-embedding-3-small": { dimensions: 1536, matryoshka: true, tokenizer: "cl100k_base" },
  "text-embedding-3-large": { dimensions: 3072, matryoshka: true, tokenizer: "cl100k_base" },
  "text-embedding-ada-002": { dimensions: 1536, tokenizer: "cl100k_base" },
};

/** The settings of a model that follow from what it is. */
export function factsOf(type: ModelType, identity: string): Readonly<Record<string, unknown>> {
  if (type === "embedding") return embeddingFacts[identity] ?? {};
  return identity.startsWith("dall-e") ? { profile: "dall-e" } : {};
}

/** Whether the gateway's profile of the model's options is known, and not only its default. */
export function isKnownImageModel(identity: string): boolean {
  return /^(dall-e|gpt-image)/.test(identity);
}
