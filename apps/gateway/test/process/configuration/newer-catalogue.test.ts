import { execFile } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { promisify } from "node:util";
import shipped from "@model-gateway/catalogue/catalogue.json" with { type: "json" };
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { builtMain } from "../../gateway/fresh-build.js";
import { testConfig, testEnvironment } from "../../gateway/test-gateway.js";
import { bflKey, type FakeBfl, startFakeBfl } from "../../in-process/providers/bfl/fake-bfl.js";
import { cohereKey, startFakeCohere } from "../../in-process/providers/cohere/fake-cohere.js";
import { errorOf, imageRequests } from "../../in-process/providers/image-requests.js";
import { jinaKey, startFakeJina } from "../../in-process/providers/jina/fake-jina.js";
import type { StrictServer } from "../../in-process/providers/strict-server.js";

/**
 * The built gateway, whose catalogue is replaced while it runs. Its models are of generations that no catalogue knows
 * before, at servers that refuse whatever those do not take.
 */
let cohere: StrictServer;
let jina: StrictServer;
let bfl: FakeBfl;
let folder: GatewayFolder;
let gateway: BuiltGateway;

beforeAll(async () => {
  [cohere, jina, bfl] = await Promise.all([startFakeCohere(), startFakeJina(), startFakeBfl()]);
  folder = new GatewayFolder(
    `${testConfig}
upstreams:
  cohere: { provider: cohere, baseUrl: "${cohere.origin}/v2", apiKey: ${cohereKey} }
  jina: { provider: jina, baseUrl: "${jina.origin}/v1", apiKey: ${jinaKey} }
  bfl: { provider: bfl, baseUrl: "${bfl.baseUrl}", apiKey: ${bflKey}, allowPrivateUrls: true }
models:
  texts: { type: embedding, inputType: document, targets: [{ upstream: cohere, model: embed-v9.0-pro }] }
  omni: { type: embedding, targets: [{ upstream: jina, model: jina-embeddings-v9-omni-small }] }
  images: { type: image, targets: [{ upstream: bfl, model: flux-9-image }] }
`,
    testEnvironment,
  );
  gateway = await folder.start();
});

afterAll(async () => {
  await folder.remove();
  for (const server of [cohere, jina, bfl]) server.close();
});

const page = (url: string) => [{ url, facts: ["traits"], read_on: "2098-12-31" }];
const newer = {
  ...shipped,
  date: "2099-01-01",
  providers: {
    ...shipped.providers,
    // The prices hold at the servers of this test.
    cohere: { ...shipped.providers.cohere, hosts: ["127.0.0.1:*"] },
    bfl: { ...shipped.providers.bfl, hosts: ["127.0.0.1:*"] },
  },
  models: [
    ...shipped.models,
    {
      provider: "cohere",
      model: "embed-v9.0-pro",
      kind: "embedding",
      widths: [128, 4096],
      limits: { max_tokens: 40 },
      prices: [{ billable: "input_text", unit: "token", usd: 0.5, per: 1_000_000 }],
      sources: [
        { url: "https://cohere.com/pricing", facts: ["prices", "widths", "limits"], read_on: "2098-12-31" },
      ],
    },
    {
      provider: "jina",
      model: "jina-embeddings-v9-omni-small",
      kind: "embedding",
      input_types: { query: "search" },
      sources: page("https://jina.ai/models/jina-embeddings-v9-omni-small/"),
    },
    {
      provider: "bfl",
      model: "flux-9-image",
      kind: "image",
      variant: "sides",
      options: {
        parameters: ["size", "output_format", "seed"],
        sizes: ["auto", "WIDTHxHEIGHT"],
        sides: { min: 256, max: 4096 },
        output_formats: ["png", "jpeg"],
        edits: false,
      },
      prices: [{ billable: "output_image", unit: "image", usd: 0.25 }],
      sources: [
        ...page("https://docs.bfl.ai/flux_9"),
        { url: "https://bfl.ai/pricing", facts: ["prices"], read_on: "2098-12-31" },
      ],
    },
  ],
};

/** Signs a catalogue, and runs the command that replaces the one of the data folder. */
async function updateCatalogue(content: object): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const text = JSON.stringify(content);
  folder.write("newer.json", text);
  folder.write("newer.json.sig", sign(null, Buffer.from(text), privateKey).toString("base64"));
  folder.write("key.pem", publicKey.export({ type: "spki", format: "pem" }).toString());
  const flags = ["--from", "newer.json", "--public-key", "key.pem", "--config", "gateway.yaml"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [builtMain(), "catalogue", "update", ...flags],
    { cwd: folder.folder, env: { PATH: process.env.PATH } },
  );
  return stdout;
}

interface ListedModel {
  readonly facts: { readonly state: string; readonly source: string | null; readonly read_on: string | null };
  readonly pricing: unknown;
  readonly embedding?: { readonly max_tokens: number | null; readonly input_type_values: readonly string[] };
  readonly image?: { readonly sizes: readonly string[] };
}

async function models(): Promise<Record<string, ListedModel>> {
  const response = await gateway.send("/v1/models");
  const { data } = (await response.json()) as { data: (ListedModel & { id: string })[] };
  return Object.fromEntries(data.map((model) => [model.id, model]));
}

const { create } = imageRequests(() => gateway);
const embed = (body: object) => gateway.sendJson("/v1/embeddings", { input: "a", ...body });

test("a running gateway serves models by a newer catalogue, with their traits and prices", async () => {
  const before = await models();
  expect(before).toMatchObject({
    texts: { facts: { state: "assumed" }, pricing: null, embedding: { max_tokens: 128_000 } },
    omni: { facts: { state: "assumed" } },
    images: { facts: { state: "assumed" }, pricing: null },
  });
  expect(gateway.stdout()).toContain("does not know embed-v9.0-pro");
  expect((await embed({ model: "omni", input_type: "query" })).status).toBe(400);
  expect((await create({ model: "images", size: "1280x512" })).status).toBe(400);

  expect(await updateCatalogue(newer)).toContain("+ bfl flux-9-image: image; output_image image $0.25");
  await expect.poll(gateway.stdout).toContain("The configuration was reloaded.");

  const after = await models();
  expect(after).toMatchObject({
    texts: {
      facts: { state: "known", source: "https://cohere.com/pricing", read_on: "2098-12-31" },
      pricing: [{ usd: 0.5 }],
      embedding: { max_tokens: 40 },
    },
    omni: { facts: { state: "known" }, embedding: { input_type_values: ["query"] } },
    images: { facts: { state: "known", source: "https://docs.bfl.ai/flux_9" }, pricing: [{ usd: 0.25 }] },
  });
  expect(after.images?.image?.sizes).toContain("WIDTHxHEIGHT");
  expect((await embed({ model: "omni", input_type: "query" })).status).toBe(200);
  expect(jina.bodies.at(-1)).toMatchObject({ task: "search" });
  expect((await create({ model: "images", size: "1280x512" })).status).toBe(200);
  expect((await embed({ model: "texts", input_type: "query" })).status).toBe(200);
  const long = await embed({ model: "texts", input: "word ".repeat(50) });
  expect(await errorOf(long)).toMatchObject({ status: 400, code: "context_length_exceeded" });
});
