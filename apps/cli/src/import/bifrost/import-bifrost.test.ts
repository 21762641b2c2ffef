import { expect, test } from "vitest";
import { parse } from "yaml";
import { importBifrost } from "./import-bifrost.js";

function importValue(value: object) {
  const written = importBifrost(JSON.stringify(value), "config.json");
  const comments = written.split("\n").filter((line) => line.trimStart().startsWith("#"));
  return { written, file: parse(written), comments: comments.map((line) => line.replace(/^\s*# ?/, "")) };
}

test("keys become upstreams, and their models targets with weights, under Bifrost's names", () => {
  const { file, comments } = importValue({
    providers: {
      openai: {
        keys: [
          { name: "one", value: "env.KEY_1", models: ["text-embedding-3-small", "gpt-4o"], weight: 0.7 },
          { name: "two", value: "env.KEY_2", models: ["text-embedding-3-small"], weight: 0.3 },
        ],
        network_config: { default_request_timeout_in_seconds: 30, max_retries: 3, retry_backoff_max: 500 },
      },
    },
  });

  expect(file).toEqual({
    upstreams: {
      openai: { provider: "openai", timeoutMs: 30_000, apiKey: "${KEY_1}" },
      "openai-2": { provider: "openai", timeoutMs: 30_000, apiKey: "${KEY_2}" },
    },
    models: {
      "openai/text-embedding-3-small": {
        type: "embedding",
        dimensions: 1536,
        matryoshka: true,
        tokenizer: "cl100k_base",
        strategy: "weighted",
        retries: { max: 3 },
        targets: [
          { upstream: "openai", model: "text-embedding-3-small", weight: 0.7 },
          { upstream: "openai-2", model: "text-embedding-3-small", weight: 0.3 },
        ],
      },
    },
  });
  expect(comments).toContain('    providers.openai.keys[0].models[1] "openai/gpt-4o"');
  expect(comments).toContain("    providers.openai.network_config.retry_backoff_max");
});

test("each provider's key settings become those of its upstream, and no secret is copied", () => {
  const { file, written } = importValue({
    providers: {
      azure: {
        keys: [
          {
            name: "a",
            value: "plain-secret",
            models: ["embed"],
            weight: 1,
            aliases: { embed: { model_id: "deployment-eu", model_name: "text-embedding-3-small" } },
            azure_key_config: { endpoint: "https://r.openai.azure.com/", api_version: "2024-10-21" },
          },
        ],
      },
      bedrock: {
        keys: [
          {
            name: "b",
            value: "",
            models: ["amazon.titan-embed-text-v2:0"],
            weight: 1,
            bedrock_key_config: { region: "us-east-1", access_key: "env.AWS_ID", secret_key: "plain-secret" },
          },
        ],
      },
      vertex: {
        keys: [
          {
            name: "v",
            models: ["text-embedding-005"],
            weight: 1,
            vertex_key_config: { project_id: "p", region: "europe-west4", auth_credentials: "env.GOOGLE" },
          },
        ],
      },
      ollama: {
        keys: [
          {
            name: "o",
            models: ["nomic-embed-text"],
            weight: 1,
            ollama_key_config: { url: "http://box:11434" },
          },
        ],
      },
      vllm: {
        keys: [
          {
            name: "q",
            value: "env.VLLM",
            weight: 1,
            vllm_key_config: { url: "http://gpu:8000", model_name: "BAAI/bge-m3" },
          },
        ],
      },
      cohere: {
        keys: [{ name: "c", value: "env.CO", models: ["*"], weight: 1 }],
        network_config: { base_url: "https://co.example", extra_headers: { "X-Team": "env.TEAM" } },
      },
      "our-gpu": {
        keys: [{ name: "g", value: "env.GPU", models: ["bge-large"], weight: 1 }],
        network_config: { base_url: "http://10.0.0.5:8000" },
        custom_provider_config: { base_provider_type: "openai" },
      },
    },
  });

  expect(written).not.toContain("plain-secret");
  expect(file.upstreams).toEqual({
    azure: { provider: "azure", baseUrl: "https://r.openai.azure.com", apiKey: "${UPSTREAM_AZURE_API_KEY}" },
    bedrock: {
      provider: "bedrock",
      region: "us-east-1",
      accessKeyId: "${AWS_ID}",
      secretAccessKey: "${UPSTREAM_BEDROCK_SECRET_ACCESS_KEY}",
    },
    vertex: {
      provider: "vertex",
      project: "p",
      location: "europe-west4",
      credentialsFile: "${UPSTREAM_VERTEX_CREDENTIALS_FILE}",
    },
    ollama: { provider: "ollama", baseUrl: "http://box:11434" },
    vllm: { provider: "openai-compatible", baseUrl: "http://gpu:8000/v1", apiKey: "${VLLM}" },
    cohere: {
      provider: "cohere",
      baseUrl: "https://co.example/v2",
      headers: { "X-Team": "${TEAM}" },
      apiKey: "${CO}",
    },
    "our-gpu": { provider: "openai-compatible", baseUrl: "http://10.0.0.5:8000/v1", apiKey: "${GPU}" },
  });
  expect(Object.keys(file.models)).toEqual([
    "azure/embed",
    "bedrock/amazon.titan-embed-text-v2:0",
    "vertex/text-embedding-005",
    "ollama/nomic-embed-text",
    "vllm/BAAI/bge-m3",
    "cohere/embed-v5.0-pro",
    "cohere/embed-v5.0-fast",
    "cohere/embed-v4.0",
    "cohere/embed-english-v3.0",
    "cohere/embed-multilingual-v3.0",
    "cohere/embed-english-light-v3.0",
    "cohere/embed-multilingual-light-v3.0",
    "our-gpu/bge-large",
  ]);
  expect(file.models["azure/embed"].targets).toEqual([{ upstream: "azure", model: "deployment-eu" }]);
});

test("virtual keys keep their models, limits and budgets", () => {
  const { file, comments } = importValue({
    providers: { openai: { keys: [{ name: "k", value: "env.K", models: ["*"], weight: 1 }] } },
    governance: {
      budgets: [{ id: "b", max_limit: 20, reset_duration: "1M", virtual_key_id: "vk-1" }],
      rate_limits: [{ id: "r", request_max_limit: 60, request_reset_duration: "1m" }],
      virtual_keys: [
        {
          id: "vk-1",
          name: "search",
          value: "env.SEARCH_KEY",
          rate_limit_id: "r",
          provider_configs: [{ provider: "openai", allowed_models: ["*"], weight: 1 }],
        },
        { id: "vk-2", name: "from the database" },
        { id: "vk-3", name: "off", value: "sk-bf-off", is_active: false },
      ],
    },
  });

  expect(file.keys).toEqual([
    {
      name: "search",
      key: "${SEARCH_KEY}",
      models: ["openai/*"],
      limits: { requestsPerMinute: 60 },
      budget: { usd: 20, per: "month" },
    },
  ]);
  expect(comments).toContain('    governance.virtual_keys[1] "from the database"');
  expect(comments).toContain('    governance.virtual_keys[2] "off"');
});

test("plugins, stores, other providers and unused settings are named", () => {
  const { comments } = importValue({
    $schema: "https://www.getbifrost.ai/schema",
    client: { enable_logging: true },
    providers: {
      openai: {
        keys: [
          {
            name: "k",
            value: "env.K",
            models: ["text-embedding-3-small"],
            weight: 1,
            use_for_batch_api: true,
          },
        ],
      },
      anthropic: { keys: [{ name: "k", value: "env.A", models: ["*"], weight: 1 }] },
    },
    plugins: [{ name: "semantic_cache", enabled: true }],
    config_store: { enabled: true, type: "sqlite" },
  });

  expect(comments.slice(comments.indexOf("Not imported:"))).toEqual([
    "Not imported:",
    "  The gateway has no such provider (upstreams/providers.md):",
    "    providers.anthropic",
    "  It describes the file itself:",
    "    $schema",
    "  The gateway has no such setting (guides/configuration.md):",
    "    client",
    "  The gateway has no such setting of an upstream (guides/configuration.md):",
    "    providers.openai.keys[0].use_for_batch_api",
    "  The gateway has its own metrics, traces, logs, prices and webhooks (guides/monitoring.md):",
    "    plugins[0]",
    "  The gateway has its own storage (guides/deploy.md):",
    "    config_store",
    'Bifrost\'s key "k".',
  ]);
});

test.each([
  ["{", "config.json is not valid JSON."],
  ["{}", "config.json has no providers, so it is not the configuration of Bifrost."],
  ['{ "providers": {} }', "config.json has no model that the gateway can serve."],
])("%s: nothing is written, and the error says why", (text, message) => {
  expect(() => importBifrost(text, "config.json")).toThrow(message);
});
