import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInCatalogue } from "@model-gateway/catalogue/catalogue";
import { providers } from "@model-gateway/providers/registry";
import { expect, test } from "vitest";
import { loadConfig } from "../load-config.js";
import { withUniqueIds } from "./detection.js";
import { findInEnvironment } from "./find-in-environment.js";

const catalogue = builtInCatalogue();
const workingDirectory = mkdtempSync(join(tmpdir(), "detect-"));

function find(environment: Record<string, string>) {
  return findInEnvironment({ providers, catalogue }, { environment, workingDirectory });
}

/** A provider, the environment that makes an upstream of it, the settings, and a model of each type. */
const cases: readonly [string, Record<string, string>, Record<string, string>, string[]][] = [
  [
    "openai",
    { OPENAI_API_KEY: "sk" },
    { apiKey: "${OPENAI_API_KEY}" },
    ["text-embedding-3-small", "gpt-image-2"],
  ],
  [
    "openai",
    {
      OPENAI_IDENTITY_PROVIDER_ID: "idp_1",
      OPENAI_SERVICE_ACCOUNT_ID: "user-1",
      OPENAI_IDENTITY_TOKEN_FILE: "/var/run/token",
    },
    { federation: "environment" },
    ["text-embedding-3-small"],
  ],
  ["mistral", { MISTRAL_API_KEY: "k" }, { apiKey: "${MISTRAL_API_KEY}" }, ["mistral-embed"]],
  ["voyage", { VOYAGE_API_KEY: "k" }, { apiKey: "${VOYAGE_API_KEY}" }, ["voyage-4"]],
  ["cohere", { COHERE_API_KEY: "k" }, { apiKey: "${COHERE_API_KEY}" }, ["embed-v4.0"]],
  ["cohere", { CO_API_KEY: "k" }, { apiKey: "${CO_API_KEY}" }, ["embed-v4.0"]],
  [
    "azure",
    { AZURE_OPENAI_API_KEY: "k", AZURE_OPENAI_ENDPOINT: "https://mine.openai.azure.com/" },
    { apiKey: "${AZURE_OPENAI_API_KEY}", baseUrl: "${AZURE_OPENAI_ENDPOINT}" },
    ["azure/embeddings/*", "azure/images/*"],
  ],
  ["jina", { JINA_API_KEY: "k" }, { apiKey: "${JINA_API_KEY}" }, ["jina-embeddings-v4"]],
  [
    "gemini",
    { GEMINI_API_KEY: "k", GOOGLE_API_KEY: "other" },
    { apiKey: "${GEMINI_API_KEY}" },
    ["gemini-embedding-001", "gemini-3-pro-image"],
  ],
  ["gemini", { GOOGLE_API_KEY: "k" }, { apiKey: "${GOOGLE_API_KEY}" }, ["gemini-embedding-2"]],
  [
    "vertex",
    {
      GOOGLE_CLOUD_LOCATION: "europe-west4",
      GOOGLE_CLOUD_PROJECT: "p",
      GOOGLE_APPLICATION_CREDENTIALS: "key.json",
    },
    {
      location: "${GOOGLE_CLOUD_LOCATION}",
      project: "${GOOGLE_CLOUD_PROJECT}",
      credentialsFile: "${GOOGLE_APPLICATION_CREDENTIALS}",
    },
    ["text-embedding-005"],
  ],
  [
    "bedrock",
    { AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "s", AWS_DEFAULT_REGION: "us-west-2" },
    { region: "${AWS_DEFAULT_REGION}" },
    ["amazon.titan-embed-text-v2:0", "stability.stable-image-core-v1:1"],
  ],
  [
    "bedrock",
    { AWS_BEARER_TOKEN_BEDROCK: "b", AWS_REGION: "eu-central-1" },
    { region: "${AWS_REGION}" },
    ["cohere.embed-multilingual-v3"],
  ],
  ["stability", { STABILITY_API_KEY: "k" }, { apiKey: "${STABILITY_API_KEY}" }, ["stable-image-core"]],
  ["bfl", { BFL_API_KEY: "k" }, { apiKey: "${BFL_API_KEY}" }, ["flux-2-pro"]],
  [
    "replicate",
    { REPLICATE_API_TOKEN: "k" },
    { apiKey: "${REPLICATE_API_TOKEN}" },
    ["black-forest-labs/flux-dev"],
  ],
  ["fal", { FAL_KEY: "id:secret" }, { apiKey: "${FAL_KEY}" }, ["fal-ai/flux/dev"]],
  [
    "openrouter",
    { OPENROUTER_API_KEY: "k" },
    { apiKey: "${OPENROUTER_API_KEY}" },
    ["openrouter/embeddings/*", "openrouter/images/*"],
  ],
  ["xai", { XAI_API_KEY: "k" }, { apiKey: "${XAI_API_KEY}" }, ["grok-imagine-image"]],
  [
    "dashscope",
    { DASHSCOPE_API_KEY: "k", DASHSCOPE_HTTP_BASE_URL: "https://dashscope.aliyuncs.com/api/v1" },
    { apiKey: "${DASHSCOPE_API_KEY}", baseUrl: "${DASHSCOPE_HTTP_BASE_URL}" },
    ["text-embedding-v4", "qwen-image-3.0"],
  ],
  ["ark", { ARK_API_KEY: "k" }, { apiKey: "${ARK_API_KEY}" }, ["doubao-seedream-5-0-pro-260628"]],
  [
    "together",
    { TOGETHER_API_KEY: "k" },
    { apiKey: "${TOGETHER_API_KEY}" },
    ["intfloat/multilingual-e5-large-instruct", "black-forest-labs/FLUX.2-pro"],
  ],
  ["ideogram", { IDEOGRAM_API_KEY: "k" }, { apiKey: "${IDEOGRAM_API_KEY}" }, ["ideogram-v3"]],
  ["recraft", { RECRAFT_API_TOKEN: "k" }, { apiKey: "${RECRAFT_API_TOKEN}" }, ["recraftv4_1", "recraftv3"]],
];

test("every provider with variables has a case", () => {
  const declared = providers.filter(({ environment }) => environment !== undefined).map(({ name }) => name);

  expect(declared).toEqual([...new Set(cases.map(([name]) => name))]);
});

test.each(cases)("%s is found by %j, and its configuration loads", (name, environment, settings, models) => {
  const { upstreams, warnings } = find(environment);
  const detection = { upstreams: withUniqueIds(upstreams, []), warnings };
  const config = loadConfig({ environment, workingDirectory, detection });

  expect(warnings).toEqual([]);
  expect(upstreams.map((one) => one.name)).toEqual([name]);
  expect(upstreams[0]?.settings).toEqual({ provider: name, ...settings });
  expect([...config.models.keys()]).toEqual(expect.arrayContaining(models));
  expect(config.upstreams.get(name)?.hasKey).toBe(true);
  for (const value of Object.values(environment))
    expect(JSON.stringify(detection)).not.toContain(JSON.stringify(value));
});

test.each([
  ["deepinfra", "DEEPINFRA_API_KEY", "Wan-AI/Wan2.7-Image-Edit"],
  ["zhipu", "ZAI_API_KEY", "embedding-3"],
])("the preset %s is found by %s, and its configuration loads", (name, variable, model) => {
  const environment = { [variable]: "a-secret" };
  const { upstreams, warnings } = find(environment);
  const detection = { upstreams: withUniqueIds(upstreams, []), warnings };
  const config = loadConfig({ environment, workingDirectory, detection });

  expect([upstreams.map((one) => one.name), warnings]).toEqual([[name], []]);
  expect(upstreams[0]?.settings).toEqual({
    provider: "openai-compatible",
    preset: name,
    apiKey: `\${${variable}}`,
  });
  expect([...config.models.keys()]).toContain(model);
});

test("a preset without a model in the catalogue is not an upstream", () => {
  expect(find({ NEBIUS_API_KEY: "k" })).toEqual({ upstreams: [], warnings: [] });
});

test("no model that has ended, will end or has a successor is offered", () => {
  const everything = Object.assign({}, ...cases.map(([, environment]) => environment));
  const offered = JSON.stringify(find(everything).upstreams);

  const superseded = catalogue.rows.filter(
    ({ provider, shutdown_on, successor }) =>
      providers.some(({ name }) => name === provider) && (shutdown_on ?? successor) !== undefined,
  );
  expect(superseded.filter(({ model }) => offered.includes(JSON.stringify(model)))).toEqual([]);
});

test("models depend on the region or the location", () => {
  const idsAt = (variable: string, place: string) => {
    const found = find({
      AWS_BEARER_TOKEN_BEDROCK: "k",
      AWS_REGION: "us-west-2",
      GOOGLE_CLOUD_PROJECT: "p",
      GOOGLE_APPLICATION_CREDENTIALS: "key.json",
      GOOGLE_CLOUD_LOCATION: "global",
      [variable]: place,
    });
    return found.upstreams.flatMap(({ offered }) =>
      Object.values(offered).flatMap((ids) => Object.keys(ids)),
    );
  };

  expect(idsAt("AWS_REGION", "us-west-2")).toContain("stability.stable-image-core-v1:1");
  expect(idsAt("AWS_REGION", "eu-central-1")).not.toContain("stability.stable-image-core-v1:1");
  expect(idsAt("AWS_REGION", "us-east-1")).not.toContain("cohere.embed-v4:0");
  expect(idsAt("GOOGLE_CLOUD_LOCATION", "global")).toContain("gemini-3-pro-image");
  expect(idsAt("GOOGLE_CLOUD_LOCATION", "global")).not.toContain("text-embedding-005");
  expect(idsAt("GOOGLE_CLOUD_LOCATION", "europe-west4")).toContain("text-embedding-005");
  expect(idsAt("GOOGLE_CLOUD_LOCATION", "europe-west4")).not.toContain("gemini-3-pro-image");
});

test("the variables of SDKs for the address are used, with the path that the provider needs", () => {
  const { upstreams } = find({
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
    COHERE_API_KEY: "k",
    CO_API_URL: "https://cohere.internal",
    GEMINI_API_KEY: "k",
    GOOGLE_GEMINI_BASE_URL: "https://gemini.internal/",
  });

  expect(upstreams.map(({ source, settings }) => [source, settings.baseUrl])).toEqual([
    ["OPENAI_API_KEY, OPENAI_BASE_URL", "${OPENAI_BASE_URL}"],
    ["COHERE_API_KEY, CO_API_URL", "${CO_API_URL}/v2"],
    ["GEMINI_API_KEY, GOOGLE_GEMINI_BASE_URL", "${GOOGLE_GEMINI_BASE_URL}v1beta"],
  ]);
});

test.each([
  [
    { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "s3cret" },
    "OPENAI_BASE_URL must be an http or https URL. OpenAI was left out.",
  ],
  [
    { OPENAI_API_KEY: "s3cret\n" },
    /^OPENAI_API_KEY must have no spaces, line breaks .*\. OpenAI was left out\.$/,
  ],
  [
    { AZURE_OPENAI_API_KEY: "s3cret" },
    "AZURE_OPENAI_API_KEY is set, and AZURE_OPENAI_ENDPOINT is not. Azure OpenAI was left out.",
  ],
  [
    { AWS_ACCESS_KEY_ID: "s3cret", AWS_SECRET_ACCESS_KEY: "s3cret" },
    "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are set, and AWS_REGION or AWS_DEFAULT_REGION is not. AWS Bedrock was left out.",
  ],
  [{ AWS_BEARER_TOKEN_BEDROCK: "k", AWS_REGION: "s3cret" }, /^AWS_REGION must be a region of AWS/],
  [
    { OPENAI_API_KEY: "k", OPENAI_API_KEY_FILE: "s3cret" },
    /^OPENAI_API_KEY_FILE is set, and so is OPENAI_API_KEY; /,
  ],
])("%j is a warning without the value, and no upstream", (environment, warning) => {
  const found = find(environment as Record<string, string>);

  expect(found.upstreams).toEqual([]);
  expect(found.warnings).toEqual([typeof warning === "string" ? warning : expect.stringMatching(warning)]);
  expect(found.warnings.join()).not.toContain("s3cret");
});

test.each([
  {},
  { AWS_REGION: "us-east-1" },
  { GOOGLE_CLOUD_PROJECT: "p" },
  { OPENAI_API_KEY: "" },
  { OPENAI_BASE_URL: "x" },
])("%j is nothing to speak of", (environment) => {
  expect(find(environment as Record<string, string>)).toEqual({ upstreams: [], warnings: [] });
});

test.each([
  [{ OPENAI_BASE_URL: "http://localhost:8080/v1" }],
  [{ OPENAI_BASE_URL: "http://127.0.0.1:9000/v1", PORT: "9000" }],
  [{ OPENAI_BASE_URL: "https://gateway.example/v1", PUBLIC_URL: "https://gateway.example" }],
])("a gateway does not become its own upstream: %j", (environment) => {
  expect(find({ OPENAI_API_KEY: "k", ...(environment as Record<string, string>) })).toEqual({
    upstreams: [],
    warnings: ["OPENAI_BASE_URL is the address of this gateway. OpenAI was left out."],
  });
});

test("a key may be in a file, as platforms mount secrets", () => {
  writeFileSync(join(workingDirectory, "openai-key"), "mounted-key\n");
  const environment = { OPENAI_API_KEY_FILE: "openai-key" };

  const { upstreams, warnings } = find(environment);
  const config = loadConfig({
    environment,
    workingDirectory,
    detection: { upstreams: withUniqueIds(upstreams, []), warnings },
  });

  expect(upstreams[0]?.source).toBe("OPENAI_API_KEY_FILE");
  expect(config.upstreams.get("openai")?.settings).toMatchObject({ apiKey: "mounted-key" });
});

test("the first provider keeps a model's id, and the next has its name before it", () => {
  const { upstreams } = find({
    GEMINI_API_KEY: "k",
    GOOGLE_CLOUD_LOCATION: "global",
    GOOGLE_CLOUD_PROJECT: "p",
    GOOGLE_APPLICATION_CREDENTIALS: "key.json",
  });

  expect(withUniqueIds(upstreams, ["gemini-embedding-2"]).map(({ models }) => Object.keys(models))).toEqual([
    [
      "gemini-embedding-001",
      "gemini/gemini-embedding-2",
      "gemini-3-pro-image",
      "gemini-nano-banana-2.1",
      "gemini-3.1-flash-lite-image",
    ],
    [
      "vertex/gemini-embedding-001",
      "vertex/gemini-embedding-2",
      "vertex/gemini-3-pro-image",
      "vertex/gemini-nano-banana-2.1",
    ],
  ]);
});

test("the configuration has references and comments, and neither it nor its copy for operators has a key", () => {
  const environment = { OPENAI_API_KEY: "sk-very-secret-0123456789" };
  const { upstreams, warnings } = find(environment);

  const config = loadConfig({
    environment,
    workingDirectory,
    detection: { upstreams: withUniqueIds(upstreams, []), warnings },
  });

  expect(config.text).not.toContain("very-secret");
  expect(config.secrets).toContain("sk-very-secret-0123456789");
  expect(config.detected).toEqual([
    {
      source: "OPENAI_API_KEY",
      upstream: "openai",
      models: [
        "text-embedding-3-small",
        "text-embedding-3-large",
        "gpt-image-2",
        "gpt-image-2.5-flare",
        "gpt-image-2.5-sunburst",
        "gpt-image-2.6-flare",
        "gpt-image-2.6-sunburst",
      ],
    },
  ]);
  expect(config.models.get("text-embedding-3-small")).toMatchObject({
    dimensions: 1536,
    targets: [{ price: { perMillionTokens: 0.02 } }],
  });
});
