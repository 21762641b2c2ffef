/** A file with each kind of setting, as Bifrost's examples show them. */
export const bifrostFile = {
  $schema: "https://www.getbifrost.ai/schema",
  version: 2,
  encryption_key: "env.BIFROST_ENCRYPTION_KEY",
  client: { enable_logging: true, initial_pool_size: 300, allowed_origins: ["*"] },
  providers: {
    openai: {
      keys: [
        { name: "one", value: "env.OPENAI_1", models: ["text-embedding-3-small", "gpt-4o"], weight: 0.7 },
        { name: "two", value: "env.OPENAI_2", models: ["text-embedding-3-small"], weight: 0.3 },
      ],
      network_config: {
        base_url: "https://openai.example",
        default_request_timeout_in_seconds: 30,
        max_retries: 2,
        retry_backoff_initial: 100,
        extra_headers: { "X-Team": "env.TEAM" },
      },
      concurrency_and_buffer_size: { concurrency: 100, buffer_size: 200 },
      proxy_config: { type: "http", url: "http://proxy.example:3128" },
    },
    azure: {
      keys: [
        {
          name: "azure",
          value: "env.AZURE_KEY",
          models: ["search"],
          weight: 1,
          aliases: { search: { model_id: "search-eu", model_name: "text-embedding-3-large" } },
          azure_key_config: { endpoint: "https://r.openai.azure.com", api_version: "2024-10-21" },
        },
      ],
    },
    bedrock: {
      keys: [
        {
          name: "aws",
          models: ["amazon.titan-embed-text-v2:0"],
          weight: 1,
          bedrock_key_config: {
            region: "us-east-1",
            access_key: "env.AWS_ID",
            secret_key: "env.AWS_SECRET",
            role_arn: "arn:aws:iam::123456789012:role/r",
            arn: "arn:aws:bedrock:us-east-1:1:application-inference-profile",
            deployments: { "amazon.titan-embed-text-v2:0": "abc" },
          },
        },
      ],
    },
    anthropic: { keys: [{ name: "a", value: "env.ANTHROPIC", models: ["*"], weight: 1 }] },
  },
  governance: {
    budgets: [
      { id: "month", max_limit: 20, reset_duration: "1M", virtual_key_id: "vk-1" },
      { id: "week", max_limit: 5, reset_duration: "1w", virtual_key_id: "vk-2" },
    ],
    rate_limits: [
      {
        id: "slow",
        request_max_limit: 60,
        request_reset_duration: "1m",
        token_max_limit: 9000,
        token_reset_duration: "1h",
      },
    ],
    virtual_keys: [
      {
        id: "vk-1",
        name: "search",
        value: "env.SEARCH_KEY",
        rate_limit_id: "slow",
        provider_configs: [{ provider: "openai", allowed_models: ["*"], weight: 1 }],
      },
      { id: "vk-2", name: "in the database" },
    ],
    teams: [{ id: "t", name: "team" }],
  },
  plugins: [{ name: "semantic_cache", enabled: true, config: { threshold: 0.8 } }],
  config_store: { enabled: true, type: "sqlite", config: { path: "./config.db" } },
};
