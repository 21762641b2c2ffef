/** Addresses of fakes, by the name of a provider. */
export type Origins = Readonly<Record<string, string>>;

/** One entry for each provider, as LiteLLM's guides show them. */
export const severalProviders = (at: Origins): string => `
model_list:
  - model_name: text-embedding-3-small
    litellm_params:
      model: openai/text-embedding-3-small
      api_base: ${at.openai}/v1
      api_key: os.environ/OPENAI_API_KEY
      organization: org-1
  - model_name: azure-search
    litellm_params:
      model: azure/embed
      api_base: ${at.azure}/
      api_version: "2024-10-21"
      api_key: os.environ/AZURE_API_KEY
    model_info: { mode: embedding, base_model: azure/text-embedding-3-small }
  - model_name: azure-images
    litellm_params: { model: azure/paint, api_base: ${at.azure}, api_key: os.environ/AZURE_API_KEY }
    model_info: { mode: image_generation }
  - model_name: cohere-search
    litellm_params: { model: cohere/embed-v4.0, api_base: ${at.cohere}/v1/embed, api_key: os.environ/COHERE_API_KEY, input_type: search_query }
  - model_name: google
    litellm_params: { model: gemini/gemini-embedding-001, api_base: ${at.gemini}/v1beta, api_key: os.environ/GEMINI_API_KEY }
  - model_name: nano-banana
    litellm_params: { model: gemini/gemini-3-pro-image, api_base: ${at.gemini}/v1beta, api_key: os.environ/GEMINI_API_KEY }
    model_info: { mode: image_generation, output_cost_per_image: 0.039 }
  - model_name: vertex
    litellm_params:
      model: vertex_ai/text-embedding-005
      api_base: ${at.vertex}
      vertex_project: a-project
      vertex_location: europe-west4
      vertex_credentials: os.environ/VERTEX_KEY_FILE
  - model_name: titan
    litellm_params:
      model: bedrock/amazon.titan-embed-text-v2:0
      aws_region_name: eu-central-1
      aws_access_key_id: os.environ/AWS_ID
      aws_secret_access_key: os.environ/AWS_SECRET
      aws_bedrock_runtime_endpoint: ${at.bedrock}
      aws_session_name: litellm
  - model_name: voyage
    litellm_params: { model: voyage/voyage-4-large, api_base: ${at.voyage}/v1/embeddings, api_key: os.environ/VOYAGE_API_KEY }
  - model_name: jina
    litellm_params: { model: jina_ai/jina-embeddings-v3, api_base: ${at.jina}/v1, api_key: os.environ/JINA_AI_API_KEY }
  - model_name: mistral
    litellm_params: { model: mistral/mistral-embed, api_base: ${at.mistral}/v1, api_key: os.environ/MISTRAL_API_KEY }
  - model_name: nomic
    litellm_params: { model: ollama/nomic-embed-text, api_base: ${at.ollama}, api_key: os.environ/OLLAMA_API_KEY }
  - model_name: tei
    litellm_params: { model: huggingface/BAAI/bge-base-en, api_base: ${at.tei}, api_key: os.environ/TEI_API_KEY }
    model_info: { mode: embedding, max_input_tokens: 512 }
  - model_name: stable-image-core
    litellm_params: { model: stability/stable-image-core, api_base: ${at.stability}, api_key: os.environ/STABILITY_API_KEY }
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o, api_key: os.environ/OPENAI_API_KEY, temperature: 0.2 }
  - model_name: claude
    litellm_params: { model: anthropic/claude-sonnet-4-5, api_key: os.environ/ANTHROPIC_API_KEY }
  - model_name: whisper
    litellm_params: { model: whisper-1 }
    model_info: { mode: audio_transcription }
litellm_settings:
  drop_params: true
  request_timeout: 30
  success_callback: [langfuse]
general_settings:
  master_key: os.environ/LITELLM_MASTER_KEY
`;

/** Several deployments of a model, credentials, and the router's settings. */
export const router = (at: Origins): string => `
credential_list:
  - credential_name: west
    credential_values: { api_base: ${at.west}/v1, api_key: os.environ/WEST_KEY }
    credential_info: { description: the west }
  - credential_name: unused
    credential_values: { api_key: os.environ/UNUSED_KEY }
model_list:
  - model_name: search
    litellm_params:
      model: openai/text-embedding-3-small
      litellm_credential_name: west
      rpm: 6000
      tpm: 9000000
      weight: 3
      max_retries: 1
    model_info: { id: west-1, mode: embedding, input_cost_per_token: 0.00000002 }
  - model_name: search
    litellm_params:
      model: openai/text-embedding-3-small
      api_base: ${at.east}/v1
      api_key: os.environ/EAST_KEY
      weight: 1
      order: 1
      timeout: 20
      stream_timeout: 5
      extra_headers: { X-Team: os.environ/TEAM }
  - model_name: search-spare
    litellm_params: { model: openai/text-embedding-3-small, api_base: ${at.spare}/v1, api_key: os.environ/SPARE_KEY, max_parallel_requests: 8 }
  - model_name: draw
    litellm_params: { model: openai/gpt-image-2, api_base: ${at.west}/v1, api_key: os.environ/WEST_KEY }
    model_info: { mode: image_generation }
  - model_name: draw-cheap
    litellm_params: { model: openai/dall-e-3, api_base: ${at.east}/v1, api_key: os.environ/EAST_KEY }
    model_info: { mode: image_generation, output_cost_per_image: 0.04 }
  - model_name: chat
    litellm_params: { model: azure/gpt-4o, api_key: os.environ/AZURE_API_KEY, api_base: https://example.openai.azure.com }
router_settings:
  routing_strategy: simple-shuffle
  num_retries: 2
  timeout: 45
  allowed_fails: 3
  cooldown_time: 30
  enable_pre_call_checks: true
  model_group_alias: { ada: search, gpt: chat }
  fallbacks: [{ search: [search-spare] }, { draw: [draw-cheap] }, { chat: [claude] }]
  context_window_fallbacks: [{ chat: [long-chat] }]
  retry_policy: { TimeoutErrorRetries: 3 }
litellm_settings:
  cache: true
  cache_params: { type: local, ttl: 600, namespace: litellm }
  num_retries: 3
  max_budget: 250
  budget_duration: 30d
general_settings:
  master_key: os.environ/LITELLM_MASTER_KEY
`;

/** Patterns, and the settings of a server with a database. */
export const patterns = (at: Origins): string => `
model_list:
  - model_name: "openai/*"
    litellm_params: { model: "openai/*", api_base: ${at.west}/v1, api_key: os.environ/WEST_KEY }
  - model_name: "cohere/*"
    litellm_params: { model: "cohere/*", api_base: ${at.cohere}/v2, api_key: os.environ/COHERE_API_KEY }
  - model_name: "team-*"
    litellm_params: { model: "openai/team-*", api_base: ${at.east}/v1, api_key: os.environ/EAST_KEY }
    model_info: { mode: embedding, access_groups: [beta] }
  - model_name: "anthropic/*"
    litellm_params: { model: "anthropic/*", api_key: os.environ/ANTHROPIC_API_KEY }
litellm_settings:
  callbacks: [prometheus, otel]
  default_team_settings: [{ team_id: t, success_callback: [langfuse] }]
  default_key_generate_params: { max_budget: 5, duration: 30d }
general_settings:
  master_key: os.environ/LITELLM_MASTER_KEY
  alerting: [slack]
  proxy_batch_write_at: 60
  store_model_in_db: true
  ui_access_mode: admin_only
environment_variables: { LANGFUSE_PUBLIC_KEY: pk-1 }
guardrails: [{ guardrail_name: pii, litellm_params: { guardrail: presidio, mode: pre_call } }]
`;
