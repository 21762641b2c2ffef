import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { providers } from "@model-gateway/providers/registry";
import { afterEach, expect, test } from "vitest";
import { detectUpstreams } from "./detect.js";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const unlimited = <T>(work: Promise<T>) => work;
const workingDirectory = "/";

/** A server with these JSON replies, by path. Everything else is a 404. */
async function start(replies: Record<string, unknown>, host = "127.0.0.1"): Promise<number> {
  const server = createServer(({ method, url = "" }, response) => {
    const reply = method === "GET" ? replies[url] : undefined;
    response.writeHead(reply === undefined ? 404 : 200).end(reply === undefined ? "" : JSON.stringify(reply));
  }).listen(0, host);
  return portOf(server);
}

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** All servers that are looked for, at one port. */
function movedTo(port: number) {
  return providers.map((provider) => ({
    ...provider,
    ...(provider.servers && { servers: provider.servers.map((server) => ({ ...server, port })) }),
  }));
}

function detect(port: number, environment: Record<string, string> = {}) {
  return detectUpstreams(
    { environment, workingDirectory },
    { providers: movedTo(port), withTimeout: unlimited },
  );
}

test.each([
  [
    "Ollama",
    {
      "/api/tags": {
        models: [
          {
            name: "nomic-embed-text:latest",
            capabilities: ["embedding"],
            details: { embedding_length: 768 },
          },
          { name: "llama3.2:3b", capabilities: ["completion"], details: { embedding_length: 3072 } },
          { name: "all-minilm:22m", details: { family: "bert" } },
          { name: "embed:cloud", capabilities: ["embedding"], remote_host: "https://ollama.com" },
        ],
      },
    },
    { provider: "ollama", path: "" },
    {
      "nomic-embed-text": {
        type: "embedding",
        dimensions: 768,
        targets: [{ upstream: "ollama", model: "nomic-embed-text:latest" }],
      },
      "all-minilm:22m": { type: "embedding", targets: [{ upstream: "ollama", model: "all-minilm:22m" }] },
    },
  ],
  [
    "LM Studio",
    {
      "/api/v0/models": {
        data: [
          { id: "text-embedding-nomic", type: "embeddings", max_context_length: 2048 },
          { id: "qwen", type: "llm" },
        ],
      },
    },
    { provider: "openai-compatible", path: "/v1" },
    {
      "text-embedding-nomic": {
        type: "embedding",
        maxTokens: 2048,
        targets: [
          { upstream: "lm-studio", model: "text-embedding-nomic", encoding: "none", dimensions: "emulate" },
        ],
      },
    },
  ],
  [
    "vLLM",
    {
      "/v1/models": {
        data: [
          { id: "Qwen/Qwen3-Embedding-0.6B", owned_by: "vllm", max_model_len: 32768 },
          { id: "Qwen/Qwen3-8B", owned_by: "vllm" },
        ],
      },
    },
    { provider: "openai-compatible", path: "/v1" },
    {
      "Qwen/Qwen3-Embedding-0.6B": {
        type: "embedding",
        maxTokens: 32768,
        targets: [{ upstream: "vllm", model: "Qwen/Qwen3-Embedding-0.6B", dimensions: "emulate" }],
      },
    },
  ],
  [
    "stable-diffusion.cpp",
    { "/v1/models": { data: [{ id: "sd-cpp-local", object: "model", owned_by: "local" }] } },
    { provider: "openai-compatible", path: "/v1" },
    {
      "sd-cpp-local": {
        type: "image",
        profile: {
          like: "dall-e",
          sizes: ["auto", "WIDTHxHEIGHT"],
          qualities: ["auto"],
          responseFormats: ["b64_json"],
        },
        targets: [{ upstream: "sd-server", model: "sd-cpp-local" }],
      },
    },
  ],
  [
    "text-embeddings-inference",
    {
      "/info": {
        model_id: "BAAI/bge-base-en-v1.5",
        model_type: { embedding: { pooling: "cls" } },
        max_input_length: 512,
      },
    },
    { provider: "tei", path: "" },
    {
      "BAAI/bge-base-en-v1.5": {
        type: "embedding",
        maxTokens: 512,
        targets: [{ upstream: "tei", model: "BAAI/bge-base-en-v1.5" }],
      },
    },
  ],
  [
    "AUTOMATIC1111",
    { "/sdapi/v1/sd-models": [{ title: "dream.safetensors [ab12]", model_name: "dream", hash: "ab12" }] },
    { provider: "automatic1111", path: "" },
    { dream: { type: "image", targets: [{ upstream: "automatic1111", model: "dream" }] } },
  ],
])("%s is found on its port, with its models", async (title, replies, { provider, path }, models) => {
  const port = await start(replies);

  const { upstreams, warnings } = await detect(port);

  expect(warnings).toEqual([]);
  expect(upstreams).toEqual([
    {
      source: `${title} at http://127.0.0.1:${port}`,
      name: expect.any(String),
      settings: { provider, baseUrl: `http://127.0.0.1:${port}${path}` },
      models,
    },
  ]);
});

test("another server on such a port is not taken for one", async () => {
  const port = await start({
    "/v1/models": { data: [{ id: "gpt-4", owned_by: "openai" }] },
    "/info": { version: 1 },
  });

  expect(await detect(port)).toEqual({ upstreams: [], warnings: [] });
});

test("names and values that the configuration would refuse are left out, and the list has a bound", async () => {
  const names = ["embed-*", "embed-${HOME}", "embed\u0000", `embed-${"x".repeat(300)}`, "-embed"];
  const many = Array.from({ length: 80 }, (_, number) => `embed-${number}`);
  const models = [...names, ...many].map((name) => ({ name, capabilities: ["embedding"] }));
  const wide = { name: "embed-wide", capabilities: ["embedding"], details: { embedding_length: 1e9 } };
  const port = await start({ "/api/tags": { models: [wide, ...models] } });

  const { upstreams } = await detect(port);

  expect(upstreams.map((one) => Object.keys(one.models))).toEqual([many.slice(0, 50)]);
});

test("a list that is too long is not read to its end", async () => {
  const models = Array.from({ length: 20_000 }, (_, number) => ({
    name: `embed-${number}`,
    size: "x".repeat(60),
  }));
  const port = await start({ "/api/tags": { models } });

  expect(await detect(port)).toEqual({ upstreams: [], warnings: [] });
});

test("servers that hang do not hold up the start: the others are found when the time is over", async () => {
  const server = createServer(({ url }, response) => {
    if (url === "/api/tags") response.end(JSON.stringify({ models: [{ name: "bge-m3" }] }));
  }).listen(0, "127.0.0.1");
  const port = await portOf(server);
  const waits: number[] = [];
  let endTime = () => {};
  // The time is over once Ollama's list has been read. No other server replies at all.
  const watched = movedTo(port).map((provider) => ({
    ...provider,
    ...(provider.servers && {
      servers: provider.servers.map((one) => ({
        ...one,
        modelsIn: (list: unknown) => {
          setImmediate(endTime);
          return one.modelsIn(list);
        },
      })),
    }),
  }));

  const { upstreams } = await detectUpstreams(
    { environment: {}, workingDirectory },
    {
      providers: watched,
      withTimeout: (work, ms, onLate) => {
        waits.push(ms);
        const late = new Promise<void>((resolve) => {
          endTime = resolve;
        });
        return Promise.race([work, late.then(onLate)]);
      },
    },
  );

  expect(waits).toEqual([300]);
  expect(upstreams.map(({ name }) => name)).toEqual(["ollama"]);
});

test("OLLAMA_HOST is the address to look at, and names the source", async () => {
  const port = await start({ "/api/tags": { models: [{ name: "bge-m3" }] } });

  const { upstreams } = await detect(1, { OLLAMA_HOST: `0.0.0.0:${port}` });

  expect(upstreams).toEqual([
    {
      source: "OLLAMA_HOST",
      name: "ollama",
      settings: { provider: "ollama", baseUrl: `http://127.0.0.1:${port}` },
      models: { "bge-m3": { type: "embedding", targets: [{ upstream: "ollama", model: "bge-m3" }] } },
    },
  ]);
});

test.each([
  [
    "http://gpu-box:11434",
    "OLLAMA_HOST leads to another machine, which is not asked for its models. Add Ollama to a configuration file.",
  ],
  ["not an address", "OLLAMA_HOST is not an address. Ollama was left out."],
])("OLLAMA_HOST=%s is never asked, and a warning says so", async (host, warning) => {
  expect(await detect(1, { OLLAMA_HOST: host })).toEqual({ upstreams: [], warnings: [warning] });
});

test("the gateway's own port is not probed", async () => {
  const port = await start({ "/info": { model_id: "bge", model_type: { embedding: {} } } });

  expect(await detect(port, { PORT: String(port) })).toEqual({ upstreams: [], warnings: [] });
});
