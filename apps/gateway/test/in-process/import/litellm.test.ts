import { importLitellm } from "@model-gateway/cli/import/litellm/import-litellm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { InProcessFolder, type InProcessGateway } from "../../gateway/in-process.js";
import { testKey } from "../../gateway/test-gateway.js";
import { azureKey, type FakeAzure, startFakeAzure } from "../providers/azure/fake-azure.js";
import { startFakeBedrock } from "../providers/bedrock/fake-bedrock.js";
import { cohereKey, startFakeCohere } from "../providers/cohere/fake-cohere.js";
import { geminiKey, startFakeGemini } from "../providers/gemini/fake-gemini.js";
import { jinaKey, startFakeJina } from "../providers/jina/fake-jina.js";
import { mistralKey, startFakeMistral } from "../providers/mistral/fake-mistral.js";
import { ollamaKey, startFakeOllama } from "../providers/ollama/fake-ollama.js";
import { openAiKey, startFakeOpenAi } from "../providers/openai/fake-openai.js";
import {
  type FakeStability,
  stabilityKey,
  startFakeStability,
} from "../providers/stability/fake-stability.js";
import type { StrictServer } from "../providers/strict-server.js";
import { startFakeTei, teiKey } from "../providers/tei/fake-tei.js";
import { type FakeVertex, startFakeVertex } from "../providers/vertex/fake-vertex.js";
import { startFakeVoyage, voyageKey } from "../providers/voyage/fake-voyage.js";
import { type Origins, patterns, router, severalProviders } from "./litellm-files.js";

let strict: Readonly<Record<string, StrictServer>>;
let vertex: FakeVertex;
let azure: FakeAzure;
let stability: FakeStability;
let places: Readonly<Record<"west" | "east" | "spare", FakeUpstream>>;
let origins: Origins;
let home: InProcessFolder | undefined;

beforeAll(async () => {
  const script = { always: { width: 1536 } };
  vertex = await startFakeVertex();
  azure = await startFakeAzure();
  stability = await startFakeStability();
  strict = {
    openai: await startFakeOpenAi(),
    cohere: await startFakeCohere(),
    gemini: await startFakeGemini(),
    bedrock: await startFakeBedrock(),
    voyage: await startFakeVoyage(),
    jina: await startFakeJina(),
    mistral: await startFakeMistral(),
    ollama: await startFakeOllama(),
    tei: await startFakeTei(),
  };
  places = {
    west: await startFakeUpstream({ script }),
    east: await startFakeUpstream({ script }),
    spare: await startFakeUpstream({ script }),
  };
  origins = {
    ...Object.fromEntries(Object.entries(strict).map(([name, { origin }]) => [name, origin])),
    ...Object.fromEntries(
      Object.entries(places).map(([name, { baseUrl }]) => [name, new URL(baseUrl).origin]),
    ),
    azure: azure.origin,
    vertex: vertex.origin,
    stability: new URL(stability.baseUrl).origin,
  };
});
afterEach(async () => {
  await home?.remove();
  home = undefined;
});
afterAll(async () => {
  for (const server of [...Object.values(strict), azure, vertex]) server.close();
  await Promise.all([stability, ...Object.values(places)].map((one) => one.close()));
});

/** The variables that the files name. */
function environment(): Record<string, string> {
  return {
    PORT: "0",
    LITELLM_MASTER_KEY: testKey,
    OPENAI_API_KEY: openAiKey,
    AZURE_API_KEY: azureKey,
    COHERE_API_KEY: cohereKey,
    GEMINI_API_KEY: geminiKey,
    VERTEX_KEY_FILE: vertex.keyFile,
    AWS_ID: "AKIAPERMANENT",
    AWS_SECRET: "permanent/secret+key",
    VOYAGE_API_KEY: voyageKey,
    JINA_AI_API_KEY: jinaKey,
    MISTRAL_API_KEY: mistralKey,
    OLLAMA_API_KEY: ollamaKey,
    TEI_API_KEY: teiKey,
    STABILITY_API_KEY: stabilityKey,
    WEST_KEY: "west-key",
    EAST_KEY: "east-key",
    SPARE_KEY: "spare-key",
    TEAM: "search",
  };
}

async function startImported(file: (origins: Origins) => string): Promise<InProcessGateway> {
  home = new InProcessFolder(importLitellm(file(origins), "config.yaml"), environment());
  return home.start();
}

async function embed(gateway: InProcessGateway, model: string): Promise<unknown> {
  const response = await gateway.sendJson("/v1/embeddings", { model, input: ["a b", "c"] });
  const body = (await response.json()) as { data?: { embedding: unknown[] }[] };
  return response.status === 200 ? body.data?.map(({ embedding }) => embedding.length) : body;
}

async function createImage(gateway: InProcessGateway, model: string): Promise<unknown> {
  const response = await gateway.sendJson("/v1/images/generations", { model, prompt: "a fox" });
  const body = (await response.json()) as { data?: unknown[] };
  return response.status === 200 ? body.data?.length : body;
}

test("a file with every usual provider is imported, starts, and serves vectors and images", async () => {
  const gateway = await startImported(severalProviders);
  const models = ["text-embedding-3-small", "azure-search", "cohere-search", "google", "vertex", "titan"];
  models.push("voyage", "jina", "mistral", "nomic", "tei");

  const widths = await Promise.all(models.map(async (model) => [model, await embed(gateway, model)]));
  const images = [
    await createImage(gateway, "nano-banana"),
    await createImage(gateway, "stable-image-core"),
    await createImage(gateway, "azure-images"),
  ];

  expect(Object.fromEntries(widths)).toEqual({
    "text-embedding-3-small": [1536, 1536],
    "azure-search": [1536, 1536],
    "cohere-search": [1536, 1536],
    google: [3072, 3072],
    vertex: [768, 768],
    titan: [1024, 1024],
    voyage: [1024, 1024],
    jina: [1024, 1024],
    mistral: [1024, 1024],
    nomic: [768, 768],
    tei: [expect.any(Number), expect.any(Number)],
  });
  expect(images).toEqual([1, 1, 1]);
  expect(strict.cohere?.bodies.at(-1)).toMatchObject({ input_type: "search_query" });
});

test("deployments share their load, fallbacks take over, and aliases and headers are kept", async () => {
  const gateway = await startImported(router);

  const served = [
    await embed(gateway, "search"),
    await embed(gateway, "ada"),
    await createImage(gateway, "draw"),
  ];
  const keys = [...places.west.received, ...places.east.received].map(({ headers }) => headers.authorization);
  const teams = places.east.received.map(({ headers }) => headers["x-team"]);

  expect(served).toEqual([[1536, 1536], [1536, 1536], 1]);
  expect(keys.every((key) => key === "Bearer west-key" || key === "Bearer east-key")).toBe(true);
  expect(teams.every((team) => team === "search")).toBe(true);
  expect(places.spare.received).toEqual([]);
});

test("patterns serve the names that fit them", async () => {
  const gateway = await startImported(patterns);

  const widths = [
    await embed(gateway, "openai/text-embedding-3-small"),
    await embed(gateway, "cohere/embed-v4.0"),
    await embed(gateway, "team-red"),
  ];
  const images = await createImage(gateway, "openai/gpt-image-2");

  expect(widths).toEqual([
    [1536, 1536],
    [1536, 1536],
    [1536, 1536],
  ]);
  expect(images).toBe(1);
  expect(places.east.received.at(-1)?.body).toMatchObject({ model: "team-red" });
});
