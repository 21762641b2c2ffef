import type { Price } from "../domain/model.js";

/** The price of a model at one host, with its source and date. */
export interface CatalogueRow {
  readonly host: string;
  readonly model: string;
  readonly price: Price;
  readonly source: string;
  readonly asOf: string;
}

/** The listed price of a model at a base URL; undefined if it is not in the catalogue. */
export function listedPrice(baseUrl: string, model: string): Price | undefined {
  const { host } = new URL(baseUrl);
  return catalogue.find((row) => row.host === host && row.model === model)?.price;
}

const litellm = {
  source: "https://github.com/BerriAI/litellm/blob/b0fd3e1/model_prices_and_context_window.json",
  asOf: "2026-08-05",
};
const genaiPrices = { source: "https://github.com/pydantic/genai-prices", asOf: "2026-11-15" };
const gptImageGuide = { source: "https://apidog.com/es/blog/gpt-image-2-5-api/", asOf: "2026-09-09" };

const gptImageTokens: Price = {
  perMillionInputTokens: { text: 5, image: 8 },
  perMillionOutputTokens: 30,
};

/**
 * Prices hold for a host: the same model on a proxy or on one's own machine costs something else. A model is left out if
 * its sources disagree or name only a minimum price.
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
