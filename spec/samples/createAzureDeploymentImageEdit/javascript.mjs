import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { AzureOpenAI } from "openai";

const client = new AzureOpenAI({
  endpoint: "http://127.0.0.1:8080",
  apiKey: process.env.GATEWAY_KEY,
  apiVersion: "2024-10-21",
});

const { data } = await client.images.edit({
  model: "local-sketch",
  prompt: "add a rocket",
  image: createReadStream("fox.png"),
});
await writeFile("fox-with-rocket.png", Buffer.from(data[0].b64_json, "base64"));
