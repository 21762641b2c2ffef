import { expect, test } from "vitest";
import { parse } from "yaml";
import { importLitellm } from "./import-litellm.js";

/** The result of an import, and the comment at its top. */
function importText(text: string) {
  const written = importLitellm(text, "config.yaml");
  const comments = written.split("\n").filter((line) => line.trimStart().startsWith("#"));
  return { written, file: parse(written), comments: comments.map((line) => line.replace(/^\s*# ?/, "")) };
}

function entry(parameters: string, { name = "m", info = "mode: embedding" } = {}): string {
  return `  - { model_name: "${name}", litellm_params: { ${parameters} }, model_info: { ${info} } }\n`;
}

test("entries with one name become targets of one model, with their limits, shares and tiers", () => {
  const { file } = importText(`
model_list:
${entry("model: openai/text-embedding-3-small, api_key: os.environ/OPENAI_API_KEY, rpm: 60, tpm: 900, weight: 2")}
${entry('model: openai/text-embedding-3-small, api_base: "https://proxy.example/v1", api_key: os.environ/OTHER_KEY, order: 2, max_parallel_requests: 4')}
router_settings: { routing_strategy: latency-based-routing, num_retries: 1, timeout: 2.5 }
`);

  expect(file).toEqual({
    upstreams: {
      openai: { provider: "openai", apiKey: "${OPENAI_API_KEY}", timeoutMs: 2500 },
      "openai-2": {
        provider: "openai-compatible",
        baseUrl: "https://proxy.example/v1",
        apiKey: "${OTHER_KEY}",
        timeoutMs: 2500,
      },
    },
    models: {
      m: {
        type: "embedding",
        dimensions: 1536,
        matryoshka: true,
        tokenizer: "cl100k_base",
        strategy: "fastest",
        retries: { max: 1 },
        targets: [
          {
            upstream: "openai",
            model: "text-embedding-3-small",
            weight: 2,
            requestsPerMinute: 60,
            tokensPerMinute: 900,
          },
          { upstream: "openai-2", model: "text-embedding-3-small", tier: 2, maxConcurrency: 4 },
        ],
      },
    },
  });
});

test("no secret of the source is copied: each becomes a variable, and the comment says so", () => {
  const secrets = ["sk-plain", "base-password", "master-plain", "db-password", "redis-plain", "env-plain"];
  const { written, file, comments } = importText(`
model_list:
${entry('model: openai/a-embed, api_key: sk-plain, api_base: "https://user:base-password@proxy.example/v1"')}
${entry("model: openai/b-embed, api_key: sk-plain-two, extra_headers: { x: sk-plain-three }", { name: "b" })}
litellm_settings: { cache: true, cache_params: { type: redis, host: redis.example, password: redis-plain } }
general_settings: { master_key: master-plain, database_url: "postgres://u:db-password@h/d" }
environment_variables: { OPENAI_API_KEY: env-plain }
`);

  expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
  expect(file).toMatchObject({
    keys: [{ name: "litellm-master-key", key: "${GATEWAY_KEY}" }],
    redisUrl: "redis://:${REDIS_PASSWORD}@redis.example:6379",
    databaseUrl: "${DATABASE_URL}",
    upstreams: {
      openai: { baseUrl: "${UPSTREAM_OPENAI_BASE_URL}", apiKey: "${UPSTREAM_OPENAI_API_KEY}" },
      "openai-2": { apiKey: "${UPSTREAM_OPENAI_2_API_KEY}" },
    },
  });
  expect(comments).toContain(
    "  UPSTREAM_OPENAI_API_KEY: model_list[0].litellm_params.api_key is plain text, and was not copied",
  );
  expect(comments).toContain(
    "  UPSTREAM_OPENAI_2_X: model_list[1].litellm_params.extra_headers.x is plain text, and was not copied",
  );
  expect(comments).toContain("    environment_variables.OPENAI_API_KEY");
});

test("a variable for a secret takes no name that the source uses for another", () => {
  const { file } = importText(`
model_list:
${entry("model: openai/a-embed, api_key: os.environ/GATEWAY_KEY")}
general_settings: { master_key: plain-text-master }
`);

  expect(file.keys[0].key).toBe("${GATEWAY_KEY_2}");
  expect(file.upstreams.openai.apiKey).toBe("${GATEWAY_KEY}");
});

test("unsupported settings are named, with the reason and the page that helps", () => {
  const { file, comments } = importText(`
model_list:
${entry("model: openai/text-embedding-3-small")}
${entry("model: openai/gpt-4o", { name: "chat", info: "mode: chat" })}
${entry("model: gpt-4o", { name: "unknown", info: "" })}
${entry("model: watsonx/ibm/slate-30m", { name: "slate" })}
${entry("model: voyage/flux", { name: "voyage-images", info: "mode: image_generation" })}
${entry("model: hosted_vllm/bge-m3", { name: "without-model" }).replace("model: hosted", "other: hosted")}
router_settings: { routing_strategy: cost-based-routing, cooldown_time: 5, num_retries: 50 }
litellm_settings: { callbacks: [otel], drop_params: true }
guardrails: []
`);

  expect(Object.keys(file.models)).toEqual(["m"]);
  expect(comments.slice(comments.indexOf("Not imported:"))).toEqual([
    "Not imported:",
    "  Targets are selected by speed instead (guides/scheduling.md):",
    "    router_settings.routing_strategy",
    "  It must be a whole number from 0 to 10:",
    "    router_settings.num_retries",
    "  The gateway serves embedding and image models only (guides/moving-from-litellm.md):",
    '    model_list[1] "chat" (openai/gpt-4o)',
    expect.stringContaining("By their names these are chat models"),
    '    model_list[2] "unknown" (gpt-4o)',
    "  The gateway has no provider for watsonx (upstreams/providers.md):",
    '    model_list[3] "slate" (watsonx/ibm/slate-30m)',
    "  The gateway cannot serve image models of voyage (upstreams/providers.md):",
    '    model_list[4] "voyage-images" (voyage/flux)',
    "  It needs model_name and litellm_params.model:",
    "    model_list[5]",
    "  The gateway has its own circuit breaker and retries (guides/scheduling.md):",
    "    router_settings.cooldown_time",
    "  The gateway has its own metrics, traces, logs and webhooks (guides/monitoring.md):",
    "    litellm_settings.callbacks",
    "  The gateway refuses unsupported options by name (guides/errors.md):",
    "    litellm_settings.drop_params",
    "  The gateway has no guardrails (guides/security.md):",
    "    guardrails",
  ]);
});

test("many chat models are counted, and some of them named", () => {
  const chat = Array.from({ length: 12 }, (_, index) =>
    entry("model: openai/gpt", { name: `chat-${index}`, info: "mode: chat, id: x" }),
  );
  const { comments } = importText(
    `model_list:\n${entry("model: openai/text-embedding-3-small")}${chat.join("")}`,
  );

  expect(comments.at(-1)).toMatch(
    /^ {4}model_list\[\], 12 times: "chat-0" \(openai\/gpt\), .*, "chat-9" \(openai\/gpt\) and 2 more$/,
  );
});

test.each([
  [
    "cohere/embed-english-v3.0",
    "",
    { provider: "cohere", apiKey: "${COHERE_API_KEY}" },
    "embed-english-v3.0",
  ],
  ["embed-english-v3.0", "", { provider: "cohere", apiKey: "${COHERE_API_KEY}" }, "embed-english-v3.0"],
  [
    "cohere/embed-v4.0",
    ', api_base: "https://co.example/v1/embed"',
    { provider: "cohere", baseUrl: "https://co.example/v2", apiKey: "${COHERE_API_KEY}" },
    "embed-v4.0",
  ],
  [
    "vertex_ai/text-embedding-005",
    ", vertex_project: p, vertex_location: europe-west4, vertex_credentials: os.environ/KEY_FILE",
    { provider: "vertex", project: "p", location: "europe-west4", credentialsFile: "${KEY_FILE}" },
    "text-embedding-005",
  ],
  [
    "vertex_ai/text-embedding-005",
    ", vertex_credentials: { private_key: secret }",
    {
      provider: "vertex",
      project: "${VERTEXAI_PROJECT}",
      location: "${VERTEXAI_LOCATION}",
      credentialsFile: "${UPSTREAM_VERTEX_AI_CREDENTIALS_FILE}",
    },
    "text-embedding-005",
  ],
  [
    "gemini/gemini-embedding-001",
    "",
    { provider: "gemini", apiKey: "${GEMINI_API_KEY}" },
    "gemini-embedding-001",
  ],
  [
    "bedrock/eu-central-1/amazon.titan-embed-text-v2:0",
    ", aws_access_key_id: os.environ/ID, aws_secret_access_key: plain",
    {
      provider: "bedrock",
      region: "eu-central-1",
      accessKeyId: "${ID}",
      secretAccessKey: "${UPSTREAM_BEDROCK_SECRET_ACCESS_KEY}",
    },
    "amazon.titan-embed-text-v2:0",
  ],
  [
    "bedrock/amazon.titan-embed-text-v2:0",
    ", aws_region_name: us-east-1, model_id: arn:aws:bedrock:us-east-1:1:application-inference-profile/a",
    {
      provider: "bedrock",
      region: "us-east-1",
      inferenceProfiles: {
        "amazon.titan-embed-text-v2:0": "arn:aws:bedrock:us-east-1:1:application-inference-profile/a",
      },
    },
    "amazon.titan-embed-text-v2:0",
  ],
  [
    "bedrock/amazon.titan-embed-text-v2:0",
    ", aws_region_name: us-east-1, aws_role_name: arn:aws:iam::123456789012:role/embed, aws_session_name: s, aws_external_id: os.environ/EXTERNAL, aws_profile_name: shared",
    {
      provider: "bedrock",
      region: "us-east-1",
      profile: "shared",
      role: {
        arn: "arn:aws:iam::123456789012:role/embed",
        externalId: "${EXTERNAL}",
        sessionName: "s",
      },
    },
    "amazon.titan-embed-text-v2:0",
  ],
  [
    "huggingface/BAAI/bge-large",
    ', api_base: "https://tei.example/embed"',
    { provider: "tei", baseUrl: "https://tei.example" },
    "BAAI/bge-large",
  ],
  [
    "azure/deployment",
    ', api_base: "https://r.openai.azure.com/openai/v1/", tenant_id: t, client_id: c, client_secret: os.environ/S',
    {
      provider: "azure",
      baseUrl: "https://r.openai.azure.com",
      entra: { tenantId: "t", clientId: "c", clientSecret: "${S}" },
    },
    "deployment",
  ],
  ["voyage/voyage-3.5", "", { provider: "voyage", apiKey: "${VOYAGE_API_KEY}" }, "voyage-3.5"],
  [
    "jina_ai/jina-embeddings-v3",
    "",
    { provider: "jina", apiKey: "${JINA_AI_API_KEY}" },
    "jina-embeddings-v3",
  ],
  [
    "fireworks_ai/nomic-ai/nomic-embed-text-v1.5",
    "",
    { provider: "openai-compatible", preset: "fireworks", apiKey: "${FIREWORKS_AI_API_KEY}" },
    "nomic-ai/nomic-embed-text-v1.5",
  ],
  [
    "nvidia_nim/nvidia/nv-embedqa-e5-v5",
    ", input_type: query",
    { provider: "openai-compatible", preset: "nvidia", apiKey: "${NVIDIA_NIM_API_KEY}" },
    "nvidia/nv-embedqa-e5-v5",
  ],
  [
    "openrouter/openai/text-embedding-3-small",
    "",
    { provider: "openrouter", apiKey: "${OPENROUTER_API_KEY}" },
    "openai/text-embedding-3-small",
  ],
])("%s%s becomes an upstream of its provider", (model, parameters, upstream, name) => {
  const { file } = importText(`model_list:\n${entry(`model: "${model}"${parameters}`)}`);

  expect(Object.values(file.upstreams)).toEqual([upstream]);
  expect(file.models.m.targets).toMatchObject([{ model: name }]);
});

test.each([
  ["stability/stable-image-core", "stability", "core"],
  ["stability/sd3.5-large", "stability", "sd3.5-large"],
  ["black_forest_labs/flux-pro-1.1", "bfl", "flux-pro-1.1"],
  ["replicate/black-forest-labs/flux-schnell", "replicate", "black-forest-labs/flux-schnell"],
  ["fal_ai/fal-ai/flux/schnell", "fal", "fal-ai/flux/schnell"],
  ["xai/grok-imagine-image", "xai", "grok-imagine-image"],
  ["openrouter/openai/gpt-image-2", "openrouter", "openai/gpt-image-2"],
  ["gemini/gemini-2.5-flash-image", "gemini", "gemini-2.5-flash-image"],
  ["bedrock/stability.stable-image-core-v1:1", "bedrock", "stability.stable-image-core-v1:1"],
  ["azure/dall-e-3", "azure", "dall-e-3"],
])("%s is an image model at %s", (model, provider, name) => {
  const { file } = importText(`model_list:\n${entry(`model: "${model}"`, { info: "" })}`);

  expect(Object.values(file.upstreams)).toMatchObject([{ provider }]);
  expect(file.models.m).toMatchObject({ type: "image", targets: [{ model: name }] });
});

test("a pattern becomes the narrower patterns of each type, or the models that the gateway knows", () => {
  const { file, comments } = importText(`
model_list:
${entry('model: "openai/*"', { name: "openai/*", info: "" })}
${entry('model: "cohere/*"', { name: "cohere/*", info: "" })}
${entry('model: "azure/*"', { name: "azure/*" })}
${entry('model: "hosted_vllm/*"', { name: "vllm/*", info: "" })}
${entry('model: "openai/*"', { name: "no-star", info: "" })}
`);

  expect(
    Object.entries(file.models).map(([id, model]) => [
      id,
      (model as { targets: { model: string }[] }).targets[0]?.model,
    ]),
  ).toEqual([
    ["openai/text-embedding-*", "text-embedding-*"],
    ["openai/gpt-image-*", "gpt-image-*"],
    ["openai/dall-e-*", "dall-e-*"],
    ["cohere/embed-v5.0-pro", "embed-v5.0-pro"],
    ["cohere/embed-v5.0-fast", "embed-v5.0-fast"],
    ["cohere/embed-v4.0", "embed-v4.0"],
    ["cohere/embed-english-v3.0", "embed-english-v3.0"],
    ["cohere/embed-multilingual-v3.0", "embed-multilingual-v3.0"],
    ["cohere/embed-english-light-v3.0", "embed-english-light-v3.0"],
    ["cohere/embed-multilingual-light-v3.0", "embed-multilingual-light-v3.0"],
    ["azure/*", "*"],
  ]);
  expect(comments).toContain('    model_list[0].litellm_params.model "openai/*" (openai/*)');
  expect(comments).toContain('    model_list[3] "vllm/*" (hosted_vllm/*)');
  expect(comments).toContain('    model_list[4] "no-star" (openai/*)');
});

test("an image model falls back to another, and vectors never do", () => {
  const { file, comments } = importText(`
model_list:
${entry("model: openai/text-embedding-3-small")}
${entry("model: openai/gpt-image-2", { name: "a", info: "mode: image_generation" })}
${entry("model: stability/core", { name: "b", info: "mode: image_generation" })}
router_settings: { fallbacks: [{ a: [b] }, { b: [a] }], default_fallbacks: [b] }
`);

  expect(file.models.a.fallback).toBe("b");
  expect(file.models.b).not.toHaveProperty("fallback");
  expect(comments).toContain('    router_settings.fallbacks[1].b[0] of "b" to "a"');
  expect(comments).toContain('    router_settings.default_fallbacks[0] of other models to "b"');
});

test("the budget of the proxy becomes that of its key", () => {
  const { file } = importText(`
model_list:
${entry("model: openai/text-embedding-3-small")}
litellm_settings: { max_budget: 100, budget_duration: 30d }
general_settings: { master_key: os.environ/MASTER }
`);

  expect(file.keys).toEqual([
    { name: "litellm-master-key", key: "${MASTER}", budget: { usd: 100, per: "month" } },
  ]);
});

test("a deployment of the same base model shares its vector space; another model is left out", () => {
  const { file, comments } = importText(`
model_list:
${entry("model: openai/text-embedding-3-small")}
${entry('model: azure/search-eu, api_base: "https://eu.example/", api_version: "2024-10-21"', { info: "mode: embedding, base_model: azure/text-embedding-3-small" })}
${entry("model: openai/text-embedding-3-large")}
`);

  expect(file.upstreams.azure).toEqual({
    provider: "azure",
    baseUrl: "https://eu.example",
    apiKey: "${AZURE_API_KEY}",
  });
  expect(file.models.m.targets).toEqual([
    { upstream: "openai", model: "text-embedding-3-small", space: "text-embedding-3-small" },
    { upstream: "azure", model: "search-eu", space: "text-embedding-3-small" },
  ]);
  expect(comments).toContain('    model_list[2] "m" (openai/text-embedding-3-large)');
});

test("a fallback to the same model elsewhere becomes a tier, and an alias another name", () => {
  const { file, comments } = importText(`
model_list:
${entry("model: openai/text-embedding-3-small")}
${entry('model: openai/text-embedding-3-small, api_base: "http://127.0.0.1:9/v1"', { name: "spare" })}
${entry("model: openai/text-embedding-3-large", { name: "large" })}
litellm_settings: { fallbacks: [{ m: [spare, large] }] }
router_settings: { model_group_alias: { ada: m, "a-*": m, tiny: m, spare: m, gone: nowhere, old: { model: large, hidden: true } } }
`);

  expect(file.models.m.targets).toMatchObject([{ upstream: "openai" }, { upstream: "openai-2", tier: 2 }]);
  expect(file.models.m.aliases).toEqual(["ada", "tiny"]);
  expect(file.models.large.aliases).toEqual(["old"]);
  expect(Object.keys(file.models)).toEqual(["m", "spare", "large"]);
  expect(comments).toContain('    litellm_settings.fallbacks[0].m[1] of "m" to "large"');
  for (const alias of ["gone", "a-*", "spare"])
    expect(comments).toContain(`    router_settings.model_group_alias.${alias}`);
});

test("a cache is imported for models whose width is known", () => {
  const { file, comments } = importText(`
model_list:
${entry("model: openai/text-embedding-3-small")}
${entry("model: openai/some-embed", { name: "unknown" })}
${entry("model: openai/other-embed", { name: "known", info: "mode: embedding, output_vector_size: 8, max_input_tokens: 512" })}
litellm_settings: { cache: true, cache_params: { type: local, ttl: 600 } }
`);

  expect(file.models.m.cache).toEqual({ ttl: "600s" });
  expect(file.models.known).toMatchObject({ dimensions: 8, maxTokens: 512, cache: { ttl: "600s" } });
  expect(file.models.unknown).not.toHaveProperty("cache");
  expect(comments).toContain('    litellm_settings.cache for "unknown"');
});

test("prices per token become prices per million tokens; an image keeps its price", () => {
  const { file } = importText(`
model_list:
${entry("model: openai/text-embedding-3-small, input_cost_per_token: 0.00000002")}
${entry("model: dall-e-3, api_key: os.environ/K", { name: "i", info: "mode: image_generation, output_cost_per_image: 0.04, input_cost_per_token: 0.000005, output_cost_per_token: 0.00004" })}
`);

  expect(file.models.m.targets[0].price).toEqual({ perMillionTokens: 0.02 });
  expect(file.models.i).toMatchObject({ type: "image", profile: "dall-e" });
  expect(file.models.i.targets[0].price).toEqual({
    perImage: 0.04,
    perMillionInputTokens: 5,
    perMillionOutputTokens: 40,
  });
});

test("a default of dimensions cannot be imported, which the model's comment says", () => {
  const { written } = importText(
    `model_list:\n${entry("model: openai/text-embedding-3-large, dimensions: 256")}`,
  );

  expect(written).toMatch(/# LiteLLM sent dimensions: 256 with every request\. .*\n {2}m:/);
});

test("an entry without a key shares the upstream of one that names the provider's variable", () => {
  const { file } = importText(`
model_list:
${entry("model: openai/text-embedding-3-small, api_key: os.environ/OPENAI_API_KEY")}
${entry("model: openai/text-embedding-3-large", { name: "large" })}
`);

  expect(Object.keys(file.upstreams)).toEqual(["openai"]);
});

test("credentials from the list apply to the entries that name them", () => {
  const { file } = importText(`
credential_list:
  - { credential_name: shed, credential_values: { api_base: "http://shed.example/v1", api_key: os.environ/SHED_KEY } }
model_list:
${entry("model: openai/a-embed, litellm_credential_name: shed")}
`);

  expect(file.upstreams.openai).toMatchObject({ baseUrl: "http://shed.example/v1", apiKey: "${SHED_KEY}" });
});

test("source text becomes neither a variable nor the end of a comment", () => {
  const { file, comments } = importText(
    `model_list:\n${entry('model: "openai/a-embed-${HOME}"')}${entry('model: "openai/b\\nkeys: []"', { name: "chat", info: "mode: chat" })}`,
  );

  expect(file.models.m.targets[0].model).toBe("a-embed-$${HOME}");
  expect(file).not.toHaveProperty("keys");
  expect(comments).toContain('    model_list[1] "chat" (openai/b keys: [])');
});

test.each([
  ["model_list: [", "config.yaml is not valid YAML: "],
  ["model_list: *none", "config.yaml refers with * to an anchor that does not exist, or to too many."],
  ["models: []", "config.yaml has no model_list, so it is not the configuration of a LiteLLM proxy."],
  ["model_list: []", "config.yaml has no model that the gateway can serve."],
  [`model_list:\n${entry("model: gpt-4o", { info: "mode: chat" })}`, 'model_list[0] "m" (gpt-4o)'],
])("%s: nothing is written, and the error says why", (text, message) => {
  expect(() => importLitellm(text, "config.yaml")).toThrow(message);
});
