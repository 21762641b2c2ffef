import type { FakeService } from "./fake-services.js";

const encoding = "encoding_format";
const local = { needsKey: false };
const hosted = { needsKey: true };

/** The services of the presets, as their own documentation describes them. */
export const services: Readonly<Record<string, FakeService>> = {
  cloudflare: {
    ...hosted,
    address: "https://api.cloudflare.com/client/v4/accounts/abc/ai/v1",
    embeddings: { native: 256, fields: [], maxInputs: 100, hasUsage: true },
  },
  databricks: {
    ...hosted,
    address: "https://example.cloud.databricks.com/serving-endpoints",
    embeddings: { native: 256, fields: ["instruction"], hasUsage: true },
  },
  deepinfra: {
    ...hosted,
    address: "https://api.deepinfra.com/v1/openai",
    embeddings: { native: 256, fields: [], hasUsage: true },
    images: {
      fields: ["size", "n"],
      format: "jpeg",
      envelope: "b64_json",
      edits: { fields: ["size", "n"], severalAs: "image", hasMask: false },
    },
  },
  fireworks: {
    ...hosted,
    address: "https://api.fireworks.ai/inference/v1",
    embeddings: { native: 256, fields: [], maxInputs: 8, hasUsage: true },
  },
  infinity: {
    ...local,
    address: "http://127.0.0.1:7997/",
    embeddings: { native: 256, fields: [encoding, "dimensions", "user"], hasUsage: true },
  },
  "llama-cpp": {
    ...local,
    address: "http://127.0.0.1:8080/v1",
    embeddings: { native: 256, fields: [encoding], ignored: ["dimensions", "user"], hasUsage: true },
  },
  "lm-studio": {
    ...local,
    address: "http://127.0.0.1:1234/v1",
    embeddings: { native: 256, fields: [], ignored: [encoding, "dimensions", "user"], hasUsage: true },
  },
  localai: {
    ...local,
    address: "http://127.0.0.1:8080/v1",
    embeddings: { native: 256, fields: [], ignored: [encoding, "dimensions", "user"], hasUsage: true },
    images: {
      fields: ["size", "n", "response_format", "negative_prompt", "user"],
      format: "png",
      envelope: "b64_json",
    },
  },
  mixedbread: {
    ...hosted,
    address: "https://api.mixedbread.com/v1",
    embeddings: {
      native: 256,
      fields: [encoding, "dimensions", "normalized", "prompt"],
      maxInputs: 256,
      hasUsage: true,
    },
  },
  nebius: {
    ...hosted,
    address: "https://api.tokenfactory.nebius.com/v1",
    embeddings: { native: 256, fields: [encoding], hasUsage: true },
  },
  nvidia: {
    ...hosted,
    address: "https://integrate.api.nvidia.com/v1",
    embeddings: {
      native: 256,
      fields: [encoding, "input_type", "truncate"],
      required: { field: "input_type", words: ["query", "passage"] },
      hasUsage: true,
    },
  },
  ovhcloud: {
    ...local,
    address: "https://oai.endpoints.kepler.ai.cloud.ovh.net/v1",
    embeddings: { native: 256, fields: [], hasUsage: true },
  },
  scaleway: {
    ...hosted,
    address: "https://api.scaleway.ai/v1",
    embeddings: { native: 256, fields: [], hasUsage: true },
  },
  "sd-server": {
    ...local,
    address: "http://127.0.0.1:1234/v1",
    images: {
      fields: ["size", "n", "output_format", "output_compression"],
      format: "png",
      envelope: "b64_json",
      edits: {
        fields: ["size", "n", "output_format", "output_compression"],
        severalAs: "image[]",
        hasMask: true,
      },
    },
  },
  "sglang-diffusion": {
    ...local,
    address: "http://127.0.0.1:30000/v1",
    images: {
      fields: ["size", "n", "response_format", "output_format", "seed", "negative_prompt", "user"],
      format: "png",
      envelope: "b64_json",
      edits: {
        fields: ["size", "n", "response_format", "output_format", "seed", "negative_prompt", "user"],
        severalAs: "image[]",
        hasMask: false,
      },
    },
  },
  siliconflow: {
    ...hosted,
    address: "https://api.siliconflow.com/v1",
    embeddings: { native: 256, fields: [encoding], hasUsage: true },
  },
  vllm: {
    ...local,
    address: "http://127.0.0.1:8000/v1",
    embeddings: { native: 256, fields: [encoding, "user"], hasUsage: true },
  },
  "vllm-omni": {
    ...local,
    address: "http://127.0.0.1:8000/v1",
    images: {
      fields: ["size", "n", "output_format", "seed", "negative_prompt", "user"],
      format: "png",
      envelope: "b64_json",
      edits: {
        fields: ["size", "n", "output_format", "seed", "negative_prompt", "user"],
        severalAs: "image[]",
        hasMask: false,
      },
    },
  },
  zhipu: {
    ...hosted,
    address: "https://open.bigmodel.cn/api/paas/v4",
    embeddings: {
      native: 2048,
      fields: ["dimensions"],
      widths: [256, 512, 1024, 2048],
      maxInputs: 64,
      hasUsage: true,
    },
    images: { fields: ["size", "quality"], format: "png", envelope: "url" },
  },
};
