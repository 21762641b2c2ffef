import { writeFile } from "node:fs/promises";
import { AzureOpenAI } from "openai";

const client = new AzureOpenAI({
  endpoint: "http://127.0.0.1:8080",
  apiKey: process.env.GATEWAY_KEY,
  apiVersion: "2024-10-21",
});

const { data } = await client.images.generate({ model: "local-sketch", prompt: "a red fox in the snow" });
await writeFile("fox.png", Buffer.from(data[0].b64_json, "base64"));
