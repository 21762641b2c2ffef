import { AzureOpenAI } from "openai";

const client = new AzureOpenAI({
  endpoint: "http://127.0.0.1:8080",
  apiKey: process.env.GATEWAY_KEY,
  apiVersion: "2024-10-21",
});

const { data } = await client.embeddings.create({ model: "gte-small", input: "The cat sat on the mat." });
console.log(data[0].embedding.length);
