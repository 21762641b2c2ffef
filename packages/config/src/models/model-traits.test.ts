import { builtInCatalogue } from "@model-gateway/catalogue/catalogue";
import type { ModelType } from "@model-gateway/domain/operations";
import type { ModelAt } from "@model-gateway/providers/provider";
import { providerOf, providers } from "@model-gateway/providers/registry";
import { describe, expect, test } from "vitest";
import { modelAt } from "./model-at.js";

/* The traits that models have with the built-in catalogue: its facts, over what the dialects of the providers fix. */

const catalogue = builtInCatalogue();

function at(provider: string, name: string, type: ModelType, settings = {}): ModelAt {
  return modelAt(providerOf(provider), { name, type, settings }, catalogue);
}

const embedding = (provider: string, name: string) =>
  providerOf(provider).embeddings?.(at(provider, name, "embedding"));
const image = (provider: string, name: string, settings = {}) =>
  providerOf(provider).images?.(at(provider, name, "image", settings));
const unserved = (provider: string, name: string, type: ModelType = "image") =>
  providerOf(provider).unserved?.(at(provider, name, type));

const v5Widths = [256, 512, 768, 1024, 1536, 2048];
const cohereImages = { maxInputs: 96, maxImageBytes: 20_000_000, maxImageBytesPerRequest: 20_000_000 };

test.each([
  [
    "cohere",
    "embed-v5.0-pro",
    { maxTokens: 128_000, outputDtypes: ["int8", "uint8"], widths: v5Widths, inputImages: cohereImages },
  ],
  // Until the catalogue knows them, later generations are like the last one.
  ["cohere", "embed-v6.0-pro", { maxTokens: 128_000, widths: v5Widths, inputImages: cohereImages }],
  ["cohere", "embed-v4.0", { maxTokens: 128_000, widths: [256, 512, 1024, 1536], dimensions: "pass" }],
  [
    "cohere",
    "embed-english-v3.0",
    { maxTokens: 512, dimensions: "emulate", outputDtypes: ["int8", "uint8"] },
  ],
  ["cohere", "something", { maxTokens: 512, dimensions: "emulate" }],
  ["jina", "jina-embeddings-v5-omni-small", { maxTokens: 32_768, inputImages: { maxImagesPerInput: 1 } }],
  ["jina", "jina-embeddings-v5-text-small", { maxTokens: 32_768, dimensions: "pass" }],
  ["jina", "jina-embeddings-v5-text-nano", { maxTokens: 8192, dimensions: "pass" }],
  ["jina", "jina-embeddings-v4", { maxTokens: 32_768, dimensions: "pass" }],
  ["jina", "jina-embeddings-v2-base-en", { maxTokens: 8192, dimensions: "emulate" }],
  ["voyage", "voyage-4-large", { maxTokensPerRequest: 120_000, widths: [256, 512, 1024, 2048] }],
  ["voyage", "voyage-4", { maxTokensPerRequest: 320_000, outputDtypes: ["int8", "uint8"] }],
  ["voyage", "voyage-5-lite", { maxTokensPerRequest: 1_000_000 }],
  ["voyage", "voyage-law-2", { maxTokens: 16_000, dimensions: "emulate" }],
  ["voyage", "voyage-multimodal-3.5", { inputImages: { maxInputs: 1000 }, encodings: ["float"] }],
  ["mistral", "codestral-embed", { dimensions: "pass", unitVectors: "not-always" }],
  ["mistral", "mistral-embed", { dimensions: "emulate", unitVectors: "always" }],
  ["gemini", "gemini-embedding-001", { maxTokens: 2048, tooLong: "counted" }],
  ["gemini", "gemini-embedding-2", { maxTokens: 8192, inputImages: { maxImagesPerInput: 6 } }],
  ["vertex", "gemini-embedding-3", { maxInputs: 1, maxTokens: 8192 }],
  ["vertex", "text-embedding-005", { maxInputs: 250, widths: [128, 256, 512, 768] }],
  ["bedrock", "us.cohere.embed-v4:0", { maxInputs: 96, maxTokens: 128_000, requiresInputType: true }],
  ["bedrock", "amazon.titan-embed-text-v2:0", { maxInputs: 1, unitVectors: "always" }],
  ["bedrock", "amazon.nova-2-multimodal-embeddings-v1:0", { inputImages: { mixesParts: false } }],
  ["dashscope", "text-embedding-v4", { maxInputs: 10, maxTokens: 8192, dimensions: "pass" }],
  ["dashscope", "text-embedding-v3", { maxInputs: 10, widths: [1024, 768, 512] }],
  ["dashscope", "text-embedding-v2", { maxInputs: 25, maxTokens: 2048, dimensions: "emulate" }],
  ["dashscope", "qwen3.7-text-embedding", { maxInputs: 20, maxTokens: 128_000 }],
  ["together", "intfloat/multilingual-e5-large-instruct", { maxTokens: 514 }],
  ["together", "BAAI/bge-base-en-v1.5", { maxTokens: 512 }],
])("%s embeds with %s: %j", (provider, model, traits) => {
  expect(embedding(provider, model)).toMatchObject(traits);
});

test.each([
  ["voyage", "voyage-4-large"],
  ["jina", "jina-embeddings-v5-text-small"],
])("%s takes no images with %s", (provider, model) => {
  expect(embedding(provider, model)?.inputImages).toBeUndefined();
});

test.each([
  ["openai", "gpt-image-2.6-flare", { name: "gpt-image-2.5", markup: true }],
  ["openai", "gpt-image-2", { name: "gpt-image", markup: false }],
  ["openai", "gpt-image-3-flare", { name: "gpt-image-2.5" }],
  ["bfl", "flux-3-image", { name: "bfl-flux-3", maxImages: 10, edits: true }],
  ["bfl", "flux-2-pro", { name: "bfl-flux-2", sides: { min: 256, max: 2048 }, maxImages: 8 }],
  ["bfl", "flux-2-klein-4b", { name: "bfl-flux-2-klein", maxImages: 4 }],
  ["bfl", "flux-pro-1.0-fill", { name: "bfl-fill", onlyEdits: true, mask: true }],
  ["xai", "grok-imagine-image-2.0", { maxImages: 5 }],
  ["xai", "grok-imagine-image", { maxImages: 3 }],
  ["openrouter", "openai/gpt-image-2", { name: "openrouter-gpt-image" }],
  ["openrouter", "other/image", { name: "openrouter", parameters: ["size"] }],
  ["stability", "core", { name: "stability-generate" }],
  ["stability", "sd3.5-large", { name: "stability-sd3", outputFormats: ["png", "jpeg"] }],
  ["bedrock", "eu.stability.sd3-5-large-v1:0", { name: "bedrock-stability" }],
  ["dashscope", "qwen-image-3.0-pro", { name: "qwen-image-3", maxImages: 3, maxN: 6 }],
  ["dashscope", "qwen-image-2.1-pro", { name: "qwen-image-2.1-pro", maxImages: 10, maxN: 6 }],
  ["dashscope", "qwen-image-2.0-2026-03-03", { name: "qwen-image", maxImages: 3, maxN: 6 }],
  ["dashscope", "qwen-image", { name: "qwen-image-1", maxImages: 1, maxN: 1 }],
  ["dashscope", "qwen-image-max-2025-12-30", { name: "qwen-image-1", maxImages: 1, maxN: 1 }],
  ["dashscope", "qwen-image-edit-max", { name: "qwen-image-edit", maxImages: 3, maxN: 6 }],
  ["dashscope", "wan2.7-image", { name: "wan-2.7-image", maxImages: 9, maxN: 4 }],
  ["dashscope", "wan2.2-t2i-flash", { name: "wan-2.2", maxImages: 1, maxN: 4 }],
  ["ark", "doubao-seedream-4-0-250828", { name: "seedream-4.0" }],
  ["ark", "seedream-4-5-251128", { name: "seedream-4.5" }],
  ["ark", "doubao-seedream-5-0-260128", { name: "seedream-5.0" }],
  ["ark", "doubao-seedream-5-0-lite-260128", { name: "seedream-5.0" }],
  ["ark", "doubao-seedream-5-0-flash-260915", { name: "seedream-5.0-pro" }],
  ["ark", "seedream-5-5-261028", { name: "seedream-5.0-pro" }],
  ["recraft", "recraftv4_1", { edits: true, mask: false, maxPromptLength: 10_000, outputFormats: ["png"] }],
  ["recraft", "recraftv4_1_flash", { edits: false }],
  ["recraft", "recraftv4_1_utility_pro", { name: "recraft-4-pro", edits: true }],
  ["recraft", "recraftv4_pro", { sizes: expect.arrayContaining(["2048x2048", "3072x1536"]) }],
  ["recraft", "recraftv4_1_vector", { edits: false, outputFormats: ["svg"] }],
  ["recraft", "recraftv3", { edits: true, mask: true, maxPromptLength: 1000 }],
  ["recraft", "recraftv2_vector", { outputFormats: ["svg"] }],
  ["together", "black-forest-labs/FLUX.2-pro", { edits: true, maxN: 4, outputFormats: ["png", "jpeg"] }],
  ["together", "black-forest-labs/FLUX.2-dev", { edits: false, outputFormats: ["png", "jpeg"] }],
  ["together", "black-forest-labs/FLUX.1-schnell", { parameters: ["size", "n", "seed", "negative_prompt"] }],
  ["together", "black-forest-labs/FLUX.1-kontext-max", { edits: true, mask: false }],
  ["together", "google/gemini-3-pro-image", { parameters: ["size"], maxN: 1 }],
  ["together", "someone/else", { parameters: [], edits: false }],
])("%s has the model %s: %j", (provider, model, profile) => {
  expect(image(provider, model)).toMatchObject({ profile });
});

test("the third generation of Ideogram has 69 sizes, and the fourth 21", () => {
  const sizesOf = (model: string) => {
    const profile = image("ideogram", model)?.profile;
    return typeof profile === "object" ? new Set(profile.sizes).size - 1 : 0;
  };

  expect([sizesOf("ideogram-v3"), sizesOf("ideogram-v4")]).toEqual([69, 21]);
});

test("an endpoint of Ark has the traits of the model behind it", () => {
  const settings = { endpoints: { "ep-1": "seedream-4-5-251128" } };

  expect(image("ark", "ep-1", settings)).toMatchObject({ profile: { name: "seedream-4.5" } });
  // Settings that are not checked yet.
  expect(image("ark", "ep-1", { endpoints: 7 })).toMatchObject({ profile: { name: "ark" } });
});

describe("a model that no dialect serves is refused", () => {
  test.each([
    ["bfl", "flux-9-image-mini", "image"],
    ["dashscope", "wan2.6-t2v", "image"],
    ["ark", "ep-2", "image"],
    ["ark", "toString", "image"],
    ["ideogram", "ideogram-v2", "image"],
    ["recraft", "other", "image"],
    ["stability", "other", "image"],
    ["bedrock", "amazon.titan-embed-audio-v1", "embedding"],
    ["replicate", "no-owner", "image"],
  ] as const)("%s and %s", (provider, model, type) => {
    expect(unserved(provider, model, type)).toMatch(/\.$/);
  });

  test.each([
    ["openai", "anything", "image"],
    ["openai-compatible", "anything", "embedding"],
    ["cohere", "anything", "embedding"],
    ["ark", "doubao-embedding-9", "embedding"],
    ["dashscope", "text-embedding-v9", "embedding"],
    ["replicate", "someone/else", "image"],
  ] as const)("but not %s and %s", (provider, model, type) => {
    expect(unserved(provider, model, type)).toBeUndefined();
  });
});

test("every provider of the catalogue's families serves the variants that they name", () => {
  const families = catalogue.families.filter(({ provider }) =>
    providers.some(({ name }) => name === provider),
  );
  const unknown = families.filter(
    ({ provider, variant }) => variant !== undefined && !providerOf(provider).variants?.includes(variant),
  );

  expect(unknown).toEqual([]);
});

test("every current model of the catalogue is served by its provider", () => {
  const lost = catalogue.rows.filter(({ provider, model, kind, shutdown_on }) => {
    const known = providers.some(({ name }) => name === provider);
    return known && shutdown_on === undefined && unserved(provider, model, kind) !== undefined;
  });

  expect(lost.map(({ provider, model }) => `${provider} ${model}`)).toEqual([]);
});
