import type { Omission, SourceSettings } from "../import-report.js";

const configurationPage = "guides/configuration.md";
const movingPage = "guides/moving-from-litellm.md";

/** Reasons for settings that the import does not read, by their paths. The first that fits counts. */
const reasons: readonly (readonly [RegExp, Omission])[] = [
  [/^credential_list/, { why: "No imported model uses it", page: movingPage }],
  [
    /^environment_variables/,
    { why: "The gateway sets no variables; set them in its environment", page: configurationPage },
  ],
  [/^include/, { why: "Import each of these files by itself", page: movingPage }],
  [
    /model_info\.(access_groups|team_|tags)|litellm_params\.tags|team|model_info\.access/,
    { why: "The models of a key are set at the key", page: "guides/administration.md" },
  ],
  [
    /budget|(tpm|rpm)_limit|key_generate|max_parallel|internal_user|max_end_user/,
    { why: "Limits and budgets are set at keys, models and targets", page: "guides/limits-and-budgets.md" },
  ],
  [
    /cost_per_/,
    { why: "The gateway has no such price; set price at the model or the target", page: configurationPage },
  ],
  [
    /^model_list\[\d+\]\.model_info/,
    { why: "The gateway does not need it: it describes the model for LiteLLM" },
  ],
  [
    /\.aws_/,
    { why: "The gateway finds the AWS credentials of its machine itself", page: "upstreams/bedrock.md" },
  ],
  [/\.(ssl_|.*certificate)/, { why: "Set tls at the upstream", page: configurationPage }],
  [
    /callback|alert|langfuse|otel|prometheus|log(s|ging|ger)?\b|verbose|slack|redact/,
    { why: "The gateway has its own metrics, traces, logs and webhooks", page: "guides/monitoring.md" },
  ],
  [
    /drop_params|modify_params|additional_drop/,
    { why: "The gateway refuses unsupported options by name", page: "guides/errors.md" },
  ],
  [
    /allowed_fails|cooldown|retr(y|ies)|pre_call_check|health_check/,
    { why: "The gateway has its own circuit breaker and retries", page: "guides/scheduling.md" },
  ],
  [
    /(context_window|content_policy)_fallbacks/,
    { why: "A request that one model refuses is not sent to another", page: "guides/scheduling.md" },
  ],
  [
    /routing|router_settings/,
    { why: "The gateway selects targets in its own way", page: "guides/scheduling.md" },
  ],
  [/cache/, { why: "The cache is set at each model", page: configurationPage }],
  [
    /store_model_in_db/,
    { why: "Models in LiteLLM's database cannot be read from its file", page: movingPage },
  ],
  [
    /database|batch_write|redis/,
    { why: "The gateway manages its connections itself", page: "guides/deploy.md" },
  ],
  [
    /auth|jwt|sso|oauth|allowed_routes|admin|ui_|role|key_management|master_key/,
    { why: "The gateway has its own keys and admin API", page: "guides/administration.md" },
  ],
  [/guardrail|moderation/, { why: "The gateway has no guardrails", page: "guides/security.md" }],
  [
    /^model_list\[\d+\]\.litellm_params/,
    { why: "The gateway has no such setting for one model; callers send it", page: configurationPage },
  ],
  [
    /mcp|tool|prompt|agent|vector_store|assistant|files|finetune|batch|pass_through/,
    { why: "The gateway serves embedding and image models only", page: movingPage },
  ],
];

/** Why settings that nothing has read are not imported. */
export const restOfFile: SourceSettings = {
  sections: ["router_settings", "litellm_settings", "general_settings", "environment_variables"],
  omissionOf: (path) =>
    reasons.find(([paths]) => paths.test(path))?.[1] ?? {
      why: "The gateway has no such setting",
      page: configurationPage,
    },
};
