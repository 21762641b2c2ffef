import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import OpenAI from "openai";

const client = new OpenAI({ baseURL: "http://127.0.0.1:8080/openai/v1", apiKey: process.env.GATEWAY_KEY });

const { data } = await client.images.edit({
  model: "local-sketch",
  prompt: "add a rocket",
  image: createReadStream("fox.png"),
});
await writeFile("fox-with-rocket.png", Buffer.from(data[0].b64_json, "base64"));
