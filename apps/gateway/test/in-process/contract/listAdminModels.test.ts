import { expect } from "vitest";
import { adminGateway, otherCallersCases } from "./admin-gateway.js";
import { contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/admin/v1/models";
const noLimits = {
  requests_per_minute: null,
  requests_per_day: null,
  tokens_per_minute: null,
  tokens_per_day: null,
  images_per_minute: null,
  images_per_day: null,
  max_concurrency: null,
};
const perMillion = { unit: "token", per: 1_000_000 };
const perImage = { billable: "output_image", unit: "image", per: 1 };
const target = {
  weight: 1,
  tier: 1,
  max_concurrency: null,
  requests_per_minute: null,
  tokens_per_minute: null,
  pricing: [{ ...perMillion, billable: "input_text", usd: 0 }],
  shutdown_date: null,
  successor: null,
  facts: null,
  state: "unknown",
  serving: true,
  failing_since: null,
  proven_at: null,
  failures: 0,
  latency: null,
  last_error: null,
  paused_until: null,
};
const model = {
  object: "admin.model",
  description: null,
  is_pattern: false,
  discovered: false,
  aliases: [],
  pass_through: [],
  shutdown_date: null,
  status: "ready",
  status_reason: null,
  fallback: null,
  limits: noLimits,
};
const image = expect.objectContaining({ edits: true, mask: true, streaming: true });
const embedding = {
  dimensions: 384,
  matryoshka: false,
  max_inputs: 2048,
  max_tokens: null,
  encoding_formats: ["float", "base64"],
  output_dtypes: ["float", "binary", "ubinary"],
  input_types: ["text"],
  input_modalities: ["text"],
  input_images: null,
  input_media: null,
  input_type_values: expect.any(Array),
  default_input_type: null,
  space: expect.stringMatching(/^[0-9a-f]{12}$/),
  revision: null,
};

contract("listAdminModels", {
  200: [
    {
      name: "every model with its targets, even one that cannot be served",
      send: () => context.send(path),
      expect: (body) =>
        expect(body).toEqual({
          object: "list",
          data: [
            {
              ...model,
              id: "far",
              type: "image",
              operations: ["createImage", "createImageEdit"],
              image,
              health: {
                failing_since: null,
                served_by: [{ upstream: "local", model: "local-sketch" }],
              },
              strategy: "ordered",
              space: null,
              comparison: null,
              shadow: null,
              targets: [
                {
                  ...target,
                  upstream: "distant",
                  provider: "openai-compatible",
                  model: "far",
                  tier: 2,
                  max_concurrency: 3,
                  pricing: [
                    { ...perMillion, billable: "input_text", usd: 5 },
                    { ...perMillion, billable: "input_image", usd: 10 },
                    { ...perMillion, billable: "output_text", usd: 40 },
                    { ...perMillion, billable: "output_image", usd: 40 },
                    { ...perImage, usd: 0.2, variant: { size: "1024x1024", quality: "high" } },
                    { ...perImage, usd: 0.1, variant: { size: "1024x1024" } },
                    { ...perImage, usd: 0.3 },
                  ],
                },
                {
                  ...target,
                  upstream: "local",
                  provider: "local",
                  model: "local-sketch",
                  pricing: [{ ...perImage, usd: 0 }],
                },
              ],
            },
            {
              ...model,
              id: "near",
              type: "embedding",
              operations: ["createEmbedding", "createEmbeddingLegacy"],
              embedding,
              health: {
                failing_since: null,
                served_by: [{ upstream: "local", model: "gte-small" }],
              },
              strategy: "fastest",
              space: {
                id: expect.stringMatching(/^[0-9a-f]{12}$/),
                name: expect.any(String),
                revision: null,
                unit_vectors: true,
              },
              comparison: null,
              shadow: null,
              targets: [{ ...target, upstream: "local", provider: "local", model: "gte-small", weight: 2 }],
            },
            expect.objectContaining({ id: "nearer", description: "Near and dear." }),
            expect.objectContaining({ id: "gone", status: "unavailable", status_reason: expect.any(String) }),
            expect.objectContaining({
              id: "any-*",
              is_pattern: true,
              targets: [
                {
                  ...target,
                  pricing: null,
                  state: null,
                  upstream: "distant",
                  provider: "openai-compatible",
                  model: "*",
                },
              ],
            }),
          ],
          next_cursor: null,
        }),
    },
  ],
  400: [
    {
      name: "a parameter that is not there",
      send: () => context.send(`${path}?type=image`),
      expect: saysError("unknown_parameter", "type"),
    },
  ],
  ...otherCallersCases(context, path),
});
