import { writeFile } from "node:fs/promises";
import OpenAI from "openai";

const client = new OpenAI({ baseURL: "http://127.0.0.1:8080/openai/v1", apiKey: process.env.GATEWAY_KEY });

const { data } = await client.images.generate({ model: "local-sketch", prompt: "a red fox in the snow" });
await writeFile("fox.png", Buffer.from(data[0].b64_json, "base64"));
