import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import shipped from "@model-gateway/catalogue/catalogue.json" with { type: "json" };
import { catalogueFileIn } from "@model-gateway/catalogue/open-catalogue";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AdminClient } from "../../gateway/admin-client.js";
import { InProcessFolder, type InProcessGateway } from "../../gateway/in-process.js";
import { testConfig, testEnvironment } from "../../gateway/test-gateway.js";
import { bflKey, type FakeBfl, startFakeBfl } from "../providers/bfl/fake-bfl.js";
import { falKey, startFakeFal } from "../providers/fal/fake-fal.js";
import type { FakeHost } from "../providers/hosted-image.js";
import { imageRequests } from "../providers/image-requests.js";
import { replicateKey, startFakeReplicate } from "../providers/replicate/fake-replicate.js";

/**
 * The ledger for each form of price. The prices are those of the catalogue, which hold for the vendors' hosts: the data
 * folder has a catalogue that says that the fakes are these hosts. Forms that no vendor's page has are the operator's.
 */
let plain: Server;
let bfl: FakeBfl;
let fal: FakeHost;
let replicate: FakeHost;
let home: InProcessFolder;
let gateway: InProcessGateway;
/** The next reply of the plain server. */
let reply: object = {};

beforeAll(async () => {
  plain = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply));
    });
  }).listen(0, "127.0.0.1");
  await once(plain, "listening");
  bfl = await startFakeBfl();
  fal = await startFakeFal();
  replicate = await startFakeReplicate();
  const { port } = plain.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  home = new InProcessFolder(
    `${testConfig}upstreams:
  openai: { provider: openai, baseUrl: "${address}/v1", apiKey: k }
  gemini: { provider: gemini, baseUrl: "${address}/v1beta", apiKey: k }
  bfl: { provider: bfl, baseUrl: "${bfl.baseUrl}", apiKey: ${bflKey}, allowPrivateUrls: true }
  fal: { provider: fal, baseUrl: "${fal.baseUrl}", apiKey: "${falKey}", allowPrivateUrls: true }
  replicate: { provider: replicate, baseUrl: "${replicate.baseUrl}", apiKey: ${replicateKey}, allowPrivateUrls: true }
models:
  small: { type: embedding, dimensions: 2, targets: [{ upstream: openai, model: text-embedding-3-small }] }
  mini: { type: image, targets: [{ upstream: openai, model: gpt-image-1-mini }] }
  gemini:
    type: image
    price:
      perImage: { 1K: 0.134, 4K: 0.24 }
      perMillionInputTokens: 2
      perMillionOutputTokens: { text: 12, image: 120 }
    targets: [{ upstream: gemini, model: gemini-3-pro-image }]
  flux: { type: image, targets: [{ upstream: bfl, model: flux-2-pro }] }
  contract: { type: image, price: { perMegapixel: { first: 0.02, further: 0.01, input: 0.01 }, perRequest: 0.001 }, targets: [{ upstream: bfl, model: flux-2-pro }] }
  schnell: { type: image, price: { perMegapixel: 0.003 }, targets: [{ upstream: fal, model: fal-ai/flux/schnell }] }
  seconds: { type: image, price: { perSecond: 0.0014 }, targets: [{ upstream: replicate, model: black-forest-labs/flux-schnell }] }
  reporting: { type: embedding, dimensions: 2, targets: [{ upstream: openai, model: some-embedding-model }] }
  agreed: { type: embedding, dimensions: 2, price: { perMillionTokens: 1 }, targets: [{ upstream: openai, model: some-embedding-model }] }
  unknown: { type: image, targets: [{ upstream: openai, model: some-image-model }] }
`,
    testEnvironment,
  );
  writeCatalogue(join(home.folder, "data"), {
    openai: [`127.0.0.1:${port}`],
    gemini: [`127.0.0.1:${port}`],
    bfl: [new URL(bfl.baseUrl).host],
    fal: [new URL(fal.baseUrl).host],
  });
  gateway = await home.start();
});

afterAll(async () => {
  await gateway.stop();
  await home.remove();
  plain.close();
  bfl.close();
  fal.close();
  replicate.close();
});

function writeCatalogue(folder: string, hosts: Readonly<Record<string, readonly string[]>>): void {
  const catalogue: { providers: Record<string, { hosts: readonly string[] }> } = structuredClone(shipped);
  for (const [name, listed] of Object.entries(hosts))
    catalogue.providers[name] = { ...catalogue.providers[name], hosts: listed };
  mkdirSync(folder, { recursive: true });
  writeFileSync(catalogueFileIn(folder), JSON.stringify(catalogue));
}

const { create, edit } = imageRequests(() => gateway);

async function costOf(response: Response): Promise<number | null> {
  expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
  const { cost_usd } = await new AdminClient(gateway.url).rowOf(response);
  return cost_usd;
}

async function solid(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
}

/** Replies as OpenAI does. */
async function openAiReplies(size: readonly [number, number], more: object): Promise<void> {
  const b64_json = (await solid(...size)).toString("base64");
  reply = { created: 1, data: [{ b64_json }], ...more };
}

test("embeddings: text-embedding-3-small is $0.02 for a million tokens", async () => {
  reply = {
    data: [{ index: 0, embedding: [0.6, 0.8] }],
    usage: { prompt_tokens: 8000, total_tokens: 8000 },
  };

  const response = await gateway.sendJson("/v1/embeddings", { model: "small", input: "a long text" });

  expect(await costOf(response)).toBe(0.00016);
});

test("tokens: gpt-image-1-mini is $2 text, $0.20 cached, $2.50 image, $0.25 cached and $8 output for a million", async () => {
  await openAiReplies([64, 64], {
    usage: {
      input_tokens: 3000,
      input_tokens_details: {
        text_tokens: 1000,
        image_tokens: 2000,
        cached_tokens: 1600,
        cached_tokens_details: { text_tokens: 600, image_tokens: 1000 },
      },
      output_tokens: 4360,
      output_tokens_details: { text_tokens: 0, image_tokens: 4360 },
      total_tokens: 7360,
    },
  });

  // 400 x $2 + 600 x $0.20 + 1,000 x $2.50 + 1,000 x $0.25 + 4,360 x $8, for a million each.
  expect(await costOf(await create({ model: "mini" }))).toBe(0.03855);
});

test("images by size and quality: gpt-image-1-mini is $0.015 for 1536x1024 in medium quality", async () => {
  await openAiReplies([1536, 1024], { quality: "medium" });

  expect(await costOf(await create({ model: "mini", size: "1536x1024", quality: "medium" }))).toBe(0.015);
});

test("images by resolution, at the operator's price of $0.24 for 4K", async () => {
  const data = (await solid(4096, 4096)).toString("base64");
  reply = { candidates: [{ content: { parts: [{ inlineData: { mimeType: "image/png", data } }] } }] };

  expect(await costOf(await create({ model: "gemini", size: "4096x4096" }))).toBe(0.24);
});

test("tokens by kind, at the operator's price of $2 input, $12 text and $120 image for a million", async () => {
  const data = (await solid(64, 64)).toString("base64");
  reply = {
    candidates: [{ content: { parts: [{ inlineData: { mimeType: "image/png", data } }] } }],
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: 1120,
      thoughtsTokenCount: 200,
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1120 }],
    },
  };

  expect(await costOf(await create({ model: "gemini" }))).toBe(0.13682);
});

test("megapixels at the operator's price of $0.003 for each that is begun", async () => {
  expect(await costOf(await create({ model: "schnell", size: "1024x1024" }))).toBe(0.003);
  expect(await costOf(await create({ model: "schnell", size: "1920x1080" }))).toBe(0.006);
});

test("megapixels: flux-2-pro is $0.03 for the first and $0.015 for each further one, and so is one of input", async () => {
  bfl.jobs.push({ cost: null }, { cost: null }, { cost: null });
  expect(await costOf(await create({ model: "flux", size: "1024x1024" }))).toBe(0.03);
  expect(await costOf(await create({ model: "flux", size: "1920x1088" }))).toBe(0.045);
  const image = await solid(1200, 1200);

  expect(await costOf(await edit({ model: "flux", image, size: "1024x1024" }))).toBe(0.06);
});

test("seconds: 2.4 of Replicate's hardware at the operator's $0.0014 are $0.00336", async () => {
  expect(await costOf(await create({ model: "seconds" }))).toBe(0.00336);
});

test("a reported cost of embeddings counts where no price is known, is divided by tokens, and yields to the operator's", async () => {
  const data = [
    { index: 0, embedding: [0.6, 0.8] },
    { index: 1, embedding: [0.8, 0.6] },
  ];
  reply = { data, usage: { prompt_tokens: 10, total_tokens: 10, cost: 0.00042 } };
  const input = ["one text", "another text"];

  expect(await costOf(await gateway.sendJson("/v1/embeddings", { model: "reporting", input }))).toBe(0.00042);
  expect(await costOf(await gateway.sendJson("/v1/embeddings", { model: "agreed", input }))).toBe(0.00001);
});

test("a reported cost: 4 credits of Black Forest Labs are $0.04, whatever the list says", async () => {
  expect(await costOf(await create({ model: "flux", size: "1024x1024" }))).toBe(0.04);
});

test("the operator's price: $0.02 and $0.01 a megapixel, $0.01 of input and $0.001 a request win", async () => {
  expect(await costOf(await create({ model: "contract", size: "1920x1088" }))).toBe(0.031);
  const image = await solid(1200, 1200);

  expect(await costOf(await edit({ model: "contract", image, size: "1024x1024" }))).toBe(0.041);
});

test("a reported cost in usage.cost counts where no price is known, and nothing is a guess", async () => {
  await openAiReplies([64, 64], { usage: { cost: 0.0123 } });
  expect(await costOf(await create({ model: "unknown" }))).toBe(0.0123);

  await openAiReplies([64, 64], {});
  expect(await costOf(await create({ model: "unknown" }))).toBeNull();
});

test("GET /v1/models has the prices and the announced end of each model", async () => {
  const response = await gateway.send("/v1/models");
  const { data } = (await response.json()) as {
    data: { id: string; pricing: object[] | null; shutdown_date: string | null }[];
  };
  const of = (id: string) => data.find((model) => model.id === id);

  expect(of("small")?.pricing).toEqual([
    { billable: "input_text", unit: "token", usd: 0.02, per: 1_000_000 },
  ]);
  expect(of("flux")?.pricing).toEqual([
    { billable: "output_image", unit: "megapixel", usd: 0.03, per: 1, variant: { megapixel: "first" } },
    { billable: "output_image", unit: "megapixel", usd: 0.015, per: 1, variant: { megapixel: "further" } },
    { billable: "input_image", unit: "megapixel", usd: 0.015, per: 1 },
  ]);
  expect(of("unknown")?.pricing).toBeNull();
  expect(of("mini")?.shutdown_date).toBe("2026-12-01");
  expect(of("small")?.shutdown_date).toBeNull();
});
