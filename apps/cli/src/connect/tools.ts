import type { Schemas } from "@model-gateway/domain/operations";
/**
 * The settings with which each program calls the gateway, and the requests that it sends. The requests are those of the
 * programs' sources in autumn 2026.
 */
import type { connectedTools } from "../command-table.js";
import type { RemoteCaller } from "../remote/remote-gateway.js";
import { type Check, checkEmbedding, checkImage, checkModels } from "./checks.js";

interface ConnectTarget {
  readonly caller: RemoteCaller;
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly embedding: Schemas["Model"];
  /** Undefined if the gateway has no image model. */
  readonly image: Schemas["Model"] | undefined;
  /** Whether an image may be created. */
  readonly triesImage: boolean;
}

/** The settings of one program. */
export interface ProgramSettings {
  /** Where the settings go. */
  readonly place: string;
  /** Lines to copy. */
  readonly lines: readonly string[];
  /** The same by name, for programs. */
  readonly settings: Readonly<Record<string, string>>;
  readonly checks: readonly Check[];
  readonly notes: readonly string[];
}

/** The variable that holds the API key in all settings. */
export const keyVariable = "GATEWAY_KEY";

const sentence = "The cat sat on the mat.";
/** The sentence in the vocabulary cl100k_base. */
export const sentenceTokens = [791, 8415, 7731, 389, 279, 5634, 13];

export const tools: Readonly<
  Record<(typeof connectedTools)[number], (target: ConnectTarget) => Promise<ProgramSettings>>
> = {
  "open-webui": connectOpenWebui,
  langchain: connectLangchain,
  continue: connectContinue,
  dify: connectDify,
  n8n: connectN8n,
};

async function connectOpenWebui(target: ConnectTarget): Promise<ProgramSettings> {
  const { caller, baseUrl, embedding, image, triesImage } = target;
  const size = image?.image?.sizes.find((one) => /^\d+x\d+$/.test(one)) ?? "1024x1024";
  const settings = {
    RAG_EMBEDDING_ENGINE: "openai",
    RAG_OPENAI_API_BASE_URL: baseUrl,
    RAG_OPENAI_API_KEY: `$${keyVariable}`,
    RAG_EMBEDDING_MODEL: embedding.id,
    ...(image !== undefined && {
      ENABLE_IMAGE_GENERATION: "true",
      IMAGE_GENERATION_ENGINE: "openai",
      IMAGES_OPENAI_API_BASE_URL: baseUrl,
      IMAGES_OPENAI_API_KEY: `$${keyVariable}`,
      IMAGE_GENERATION_MODEL: image.id,
      IMAGE_SIZE: size,
    }),
  };
  const checks = [
    await checkEmbedding(caller, { body: { input: [sentence, "A second text."], model: embedding.id } }),
  ];
  if (image !== undefined && triesImage)
    checks.push(
      await checkImage(caller, {
        model: image.id,
        prompt: sentence,
        n: 1,
        size,
        response_format: "b64_json",
      }),
    );
  return {
    place: "Environment variables of the container, or Admin Settings: Documents and Images",
    lines: Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    settings,
    checks,
    notes: [
      "Open WebUI keeps settings in its database: after the first start, change them in Admin Settings.",
      ...(image !== undefined && !triesImage
        ? ["The image settings were not tried. Add --image to create one."]
        : []),
    ],
  };
}

async function connectLangchain({ caller, baseUrl, embedding }: ConnectTarget): Promise<ProgramSettings> {
  const model = embedding.id;
  const tokens = await checkEmbedding(caller, {
    request: "POST /v1/embeddings with token ids, as Python sends them",
    body: { input: [sentenceTokens], model, encoding_format: "base64" },
  });
  const text = await checkEmbedding(caller, {
    request: "POST /v1/embeddings with text, as JavaScript sends it",
    body: { input: [sentence], model, encoding_format: "base64" },
  });
  const asText = tokens.ok
    ? []
    : ["    check_embedding_ctx_length=False,  # this model takes text, not token ids"];
  return {
    place: "Python, with langchain-openai",
    lines: [
      "import os",
      "from langchain_openai import OpenAIEmbeddings",
      "",
      "embeddings = OpenAIEmbeddings(",
      `    model=${JSON.stringify(model)},`,
      `    base_url=${JSON.stringify(baseUrl)},`,
      `    api_key=os.environ["${keyVariable}"],`,
      ...asText,
      ")",
      "",
      "// JavaScript, with @langchain/openai",
      'import { OpenAIEmbeddings } from "@langchain/openai";',
      "",
      "const embeddings = new OpenAIEmbeddings({",
      `  model: ${JSON.stringify(model)},`,
      `  apiKey: process.env.${keyVariable},`,
      `  configuration: { baseURL: ${JSON.stringify(baseUrl)} },`,
      "});",
    ],
    settings: { model, base_url: baseUrl, check_embedding_ctx_length: String(tokens.ok) },
    // With the line above, Python sends text.
    checks: tokens.ok ? [tokens, text] : [text],
    notes: [],
  };
}

async function connectContinue({ caller, baseUrl, embedding }: ConnectTarget): Promise<ProgramSettings> {
  const { id, embedding: capabilities } = embedding;
  const tokensMax = capabilities?.max_tokens ?? undefined;
  // Continue counts tokens with another vocabulary than most models.
  const chunk = tokensMax === undefined ? undefined : Math.floor(tokensMax * 0.8);
  const check = await checkEmbedding(caller, {
    body: { input: [sentence, "A second text."], model: id, encoding_format: "base64" },
  });
  return {
    place: "~/.continue/config.yaml, under models",
    lines: [
      "models:",
      `  - name: ${JSON.stringify(id)}`,
      "    provider: openai",
      `    model: ${JSON.stringify(id)}`,
      `    apiBase: ${baseUrl}`,
      `    apiKey: \${{ secrets.${keyVariable} }}`,
      "    roles: [embed]",
      ...(chunk === undefined ? [] : ["    embedOptions:", `      maxChunkSize: ${chunk}`]),
    ],
    settings: { provider: "openai", model: id, apiBase: baseUrl, apiKey: `\${{ secrets.${keyVariable} }}` },
    checks: [check],
    notes: [`Put ${keyVariable}=... into ~/.continue/.env.`],
  };
}

async function connectDify({ caller, baseUrl, embedding }: ConnectTarget): Promise<ProgramSettings> {
  const { id, embedding: capabilities } = embedding;
  const settings = {
    "Model Type": "Text Embedding",
    "Model Name": id,
    "API Key": `the value of ${keyVariable}`,
    "API Base URL": baseUrl,
    "Model context size": String(capabilities?.max_tokens ?? 8192),
    "Model max chunks per batch": "100",
  };
  return {
    place: "Settings, Model Provider, OpenAI-API-compatible, Add Model",
    lines: Object.entries(settings).map(([name, value]) => `${name}: ${value}`),
    settings,
    checks: [
      await checkEmbedding(caller, {
        request: "POST /v1/embeddings with one text, as Dify validates a model",
        body: { input: ["ping"], model: id },
      }),
      await checkEmbedding(caller, { body: { input: [sentence], model: id, encoding_format: "float" } }),
    ],
    notes: [],
  };
}

async function connectN8n({ caller, baseUrl, embedding }: ConnectTarget): Promise<ProgramSettings> {
  const { id, aliases = [] } = embedding;
  const listed = [id, ...aliases].find((name) => name.includes("embed"));
  const settings = {
    "Credential: API Key": `the value of ${keyVariable}`,
    "Credential: Base URL": baseUrl,
    "Embeddings OpenAI: Model": listed ?? id,
  };
  return {
    place: "An OpenAI credential, and the node Embeddings OpenAI",
    lines: Object.entries(settings).map(([name, value]) => `${name}: ${value}`),
    settings,
    checks: [
      await checkModels(caller),
      await checkEmbedding(caller, {
        body: { input: [sentence], model: listed ?? id, encoding_format: "base64" },
      }),
    ],
    notes:
      listed === undefined
        ? [
            `The node lists only ids that contain "embed". Type ${id} as an expression, or give the model an alias such as embed-${id}.`,
          ]
        : [],
  };
}
