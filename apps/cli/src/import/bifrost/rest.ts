import type { Omission, SourceSettings } from "../import-report.js";

const configurationPage = "guides/configuration.md";
const movingPage = "guides/moving-from-bifrost.md";
const chatOnly: Omission = { why: "The gateway serves embedding and image models only", page: movingPage };

/** Reasons for settings that the import does not read, by their paths. The first that fits counts. */
const reasons: readonly (readonly [RegExp, Omission])[] = [
  [/^governance\.\w+\[\d+\]\.id$/, { why: "Nothing in the new file refers to it" }],
  [/^(\$schema|version|source_of_truth|env_label)/, { why: "It describes the file itself" }],
  [
    /^governance\.(budgets|rate_limits|model_configs|providers)|^governance\.virtual_keys/,
    { why: "Limits and budgets are set at keys, models and targets", page: "guides/limits-and-budgets.md" },
  ],
  [
    /^governance\.(routing_rules|complexity)/,
    { why: "The gateway routes by model name alone", page: "guides/scheduling.md" },
  ],
  [
    /^(governance|auth_config|setup_token|scim_config|access_profiles|encryption_key)/,
    { why: "The gateway has its own keys and admin API", page: "guides/administration.md" },
  ],
  [
    /^plugins|^(logs_store|audit_logs|alerting|webhooks|framework|feature_flags)/,
    {
      why: "The gateway has its own metrics, traces, logs, prices and webhooks",
      page: "guides/monitoring.md",
    },
  ],
  [
    /^(config_store|cluster_config|large_payload|websocket)/,
    { why: "The gateway has its own storage", page: "guides/deploy.md" },
  ],
  [/^vector_store/, { why: "The cache is set at each model", page: configurationPage }],
  [/^(mcp|skills_registry|guardrails_config)/, chatOnly],
  [
    /^(load_balancer_config|circuit_breaker_config)|network_config\.retry|concurrency/,
    { why: "The gateway has its own scheduling, circuit breaker and retries", page: "guides/scheduling.md" },
  ],
  [
    /network_config|proxy_config/,
    { why: "The gateway has no such network setting", page: configurationPage },
  ],
  [
    /bedrock_key_config/,
    { why: "The gateway finds the AWS credentials of its machine itself", page: "upstreams/bedrock.md" },
  ],
  [/^providers/, { why: "The gateway has no such setting of an upstream", page: configurationPage }],
];

/** Why settings that nothing has read are not imported. */
export const restOfFile: SourceSettings = {
  sections: ["providers", "governance", "plugins"],
  omissionOf: (path) =>
    reasons.find(([paths]) => paths.test(path))?.[1] ?? {
      why: "The gateway has no such setting",
      page: configurationPage,
    },
};
