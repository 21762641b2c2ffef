import { load } from "@model-gateway/config/test/load-text";
import { openUpstream } from "@model-gateway/providers/registry";
import OpenAI, { AzureOpenAI } from "openai";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { describeEmbeddings } from "../embeddings-suite.js";
import { tooManyInputs } from "../openai/fake-openai.js";
import { gradient, maskOf, paint, rgbOf } from "../paint-masked.js";
import { unitVector } from "../unit-vectors.js";
import { azureKey, type FakeAzure, startFakeAzure } from "./fake-azure.js";

describeEmbeddings({
  provider: "azure",
  pathPrefix: "",
  start: startFakeAzure,
  apiKey: azureKey,
  model: { name: "embed", native: 1536, short: 512 },
  maxInputs: 2048,
  batchRefusals: [
    { reply: tooManyInputs(2, 5), sizes: [2, 2, 1] },
    {
      // An older version of the API.
      reply: {
        status: 400,
        body: {
          error: {
            code: null,
            param: null,
            type: "invalid_request_error",
            message:
              "Too many inputs for model None. The max number of inputs is 1.  We hope to increase the number of inputs per request soon.",
          },
        },
      },
      sizes: [1, 1, 1, 1, 1],
    },
  ],
  textsOf: (body) => (body as { input: string[] }).input,
  tooLong: "word ".repeat(8192).trim(),
  // Its words are the only sign where a proxy has dropped the header.
  throttled: {
    status: 429,
    body: {
      error: {
        code: "429",
        message: "Requests have exceeded the token rate limit. Please retry after 37 seconds.",
      },
    },
  },
  imageModel: "paint",
});

let fake: FakeAzure;
beforeAll(async () => {
  fake = await startFakeAzure();
});
afterAll(() => fake.close());
beforeEach(() => {
  for (const list of [fake.bodies, fake.paths, fake.forms]) list.length = 0;
});

describe("azure's surfaces", () => {
  let gateway: InProcessGateway;
  beforeAll(async () => {
    const upstream = (keys: string) =>
      `{ provider: azure, baseUrl: "${fake.origin}", apiKey: ${azureKey}${keys} }`;
    const embedding = (from: string, model = "embed") =>
      `{ type: embedding, retries: { max: 0 }, targets: [{ upstream: ${from}, model: ${model} }] }`;
    gateway = await startGateway(`
upstreams:
  usual: ${upstream("")}
  classic: ${upstream(", surface: classic")}
  dated: ${upstream(", apiVersion: 2024-06-01")}
  v1: ${upstream(", surface: v1")}
  preview: ${upstream(", apiVersion: preview")}
models:
  usual: ${embedding("usual")}
  classic: ${embedding("classic")}
  dated: ${embedding("dated")}
  v1: ${embedding("v1")}
  preview: ${embedding("preview")}
  missing: ${embedding("usual", "absent")}
  other-kind: ${embedding("usual", "paint")}
  paint: { type: image, targets: [{ upstream: usual, model: paint }] }
  paint-classic: { type: image, targets: [{ upstream: classic, model: paint }] }
`);
  });
  afterAll(() => gateway.stop());

  const errorOf = async (response: Response) => ({
    status: response.status,
    ...((await response.json()) as { error: object }).error,
  });
  const create = (body: object) =>
    gateway.sendJson("/v1/images/generations", { model: "paint", prompt: "a fox", ...body });
  const edit = (fields: Readonly<Record<string, string | Buffer>>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ model: "paint", prompt: "a hat", ...fields }))
      typeof value === "string"
        ? form.append(name, value)
        : form.append(name, new Blob([new Uint8Array(value)], { type: "image/png" }), `${name}.png`);
    return gateway.send("/v1/images/edits", { method: "POST", body: form });
  };

  test.each([
    ["usual", "/openai/v1/embeddings"],
    ["v1", "/openai/v1/embeddings"],
    ["preview", "/openai/v1/embeddings?api-version=preview"],
    ["classic", "/openai/deployments/embed/embeddings?api-version=2024-10-21"],
    ["dated", "/openai/deployments/embed/embeddings?api-version=2024-06-01"],
  ])("embeddings of the upstream %s go to %s", async (model, path) => {
    const response = await gateway.sendJson("/v1/embeddings", { model, input: "a", user: "u" });

    expect(response.status).toBe(200);
    expect(fake.paths).toEqual([path]);
    expect(fake.bodies).toEqual([{ model: "embed", input: ["a"], user: "u" }]);
  });

  test.each([
    ["paint", "/openai/v1/images/generations?api-version=preview"],
    ["paint-classic", "/openai/deployments/paint/images/generations?api-version=2025-04-01-preview"],
  ])("images of %s go to %s, and webp is converted", async (model, path) => {
    const response = await create({ model, n: 2, size: "1536x1024", quality: "low", output_format: "webp" });

    const { data, usage } = (await response.json()) as { data: { b64_json: string }[]; usage: object };
    expect(fake.paths).toEqual([path]);
    expect(data.map((image) => Object.keys(image))).toEqual([["b64_json"], ["b64_json"]]);
    expect(await sharp(Buffer.from(data[0]?.b64_json ?? "", "base64")).metadata()).toMatchObject({
      format: "webp",
      width: 24,
      height: 16,
    });
    expect(usage).toMatchObject({ input_tokens: 10, output_tokens: 100 });
  });

  test("an edit goes to the classic surface, and exactly the transparent pixels of its mask change", async () => {
    const [width, height] = [48, 32];
    const original = await gradient(width, height);
    const isEdited = (x: number, y: number) => x > 5 && x < 21 && y % 7 < 3;

    const response = await edit({ image: original, mask: await maskOf(width, height, isEdited) });

    const { data } = (await response.json()) as { data: { b64_json: string }[] };
    expect(await rgbOf(Buffer.from(data[0]?.b64_json ?? "", "base64"))).toEqual(
      (await rgbOf(original)).map((pixel, at) =>
        isEdited(at % width, Math.floor(at / width)) ? [...paint] : pixel,
      ),
    );
    expect(fake.paths).toEqual(["/openai/deployments/paint/images/edits?api-version=2025-04-01-preview"]);
    expect(fake.forms[0]?.map(({ name }) => name)).toEqual(["model", "prompt", "image", "mask"]);
  });

  test("the identifiers of a caller's own user are sent with images and edits", async () => {
    const identifiers = { user: "u", safety_identifier: "s" };
    const [image, mask] = [await gradient(8, 8), await maskOf(8, 8, () => true)];

    expect((await create(identifiers)).status).toBe(200);
    expect((await edit({ image, mask, ...identifiers })).status).toBe(200);

    expect(fake.bodies).toEqual([
      { model: "paint", prompt: "a fox", ...identifiers },
      { model: "paint", prompt: "a hat", ...identifiers },
    ]);
  });

  test("options that Azure does not have are refused by name, and nothing is sent", async () => {
    const image = await gradient(8, 8);

    expect(await errorOf(await create({ quality: "max" }))).toMatchObject({ status: 400, param: "quality" });
    expect(await errorOf(await create({ style: "natural" }))).toMatchObject({ status: 400, param: "style" });
    expect(await errorOf(await edit({ image, moderation: "low" }))).toMatchObject({
      status: 400,
      code: "unsupported_parameter",
      param: "moderation",
    });
    expect(fake.paths).toEqual([]);
  });

  test("moderation is the caller's 400, once, and the target stays healthy", async () => {
    expect(await errorOf(await create({ prompt: "a forbidden fox" }))).toMatchObject({
      status: 400,
      code: "moderation_blocked",
    });
    expect(fake.paths).toHaveLength(1);
    expect((await create({})).status).toBe(200);
  });

  test.each(["missing", "other-kind"])("a deployment that is %s is the gateway's fault", async (model) => {
    expect(await errorOf(await gateway.sendJson("/v1/embeddings", { model, input: "a" }))).toMatchObject({
      status: 502,
      code: "upstream_model_missing",
    });
  });
});

describe("Entra", () => {
  test.each([
    [
      "an app registration",
      (origin: string) =>
        `{ tenantId: a-tenant, clientId: an-app, clientSecret: app-secret, tokenUrl: "${origin}/a-tenant/oauth2/v2.0/token" }`,
    ],
    ["a managed identity", () => "managed"],
  ])("the token of %s is fetched once, and once more when it is refused", async (_name, entra) => {
    const { entra: issuer, origin } = fake;
    const environment = {
      IDENTITY_ENDPOINT: `${issuer.origin}/msi/token`,
      IDENTITY_HEADER: "machine-secret",
    };
    const gateway = await startGateway(
      `
upstreams:
  azure: { provider: azure, baseUrl: "${origin}", entra: ${entra(issuer.origin)} }
models:
  m: { type: embedding, targets: [{ upstream: azure, model: embed }] }
`,
      { openUpstream: (upstream, tools) => openUpstream(upstream, { ...tools, environment }) },
    );
    const embed = async (input: string) =>
      (await gateway.sendJson("/v1/embeddings", { model: "m", input })).status;
    const before = issuer.issued();

    expect(await Promise.all(["a", "b", "c"].map(embed))).toEqual([200, 200, 200]);
    expect(issuer.issued()).toBe(before + 1);

    issuer.revoke();
    expect(await embed("d")).toBe(200);
    expect(issuer.issued()).toBe(before + 2);
    expect(gateway.logLines.join("")).not.toMatch(/app-secret|machine-secret|issued-token/);
    await gateway.stop();
  });

  test("a refused secret is the gateway's fault, and is not shown", async () => {
    const gateway = await startGateway(`
upstreams:
  azure:
    provider: azure
    baseUrl: "${fake.origin}"
    entra: { tenantId: t, clientId: an-app, clientSecret: wrong-secret, tokenUrl: "${fake.entra.origin}/t" }
models:
  m: { type: embedding, targets: [{ upstream: azure, model: embed }] }
`);
    const response = await gateway.sendJson("/v1/embeddings", { model: "m", input: "a" });
    const text = await response.text();

    expect(response.status).toBe(502);
    expect(JSON.parse(text).error.code).toBe("upstream_auth_error");
    expect([text, ...gateway.logLines].join("")).not.toContain("wrong-secret");
    await gateway.stop();
  });
});

test.each([
  ["{}", "apiKey"],
  ["{ apiKey: k, entra: managed }", "entra"],
  ["{ apiKey: k, surface: v1, apiVersion: 2024-10-21 }", "apiVersion"],
  ["{ apiKey: k, surface: classic, apiVersion: preview }", "apiVersion"],
  ["{ apiKey: k, headers: { Api-Key: other } }", "Api-Key"],
  ["{ entra: managed, headers: { authorization: other } }", "authorization"],
])("the settings %s are refused", (keys, named) => {
  const text = `
upstreams: { azure: { provider: azure, baseUrl: "https://a.openai.azure.com", ${keys.slice(1, -1)} } }
models: { m: { type: embedding, targets: [{ upstream: azure, model: embed }] } }
`;
  expect(() => load(text, {})).toThrow(named);
});

test("the official client is understood by the fake", async () => {
  const client = new AzureOpenAI({
    endpoint: fake.origin,
    apiKey: azureKey,
    apiVersion: "2024-10-21",
    deployment: "embed",
    maxRetries: 0,
  });

  const { data } = await client.embeddings.create({ model: "embed", input: ["a"] });
  const painter = new OpenAI({ baseURL: `${fake.origin}/openai/v1`, apiKey: "unused", maxRetries: 0 });
  const image = await painter.images.generate(
    { model: "paint", prompt: "a fox" },
    { query: { "api-version": "preview" }, headers: { "api-key": azureKey } },
  );

  const expected = unitVector("a", { width: 1536, native: 1536 });
  expect(data[0]?.embedding).toEqual(expected);
  expect(image.data).toHaveLength(1);
});

test("a request that fails over from OpenAI to Azure gets the same vectors", async () => {
  const other = await startFakeAzure();
  const gateway = await startGateway(`
upstreams:
  openai: { provider: openai, baseUrl: "${other.origin}/openai/v1", headers: { api-key: ${azureKey} } }
  azure: { provider: azure, baseUrl: "${fake.origin}", apiKey: ${azureKey} }
models:
  m:
    type: embedding
    dimensions: 1536
    matryoshka: true
    targets:
      - { upstream: openai, model: embed, space: text-embedding-3-small, tier: 1 }
      - { upstream: azure, model: embed, space: text-embedding-3-small, tier: 2 }
`);
  const embed = async () => {
    const request = { model: "m", input: ["one text", "another"], encoding_format: "base64" };
    const response = await gateway.sendJson("/v1/embeddings", request);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  const first = await embed();
  other.scripted.push({ status: 401, body: { error: { message: "revoked" } } });
  const second = await embed();

  expect([first.status, second.status]).toEqual([200, 200]);
  const { id } = first.body;
  expect({ ...second.body, id }).toEqual(first.body);
  expect([other.bodies.length, fake.bodies.length]).toEqual([1, 1]);
  await gateway.stop();
  other.close();
});
