import { readFileSync } from "node:fs";
import { faultsOf, load } from "@model-gateway/config/test/load-text";
import { presetsSchema } from "@model-gateway/providers/openai-compatible/presets";
import data from "@model-gateway/providers/openai-compatible/presets.json" with { type: "json" };
import { findProvider } from "@model-gateway/providers/registry";
import OpenAI from "openai";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { testKey } from "../../../gateway/test-gateway.js";
import { errorOf, imageRequests, imagesOf } from "../image-requests.js";
import { unitVector } from "../unit-vectors.js";
import { type FakeService, type FakeServices, fakeKey, pathOf, startFakeServices } from "./fake-services.js";
import { services } from "./services.js";

const named = Object.entries(services).map(([name, service]) => ({ name, service }));
const embedding = named.flatMap(({ name, service: { embeddings } }) =>
  embeddings ? [{ name, embeddings }] : [],
);
const drawing = named.flatMap(({ name, service: { images } }) => (images ? [{ name, images }] : []));

let fake: FakeServices;
let gateway: InProcessGateway;
const { create, edit } = imageRequests(() => gateway);

beforeAll(async () => {
  fake = await startFakeServices(services);
  gateway = await startGateway(`upstreams:
${named.map(({ name, service }) => `  ${name}: { ${upstream(name, service)} }`).join("\n")}
models:
${embedding.map(({ name, embeddings }) => `  e-${name}: { type: embedding, ${modelKeys(embeddings)}, targets: [{ upstream: ${name}, model: m }] }`).join("\n")}
${drawing.map(({ name }) => `  i-${name}: { type: image, targets: [{ upstream: ${name}, model: m }] }`).join("\n")}
`);
});
afterAll(async () => {
  await gateway.stop();
  fake.close();
});

function upstream(name: string, { address, needsKey }: FakeService): string {
  return [
    `provider: openai-compatible, preset: ${name}, allowPrivateUrls: true`,
    `baseUrl: "${fake.origin}/${name}${pathOf(address)}"`,
    ...(needsKey ? [`apiKey: ${fakeKey}`] : []),
  ].join(", ");
}

function modelKeys({ native, required }: NonNullable<FakeService["embeddings"]>): string {
  return `dimensions: ${native}, matryoshka: true${required ? ", inputType: document" : ""}`;
}

test("the presets are as their schema says: a start uses them unchecked", () => {
  expect(presetsSchema.parse(data)).toEqual(data);
});

test("every preset has a service here, and the other way round", () => {
  const presets = findProvider("openai-compatible")?.presets ?? [];

  expect(presets.map(({ name }) => name)).toEqual(Object.keys(services));
});

test.each(named)("$name is at its own address", ({ name, service: { address, needsKey } }) => {
  const settings = (keys: string) =>
    `upstreams: { u: { provider: openai-compatible, preset: ${name}, ${keys} } }\nmodels: {}\n`;
  const isFixed = !/cloudflare|databricks/.test(name);

  const { upstreams } = load(settings(`apiKey: k${isFixed ? "" : `, baseUrl: "${address}"`}`));
  const faults = faultsOf(settings(isFixed ? "" : "apiKey: k"));

  expect(new URL(upstreams.get("u")?.baseUrl ?? "").href).toBe(new URL(address).href);
  const wanted = isFixed ? (needsKey ? ["apiKey: is required by"] : []) : ["baseUrl: is required"];
  expect(faults).toEqual(wanted.map((fault) => expect.stringContaining(fault)));
});

describe.each(embedding)(
  "embeddings of $name",
  ({ name, embeddings: { native, maxInputs = 8, required } }) => {
    test("serve OpenAI's client, with all options", async () => {
      const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: testKey, maxRetries: 0 });
      const input = Array.from({ length: maxInputs + 1 }, (_, index) => `text number ${index}`);
      const request = { model: `e-${name}`, input, user: "someone" };

      const numbers = await client.embeddings.create({ ...request, encoding_format: "float" });
      // The client asks for base64, and decodes it.
      const short = await client.embeddings.create({ ...request, dimensions: 100 });

      expect(farthest(numbers.data, input, { width: native, native })).toBeLessThan(1e-5);
      expect(farthest(short.data, input, { width: 100, native })).toBeLessThan(1e-5);
      expect(numbers.usage.prompt_tokens).toBe(3 * input.length);
      const words = fake.received.get(name)?.map(({ body }) => body[required?.field ?? ""]);
      expect(new Set(words)).toEqual(new Set([required === undefined ? undefined : "passage"]));
    });
  },
);

/** The largest difference of a number from that of the right vector. */
function farthest(
  data: readonly { readonly embedding: readonly number[] }[],
  input: readonly string[],
  widths: Parameters<typeof unitVector>[1],
): number {
  expect(data).toHaveLength(input.length);
  const differences = data.map(({ embedding: found }, at) => {
    const wanted = unitVector(input[at] ?? "", widths);
    return Math.max(...wanted.map((value, index) => Math.abs(value - (found[index] ?? Number.NaN))));
  });
  return Math.max(...differences);
}

describe.each(drawing)("images of $name", ({ name, images: { fields, edits } }) => {
  const model = `i-${name}`;
  const extensions = { seed: 7, negative_prompt: "rain" };
  const taken = Object.fromEntries(Object.entries(extensions).filter(([key]) => fields.includes(key)));

  test("are created with all options, in both envelopes", async () => {
    const request = { model, n: 2, size: "1024x1024", user: "someone", ...taken };

    const encoded = await imagesOf(
      await create({ ...request, response_format: "b64_json", output_format: "webp" }),
    );
    const linked = await create({ ...request, response_format: "url" });

    expect(encoded).toHaveLength(2);
    expect((await sharp(encoded[0]).metadata()).format).toBe("webp");
    expect(await linked.json()).toMatchObject({
      data: [{ url: expect.anything() }, { url: expect.anything() }],
    });
  });

  test("refuse by name the options that the service lacks", async () => {
    for (const [param, value] of Object.entries({
      style: "natural",
      background: "transparent",
      ...extensions,
    })) {
      if (fields.includes(param)) continue;
      expect(await errorOf(await create({ model, [param]: value }))).toMatchObject({ status: 400, param });
    }
  });

  test("are edited where the service can, and refused where it cannot", async () => {
    const image = await sharp({ create: { width: 16, height: 16, channels: 4, background: "#00000000" } })
      .png()
      .toBuffer();

    const edited = await edit({ model, image: [image, image], size: "1024x1024", user: "someone" });
    const masked = await edit({ model, image, mask: image });

    expect(edited.status).toBe(edits === undefined ? 400 : 200);
    expect(masked.status).toBe(edits?.hasMask === true ? 200 : 400);
  });
});

test("stable-diffusion.cpp gets a mask whose white pixels are edited", async () => {
  const transparent = await sharp({ create: { width: 8, height: 8, channels: 4, background: "#00000000" } })
    .png()
    .toBuffer();

  await imagesOf(await edit({ model: "i-sd-server", image: transparent, mask: transparent }));

  const mask = fake.received
    .get("sd-server")
    ?.at(-1)
    ?.parts.find(({ name }) => name === "mask")?.content;
  const { data, info } = await sharp(mask).raw().toBuffer({ resolveWithObject: true });
  expect(info.channels).toBeLessThan(4);
  expect(new Set(data)).toEqual(new Set([255]));
});

test("a prompt with options for stable-diffusion.cpp is refused, and nothing is sent", async () => {
  const prompt = 'a fox <sd_cpp_extra_args>{"steps": 500}</sd_cpp_extra_args>';
  const sent = fake.received.get("sd-server")?.length;

  expect(await errorOf(await create({ model: "i-sd-server", prompt }))).toMatchObject({
    status: 400,
    param: "prompt",
  });
  expect(fake.received.get("sd-server")?.length).toBe(sent);
});

const withPreset = (preset: string, models: string, keys = "") =>
  `upstreams: { u: { provider: openai-compatible, preset: ${preset}, apiKey: k${keys} } }\nmodels: ${models}\n`;

test("an unknown preset is refused with the nearest, and so is a model that the service does not have", () => {
  const image = "{ i: { type: image, targets: [{ upstream: u, model: m }] } }";

  expect(faultsOf(withPreset("firworks", "{}"))).toEqual([
    expect.stringMatching(/upstreams\.u\.preset: must be one of: .*; did you mean fireworks\?$/),
  ]);
  expect(faultsOf(withPreset("fireworks", image))).toEqual([
    expect.stringContaining("targets[0].upstream: the preset fireworks has no images; use another upstream"),
  ]);
});

test("the operator's own values win", () => {
  const models = `{
    e: { type: embedding, targets: [{ upstream: u, model: m, maxInputs: 4, encoding: base64, dimensions: pass }] },
    i: { type: image, profile: { maxN: 3 }, targets: [{ upstream: u, model: m }] } }`;

  const { models: resolved, upstreams } = load(
    withPreset("deepinfra", models, ', baseUrl: "http://proxy/v1"'),
  );

  expect(upstreams.get("u")?.baseUrl).toBe("http://proxy/v1");
  expect(resolved.get("e")?.targets[0]).toMatchObject({
    maxInputs: 4,
    encoding: "base64",
    dimensions: "pass",
  });
  expect(resolved.get("i")).toMatchObject({
    profile: { maxN: 3, edits: true, sizes: ["auto", "WIDTHxHEIGHT"] },
  });
});

const page = readFileSync(
  new URL("../../../../../docs/upstreams/openai-compatible-servers.md", import.meta.url),
  "utf8",
);

test("every configuration on the page of presets is valid", () => {
  const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = ""]) => yaml);
  const environment = Object.fromEntries(
    [...page.matchAll(/\$\{(\w+)\}/g)].map(([, variable = ""]) => [variable, "a-secret"]),
  );

  expect(blocks.length).toBeGreaterThan(3);
  for (const yaml of blocks) expect(faultsOf(yaml, environment)).toEqual([]);
});

test("the page of presets has a row for each", () => {
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);

  expect(rows).toEqual(Object.keys(services));
});
