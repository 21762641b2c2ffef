/**
 * The recipes for other programs: the settings of the page, and the requests that each program sends with them. The
 * requests are those of the programs' sources in summer 2026.
 */
import { readFileSync } from "node:fs";
import { OpenAIEmbeddings } from "@langchain/openai";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { testKey } from "../../gateway/test-gateway.js";
import { compatGateway } from "./compat-gateway.js";

const page = readFileSync(new URL("../../../../docs/guides/recipes.md", import.meta.url), "utf8");
const gateway = compatGateway();
const texts = ["The cat sat on the mat.", "A second\ntext."];

/** A section of the page, with the address, the key and the models of this test. */
function recipe(title: string): string {
  const [, text = ""] = page.split(`\n## ${title}\n`);
  return (text.split("\n## ")[0] ?? "")
    .replaceAll("http://127.0.0.1:8080", gateway.url)
    .replaceAll(/\$GATEWAY_KEY|\$\{GATEWAY_KEY\}|a key of the gateway/g, testKey)
    .replaceAll("gte-small", "m")
    .replaceAll("local-sketch", "image");
}

/** The lines `NAME=value`. */
function variables(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name, value]) => [name, value]));
}

/** The rows of the first table, by their first cell. */
function fields(text: string): Record<string, string> {
  const rows = [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].slice(2);
  return Object.fromEntries(
    rows.map(([, name, value = ""]) => [name, /`([^`]+)`/.exec(value)?.[1] ?? value]),
  );
}

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the programs read the bodies without types.
  readonly body: any;
}

async function post(url: string, key: string | undefined, body: object): Promise<Reply> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** As programs that parse the response themselves read it. */
function vectorsIn({ body }: Reply): number[][] {
  return body.data.map(({ embedding }: { embedding: number[] }) => embedding);
}

/** As OpenAI's SDKs read it. */
function decodedIn({ body }: Reply): number[][] {
  return body.data.map(({ embedding }: { embedding: string }) => {
    const bytes = Buffer.from(embedding, "base64");
    return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
  });
}

const expected = texts.map((text) => vectorOf(text, 16));

describe("Open WebUI", () => {
  const embeddings = () => {
    const { RAG_OPENAI_API_BASE_URL: url, RAG_OPENAI_API_KEY: key } = variables(recipe("Open WebUI"));
    return { url: `${url}/embeddings`, key };
  };

  test("embeds a batch of a document", async () => {
    const { RAG_EMBEDDING_MODEL: model, RAG_EMBEDDING_BATCH_SIZE: size } = variables(recipe("Open WebUI"));
    const input = Array.from({ length: Number(size) }, (_, index) => `chunk ${index}`);
    const { url, key } = embeddings();

    const response = await post(url, key, { input, model });

    expect(vectorsIn(response)).toEqual(input.map((text) => vectorOf(text, 16)));
  });

  test("gets an error that names the prefix field", async () => {
    const { url, key } = embeddings();

    const { status, body } = await post(url, key, { input: texts, model: "m", prefix: "query: " });

    expect([status, body.error.code, body.error.param]).toEqual([400, "unknown_parameter", "prefix"]);
  });

  test("creates an image", async () => {
    const settings = variables(recipe("Open WebUI"));

    const { body } = await post(
      `${settings.IMAGES_OPENAI_API_BASE_URL}/images/generations`,
      settings.IMAGES_OPENAI_API_KEY,
      {
        model: settings.IMAGE_GENERATION_MODEL,
        prompt: "a fox",
        n: 1,
        size: settings.IMAGE_SIZE,
        response_format: "b64_json",
      },
    );

    expect(body.data).toEqual([{ b64_json: expect.stringMatching(/^\w/) }]);
  });

  test("edits two images", async () => {
    const settings = variables(recipe("Open WebUI"));
    const form = new FormData();
    for (const [name, value] of Object.entries({
      model: settings.IMAGE_EDIT_MODEL ?? "",
      prompt: "add a hat",
      response_format: "b64_json",
    }))
      form.append(name, value);
    const create = { width: 8, height: 8, channels: 4 as const, background: "#ff8800" };
    const png = new Uint8Array(await sharp({ create }).png().toBuffer());
    for (const name of ["one.png", "two.png"])
      form.append("image[]", new Blob([png], { type: "image/png" }), name);

    const response = await fetch(`${settings.IMAGES_EDIT_OPENAI_API_BASE_URL}/images/edits`, {
      method: "POST",
      headers: { authorization: `Bearer ${settings.IMAGES_EDIT_OPENAI_API_KEY}` },
      body: form,
    });

    expect(await response.json()).toMatchObject({ data: [{ b64_json: expect.stringMatching(/^\w/) }] });
  });
});

describe("n8n", () => {
  const settings = () => {
    const table = fields(recipe("n8n"));
    return { url: table["Credential: Base URL"] ?? "", key: table["Credential: API Key"] ?? "" };
  };

  test("lists the models, at an address that it takes apart", async () => {
    const { url, key } = settings();
    const address = [...url.split("/").slice(0, -1), url.split("/").at(-1), "models"].join("/");

    const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } });

    const { data } = (await response.json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toContain("m");
  });

  test("embeds documents, without their line breaks", async () => {
    const { url, key } = settings();
    const model = fields(recipe("n8n"))["Embeddings OpenAI: Model"] ?? "";
    const node = { model, apiKey: key, batchSize: 512, stripNewLines: true, configuration: { baseURL: url } };

    const vectors = await new OpenAIEmbeddings(node).embedDocuments(texts);

    expect(vectors).toEqual(texts.map((text) => vectorOf(text.replaceAll("\n", " "), 16)));
  });

  test("gets an error for a width that the model does not have", async () => {
    const { url, key } = settings();
    const node = { model: "m", apiKey: key, dimensions: 256, configuration: { baseURL: url } };

    await expect(new OpenAIEmbeddings(node).embedQuery("a")).rejects.toThrow(/dimensions/);
  });
});

describe("Dify", () => {
  const settings = () => {
    const { "API Base URL": url, "API Key": key, "Model Name": model = "" } = fields(recipe("Dify"));
    return { url: `${url}/embeddings`, key, model };
  };

  test("validates the model, and embeds with both encoding formats", async () => {
    const { url, key, model } = settings();

    const ping = await post(url, key, { model, input: ["ping"] });
    const chunks = await post(url, key, { model, input: texts, encoding_format: "float" });

    expect(vectorsIn(ping)).toEqual([vectorOf("ping", 16)]);
    expect(vectorsIn(chunks)).toEqual(expected);
    expect(chunks.body.usage.prompt_tokens).toBeGreaterThan(0);
  });

  test("embeds the messages of vision support", async () => {
    const { url, key, model } = settings();

    const page = await post(url, key, { model, messages: [{ role: "user", content: "a" }] });

    expect(vectorsIn(page)).toEqual([vectorOf("a", 16)]);
  });
});

test("Haystack embeds documents and a question", async () => {
  const program = recipe("Haystack");
  const url = `${/"api_base_url": "([^"]+)"/.exec(program)?.[1]}/embeddings`;
  const model = /"model": "([^"]+)"/.exec(program)?.[1];

  const documents = await post(url, testKey, { model, input: texts, encoding_format: "float" });
  const question = await post(url, testKey, { model, input: "a question", encoding_format: "float" });
  const asynchronous = await post(url, testKey, { model, input: texts, encoding_format: "base64" });

  expect(vectorsIn(documents)).toEqual(expected);
  expect(vectorsIn(question)).toEqual([vectorOf("a question", 16)]);
  expect(decodedIn(asynchronous)).toEqual(expected);
});

describe("Spring AI", () => {
  const settings = () => parse(/```yaml\n(.*?)```/s.exec(recipe("Spring AI"))?.[1] ?? "").spring.ai.openai;

  test("embeds, as OpenAI's SDK for Java in version 2 sends it", async () => {
    const { "base-url": url, "api-key": key, embedding } = settings();

    const response = await post(`${url}/embeddings`, key, {
      input: texts,
      model: embedding.model,
      encoding_format: "base64",
    });

    expect(decodedIn(response)).toEqual(expected);
  });

  test("creates an image", async () => {
    const { "base-url": url, "api-key": key, image } = settings();

    const { body } = await post(`${url}/images/generations`, key, {
      prompt: "a fox",
      model: image.model,
      response_format: image["response-format"],
      size: image.size,
    });

    expect(body.data).toEqual([{ b64_json: expect.stringMatching(/^\w/) }]);
  });

  test("embeds in version 1, which adds /v1, and a base URL that has it gets an error that shows both", async () => {
    const { "base-url": url, "api-key": key, embedding } = settings();
    const body = { input: texts, model: embedding.model };

    const right = await post(`${url.replace(/\/v1$/, "")}/v1/embeddings`, key, body);
    const wrong = await post(`${url}/v1/embeddings`, key, body);

    expect(vectorsIn(right)).toEqual(expected);
    expect([wrong.status, wrong.body.error.code]).toEqual([404, "unknown_url"]);
    expect(wrong.body.error.message).toContain("/v1/v1/embeddings");
  });
});
