import type { Price } from "../domain/model.js";
import { matchesWildcard } from "../domain/wildcard.js";

/** The price of a model at one host, with its source and date. */
export interface CatalogueRow {
  /** A `*` matches any text, where the price is the same for all regions. */
  readonly host: string;
  readonly model: string;
  readonly price: Price;
  /** The price's source. */
  readonly source: string;
  /** The source's date, or else the date it was read. */
  readonly asOf: string;
}

/** The listed price of a model at a base URL; undefined if it is not in the catalogue. */
export function listedPrice(baseUrl: string, model: string): Price | undefined {
  const { host } = new URL(baseUrl);
  return catalogue.find((row) => row.model === model && matchesWildcard(row.host, host))?.price;
}

const litellm = {
  source: "https://github.com/BerriAI/litellm/blob/b0fd3e1/model_prices_and_context_window.json",
  asOf: "2026-08-05",
};
const genaiPrices = { source: "https://github.com/pydantic/genai-prices", asOf: "2026-11-15" };
const gptImageGuide = { source: "https://apidog.com/es/blog/gpt-image-2-5-api/", asOf: "2026-09-09" };

const geminiImageGuide = {
  source: "https://aifreeapi.com/en/posts/gemini-image-generation-api-pricing",
  asOf: "2026-03-20",
};
const googleEmbeddingGuide = { source: "https://embeddingcost.com/google", asOf: "2026-04-01" };
/** Credits, of which each is a cent. */
const stabilityUpdate = { source: "https://stability.ai/api-pricing-update-25", asOf: "2025-07-09" };
const replicateGuide = {
  source: "https://www.workflowlab.dev/cost/flux-api-options-compared",
  asOf: "2026-05-11",
};
const stabilityGuide = {
  source: "https://developer.puter.com/tutorials/stability-ai-api-pricing/",
  asOf: "2026-06-30",
};

const bflGuide = {
  source: "https://docs.litellm.ai/docs/providers/black_forest_labs",
  asOf: "2026-11-16",
};
const vertexHosts = ["aiplatform.googleapis.com", "*-aiplatform.googleapis.com"];
/** Prices differ between regions. These two have the same. */
const bedrockHosts = ["us-east-1", "us-west-2"].map((region) => `bedrock-runtime.${region}.amazonaws.com`);

const gptImageTokens: Price = {
  perMillionInputTokens: { text: 5, image: 8 },
  perMillionOutputTokens: 30,
};

/**
 * Prices hold for a host: the same model on a proxy or on your own machine has another price. A model is left out if
 * its sources disagree or name only a minimum price, or if the price depends on facts that the gateway lacks: the
 * megapixels that are billed, the model behind a deployment name, or a contract.
 */
export const catalogue: readonly CatalogueRow[] = [
  embedding("api.openai.com", "text-embedding-3-small", { usd: 0.02, ...litellm }),
  embedding("api.openai.com", "text-embedding-3-large", { usd: 0.13, ...litellm }),
  embedding("api.openai.com", "text-embedding-ada-002", { usd: 0.1, ...litellm }),
  { host: "api.openai.com", model: "gpt-image-2.5-flare", price: gptImageTokens, ...gptImageGuide },
  { host: "api.openai.com", model: "gpt-image-2.5-sunburst", price: gptImageTokens, ...gptImageGuide },
  { host: "api.openai.com", model: "gpt-image-2", price: gptImageTokens, ...litellm },
  {
    host: "api.openai.com",
    model: "gpt-image-1.5",
    price: {
      perImage: {
        "1024x1024": { low: 0.009, medium: 0.034, high: 0.133 },
        "1536x1024": { low: 0.013, medium: 0.05, high: 0.2 },
        "1024x1536": { low: 0.013, medium: 0.05, high: 0.2 },
      },
    },
    ...litellm,
  },
  embedding("generativelanguage.googleapis.com", "gemini-embedding-001", { usd: 0.15, ...litellm }),
  embedding("generativelanguage.googleapis.com", "gemini-embedding-2", { usd: 0.2, ...litellm }),
  {
    host: "generativelanguage.googleapis.com",
    model: "gemini-2.5-flash-image",
    price: { perImage: 0.039 },
    ...geminiImageGuide,
  },
  ...vertexHosts.map((host) =>
    embedding(host, "gemini-embedding-001", { usd: 0.15, ...googleEmbeddingGuide }),
  ),
  embedding("api.cohere.com", "embed-v4.0", { usd: 0.12, ...litellm }),
  embedding("api.cohere.com", "embed-english-v3.0", { usd: 0.1, ...litellm }),
  embedding("api.cohere.com", "embed-english-light-v3.0", { usd: 0.1, ...litellm }),
  embedding("api.cohere.com", "embed-multilingual-v3.0", { usd: 0.1, ...litellm }),
  embedding("api.cohere.ai", "embed-v4.0", { usd: 0.12, ...litellm }),
  embedding("api.cohere.ai", "embed-english-v3.0", { usd: 0.1, ...litellm }),
  embedding("api.cohere.ai", "embed-english-light-v3.0", { usd: 0.1, ...litellm }),
  embedding("api.cohere.ai", "embed-multilingual-v3.0", { usd: 0.1, ...litellm }),
  embedding("api.voyageai.com", "voyage-4-large", { usd: 0.12, ...genaiPrices }),
  embedding("api.voyageai.com", "voyage-4", { usd: 0.06, ...genaiPrices }),
  embedding("api.voyageai.com", "voyage-4-lite", { usd: 0.02, ...genaiPrices }),
  embedding("api.voyageai.com", "voyage-3.5", { usd: 0.06, ...litellm }),
  embedding("api.voyageai.com", "voyage-3.5-lite", { usd: 0.02, ...litellm }),
  embedding("api.voyageai.com", "voyage-3-large", { usd: 0.18, ...litellm }),
  embedding("api.voyageai.com", "voyage-code-3", { usd: 0.18, ...litellm }),
  embedding("api.voyageai.com", "voyage-finance-2", { usd: 0.12, ...litellm }),
  embedding("api.voyageai.com", "voyage-law-2", { usd: 0.12, ...litellm }),
  embedding("api.voyageai.com", "voyage-code-2", { usd: 0.12, ...litellm }),
  embedding("api.mistral.ai", "mistral-embed", { usd: 0.1, ...litellm }),
  embedding("api.mistral.ai", "codestral-embed", { usd: 0.15, ...litellm }),
  { host: "api.stability.ai", model: "core", price: { perImage: 0.03 }, ...stabilityGuide },
  { host: "api.stability.ai", model: "ultra", price: { perImage: 0.08 }, ...stabilityGuide },
  { host: "api.stability.ai", model: "sd3.5-large", price: { perImage: 0.065 }, ...stabilityGuide },
  { host: "api.stability.ai", model: "sd3.5-large-turbo", price: { perImage: 0.04 }, ...stabilityGuide },
  { host: "api.stability.ai", model: "sd3.5-medium", price: { perImage: 0.035 }, ...stabilityGuide },
  { host: "api.stability.ai", model: "inpaint", price: { perImage: 0.05 }, ...stabilityUpdate },
  { host: "api.bfl.ai", model: "flux-pro-1.1", price: { perImage: 0.04 }, ...bflGuide },
  { host: "api.bfl.ai", model: "flux-pro-1.1-ultra", price: { perImage: 0.06 }, ...bflGuide },
  { host: "api.bfl.ai", model: "flux-dev", price: { perImage: 0.025 }, ...bflGuide },
  { host: "api.bfl.ai", model: "flux-kontext-pro", price: { perImage: 0.04 }, ...litellm },
  { host: "api.bfl.ai", model: "flux-kontext-max", price: { perImage: 0.08 }, ...litellm },
  { host: "api.bfl.ai", model: "flux-pro-1.0-fill", price: { perImage: 0.05 }, ...litellm },
  {
    host: "api.replicate.com",
    model: "black-forest-labs/flux-schnell",
    price: { perImage: 0.003 },
    ...replicateGuide,
  },
  {
    host: "api.replicate.com",
    model: "black-forest-labs/flux-dev",
    price: { perImage: 0.025 },
    ...replicateGuide,
  },
  {
    host: "queue.fal.run",
    model: "fal-ai/flux-pro/v1.1-ultra",
    price: { perImage: 0.06 },
    ...litellm,
  },
  ...bedrockHosts.flatMap((host) => [
    embedding(host, "amazon.titan-embed-text-v2:0", { usd: 0.02, ...litellm }),
    embedding(host, "amazon.titan-embed-text-v1", { usd: 0.1, ...litellm }),
    embedding(host, "amazon.nova-2-multimodal-embeddings-v1:0", { usd: 0.135, ...litellm }),
    embedding(host, "cohere.embed-v4:0", { usd: 0.12, ...litellm }),
    embedding(host, "cohere.embed-english-v3", { usd: 0.1, ...litellm }),
    embedding(host, "cohere.embed-multilingual-v3", { usd: 0.1, ...litellm }),
    { host, model: "stability.stable-image-core-v1:1", price: { perImage: 0.04 }, ...litellm },
    { host, model: "stability.stable-image-ultra-v1:1", price: { perImage: 0.14 }, ...litellm },
    { host, model: "stability.sd3-5-large-v1:0", price: { perImage: 0.08 }, ...litellm },
    { host, model: "stability.stable-image-inpaint-v1:0", price: { perImage: 0.07 }, ...litellm },
  ]),
  embedding("api.together.ai", "BAAI/bge-base-en-v1.5", { usd: 0.008, ...litellm }),
  embedding("api.together.xyz", "BAAI/bge-base-en-v1.5", { usd: 0.008, ...litellm }),
  embedding("api.fireworks.ai", "nomic-ai/nomic-embed-text-v1.5", { usd: 0.008, ...litellm }),
];

interface ListedTokens {
  /** Per million tokens. */
  readonly usd: number;
  readonly source: string;
  readonly asOf: string;
}

function embedding(host: string, model: string, { usd, source, asOf }: ListedTokens): CatalogueRow {
  return { host, model, price: { perMillionTokens: usd }, source, asOf };
}
