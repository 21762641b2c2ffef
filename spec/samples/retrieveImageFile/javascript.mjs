import { writeFile } from "node:fs/promises";
import OpenAI from "openai";

const client = new OpenAI({ baseURL: "http://127.0.0.1:8080/v1", apiKey: process.env.GATEWAY_KEY });

const { data } = await client.images.generate({
  model: "local-sketch",
  prompt: "a red fox",
  response_format: "url",
});
const image = await fetch(data[0].url);
await writeFile("fox.png", Buffer.from(await image.arrayBuffer()));
