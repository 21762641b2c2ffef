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
  expect(comments).toContain("    model_list[1].litellm_params.extra_headers");
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

test("unsupported settings are named, with the reason", () => {
  const { file, comments } = importText(`
model_list:
${entry("model: openai/text-embedding-3-small")}
${entry("model: openai/gpt-4o", { name: "chat", info: "mode: chat" })}
${entry("model: gpt-4o", { name: "unknown", info: "" })}
${entry("model: bedrock/amazon.titan-embed-text-v2", { name: "titan" })}
${entry("model: azure/dall-e-3", { name: "azure-images", info: "mode: image_generation" })}
${entry('model: "openai/*"', { name: "*" })}
${entry("model: hosted_vllm/bge-m3", { name: "without-model" }).replace("model: hosted", "other: hosted")}
router_settings: { routing_strategy: cost-based-routing, cooldown_time: 5, num_retries: 50 }
litellm_settings: { callbacks: [otel], drop_params: true }
guardrails: []
`);

  expect(Object.keys(file.models)).toEqual(["m"]);
  expect(comments.slice(comments.indexOf("Not carried over:"))).toEqual([
    "Not carried over:",
    "  The gateway has its own circuit breaker and retries:",
    "    router_settings.cooldown_time",
    "  The gateway has its own metrics, traces and webhooks:",
    "    litellm_settings.callbacks",
    "  The gateway refuses unsupported options by name:",
    "    litellm_settings.drop_params",
    "  The gateway has no such setting:",
    "    guardrails",
    "  Targets are selected by speed instead:",
    "    router_settings.routing_strategy",
    "  It must be a whole number from 0 to 10:",
    "    num_retries",
    "  The gateway serves embedding and image models only:",
    '    model_list[1] "chat" (openai/gpt-4o)',
    expect.stringContaining("By their names these are chat models"),
    '    model_list[2] "unknown" (gpt-4o)',
    "  The gateway has no provider for bedrock:",
    '    model_list[3] "titan" (bedrock/amazon.titan-embed-text-v2)',
    "  The gateway cannot serve image models of azure:",
    '    model_list[4] "azure-images" (azure/dall-e-3)',
    "  A name with * stands for many models; list those that you use:",
    '    model_list[5] "*" (openai/*)',
    "  It needs model_name and litellm_params.model:",
    "    model_list[6]",
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
  expect(comments).toContain('    model_list[2].litellm_params "m" (text-embedding-3-large)');
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
  expect(comments).toContain('    fallbacks: "m" to "large"');
  for (const alias of ["gone", "a-*", "spare"]) expect(comments).toContain(`    model_group_alias.${alias}`);
});

test("a cache is carried over to models whose width is known", () => {
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

test("a default of dimensions cannot be carried over, which the model's comment says", () => {
  const { written } = importText(
    `model_list:\n${entry("model: openai/text-embedding-3-large, dimensions: 256")}`,
  );

  expect(written).toMatch(/# LiteLLM sent dimensions: 256 with every request\. .*\n {2}m:/);
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
