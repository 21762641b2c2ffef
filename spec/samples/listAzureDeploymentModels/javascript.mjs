import { AzureOpenAI } from "openai";

const client = new AzureOpenAI({
  endpoint: "http://127.0.0.1:8080",
  apiKey: process.env.GATEWAY_KEY,
  apiVersion: "2024-10-21",
});

for await (const model of client.models.list()) console.log(model.id);
