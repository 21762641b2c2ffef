import { OllamaEmbeddings } from "@langchain/ollama";
import { AzureOpenAIEmbeddings, DallEAPIWrapper, OpenAIEmbeddings } from "@langchain/openai";
import { expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { testKey } from "../../gateway/test-gateway.js";
import { compatGateway } from "./compat-gateway.js";

const gateway = compatGateway();

test.each([
  {
    name: "OpenAIEmbeddings",
    count: 600,
    create: () =>
      new OpenAIEmbeddings({
        model: "m",
        apiKey: testKey,
        configuration: { baseURL: `${gateway.url}/v1` },
      }),
  },
  {
    // Its model, text-embedding-ada-002 by default, is in the body. The deployment is in the path.
    name: "AzureOpenAIEmbeddings",
    count: 20,
    create: () =>
      new AzureOpenAIEmbeddings({
        azureOpenAIBasePath: `${gateway.url}/openai/deployments`,
        azureOpenAIApiDeploymentName: "m",
        azureOpenAIApiKey: testKey,
        azureOpenAIApiVersion: "2024-10-21",
      }),
  },
  {
    name: "OllamaEmbeddings",
    count: 600,
    create: () =>
      new OllamaEmbeddings({
        model: "m",
        baseUrl: gateway.url,
        headers: { authorization: `Bearer ${testKey}` },
      }),
  },
])("LangChain's $name embeds queries and documents, with only its address changed", async (client) => {
  const embeddings = client.create();
  const documents = Array.from({ length: client.count }, (_, index) => `document ${index}`);

  const query = await embeddings.embedQuery("a question");
  const vectors = await embeddings.embedDocuments(documents);

  expect(query).toEqual(vectorOf("a question", 16));
  expect(vectors).toEqual(documents.map((text) => vectorOf(text, 16)));
});

test.each(["b64_json", "url"] as const)(
  "LangChain's DallEAPIWrapper creates an image as %s with its defaults, with another model and address",
  async (dallEResponseFormat) => {
    const tool = new DallEAPIWrapper({
      model: "image",
      apiKey: testKey,
      baseUrl: `${gateway.url}/v1`,
      dallEResponseFormat,
    });

    const created: string = await tool.invoke("a fox");

    const image =
      dallEResponseFormat === "url"
        ? Buffer.from(await (await fetch(created)).arrayBuffer())
        : Buffer.from(created, "base64");
    expect(image).toEqual(tinyPng);
    expect(gateway.upstream.received.at(-1)?.body).toMatchObject({ model: "image", quality: "medium" });
  },
);
