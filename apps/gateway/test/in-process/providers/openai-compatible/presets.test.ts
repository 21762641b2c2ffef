import { readFileSync } from "node:fs";
import OpenAI from "openai";
import { describe, expect, onTestFinished, test } from "vitest";
import { load } from "../../../../src/config/test/load-text.js";
import { startGateway } from "../../../gateway/in-process.js";
import { testKey } from "../../../gateway/test-gateway.js";
import { unitVector } from "../unit-vectors.js";
import { type ServerDialect, startCompatibleServer } from "./fake-servers.js";

const page = readFileSync(
  new URL("../../../../../docs/upstreams/openai-compatible-servers.md", import.meta.url),
  "utf8",
);
const presets = [...page.matchAll(/^## (.+)\n\n```yaml\n([\s\S]*?)```/gm)].map(
  ([, name = "", yaml = ""]) => ({
    name,
    yaml,
  }),
);

/** The dialects, as the docs page describes each server. */
const dialects: Readonly<Record<string, ServerDialect>> = {
  vLLM: { native: 1024, base64: "taken", dimensions: "refused", hasUsage: true },
  "LM Studio": { native: 768, base64: "ignored", dimensions: "ignored", hasUsage: true },
  "llama.cpp server": { native: 768, base64: "taken", dimensions: "ignored", hasUsage: true },
  LocalAI: { native: 384, base64: "ignored", dimensions: "ignored", hasUsage: true },
  Infinity: { native: 1024, base64: "taken", dimensions: "taken", hasUsage: true },
  Together: { native: 1024, base64: "refused", dimensions: "refused", hasUsage: false },
  DeepInfra: { native: 1024, base64: "refused", dimensions: "refused", hasUsage: true },
  OpenRouter: { native: 1536, base64: "taken", dimensions: "taken", hasUsage: true },
};

test("every preset of the page is tested, and the page has no other configuration", () => {
  expect(presets.map(({ name }) => name)).toEqual(Object.keys(dialects));
  expect(page.split("```yaml").length - 1).toBe(presets.length);
});

describe.each(presets)("the preset of $name", ({ name, yaml }) => {
  const dialect = dialects[name] as ServerDialect;
  // Values of the environment that the page names.
  const variables = [...yaml.matchAll(/\$\{(\w+)\}/g)].map(([, variable = ""]) => [variable, "a-secret"]);

  test("is a valid configuration", () => {
    const { models, upstreams } = load(yaml, Object.fromEntries(variables));

    expect([...upstreams.values()].map(({ provider }) => provider)).toEqual(["openai-compatible"]);
    expect([...models.values()].map((model) => "dimensions" in model && model.dimensions)).toEqual([
      dialect.native,
    ]);
  });

  test("serves OpenAI's client from a server that differs as the page says", async () => {
    const { client, model, isMatryoshka, bodies } = await open(yaml, dialect);
    const input = Array.from({ length: 40 }, (_, index) => `text number ${index}`);
    const vectors = (width: number) =>
      input.map((one) =>
        unitVector(one, { width, native: dialect.native }).map((value) => expect.closeTo(value, 5)),
      );

    const numbers = await client.embeddings.create({ model, input, encoding_format: "float" });
    // The client asks for base64, and decodes it.
    const decoded = await client.embeddings.create({ model, input, dimensions: dialect.native });
    const short = client.embeddings.create({ model, input, dimensions: 256 });

    expect(numbers.data.map(({ embedding }) => embedding)).toEqual(vectors(dialect.native));
    expect(decoded.data.map(({ embedding }) => embedding)).toEqual(vectors(dialect.native));
    if (isMatryoshka) expect((await short).data.map(({ embedding }) => embedding)).toEqual(vectors(256));
    else await expect(short).rejects.toMatchObject({ status: 400, param: "dimensions" });
    expect(numbers.usage.prompt_tokens).toBeGreaterThan(0);
    expect(bodies.length).toBeGreaterThan(0);
  });
});

/** Starts a gateway with the preset, whose upstream is a fake server at the same path. */
async function open(yaml: string, dialect: ServerDialect) {
  const [, address = ""] = /baseUrl: (\S+)/.exec(yaml) ?? [];
  const path = new URL(address).pathname.replace(/\/$/, "");
  const fake = await startCompatibleServer(path, dialect);
  const config = yaml.replace(address, `${fake.origin}${path}`).replace(/\$\{\w+\}/g, "a-secret");
  const gateway = await startGateway(config);
  onTestFinished(async () => {
    await gateway.stop();
    fake.close();
  });
  const [, model = ""] = /^models:\n {2}(\S+):/m.exec(yaml) ?? [];
  return {
    client: new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: testKey, maxRetries: 0 }),
    model,
    isMatryoshka: yaml.includes("matryoshka: true"),
    bodies: fake.bodies,
  };
}
